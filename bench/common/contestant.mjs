// One program that is measured, with everything it starts: it works in a folder of its own and leaves nothing behind.
//
//   start()   runs it; what else can be asked of it is between the kind of contestant and its measurements
//   memory()  MiB of the program, without the browser
//   shut()    asks it to end
//   stop()    ends all of it; fails when something had to be killed

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { kMark, OwnProcesses } from './own_processes.mjs';

// Short: names of sockets have little room.
const kFolderPrefix = 'fbm-';
const kRemoveRounds = 20;

const running = new Set();

// For the end in a hurry: nothing may outlive the benchmark.
export function endAll() {
  for (const contestant of running) contestant.abandon();
}

export class Contestant {
  #processes;

  constructor(name, program) {
    this.name = name;
    this.program = program;
    this.folder = mkdtempSync(join(tmpdir(), kFolderPrefix));
    this.#processes = new OwnProcesses(this.folder, this.folder);
    running.add(this);
  }

  // The environment of everything that is started: nothing of the user's, nothing that stays.
  environment(more = {}) {
    const { PATH, LANG } = process.env;
    return { PATH, LANG, HOME: this.folder, TMPDIR: this.folder, [kMark]: this.folder, ...more };
  }

  memory() {
    return this.#processes.memoryOf(this.program);
  }

  async stop() {
    try {
      await this.shut();
    } finally {
      const left = await this.#processes.end();
      await this.#remove();
      running.delete(this);
      if (left > 0) throw new Error(`${left} processes were left behind`);
    }
  }

  abandon() {
    this.#processes.kill();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }

  // A browser that was just killed may write to its profile once more.
  async #remove() {
    for (let round = 0; round < kRemoveRounds; ++round) {
      try {
        return rmSync(this.folder, { recursive: true, force: true });
      } catch {
        await new Promise(resolve => setTimeout(resolve, 100));
      }
    }
    rmSync(this.folder, { recursive: true, force: true });
  }
}

// Where a label's ref stands in an answer; fails when it is not there.
export function refIn(text, pattern, label) {
  const found = pattern(label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).exec(text);
  if (!found) throw new Error(`"${label}" is not in the answer: ${text.slice(0, 400)}`);
  return found[1];
}

// Root cannot run the browser's sandbox.
export const kNeedsNoSandbox = process.getuid?.() === 0;
