// The processes that a contestant started, found again wherever they went: a daemon leaves its parent, but keeps
// the mark in its environment; a browser may lose its environment, but has a folder of ours among its arguments.

import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export const kMark = 'FALCONER_BENCH_MARK';
const kEndMillis = 5000;
const kKibPerMib = 1024;

// What cannot be read belongs to a process that is gone.
function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

function programOf(pid) {
  try {
    return basename(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return '';
  }
}

// The parent is the second field after the name, which may itself contain blanks and brackets.
function parentOf(pid) {
  const stat = read(pid, 'stat');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function isRunning(pid) {
  const stat = read(pid, 'stat');
  return stat !== '' && !['Z', 'X'].includes(stat.slice(stat.lastIndexOf(')') + 2)[0]);
}

export class OwnProcesses {
  #mark;
  #folder;

  // `folder` is the contestant's own; nobody else may have it among the arguments.
  constructor(mark, folder) {
    this.#mark = `${kMark}=${mark}\0`;
    this.#folder = folder;
  }

  // Everything that runs now, with what it started in turn.
  list() {
    const all = readdirSync('/proc').map(Number).filter(pid => pid > 0 && pid !== process.pid && isRunning(pid));
    const found = new Set(all.filter(pid =>
        `${read(pid, 'environ')}\0`.includes(this.#mark) || read(pid, 'cmdline').includes(this.#folder)));
    for (let before = 0; before !== found.size;) {
      before = found.size;
      for (const pid of all) if (found.has(parentOf(pid))) found.add(pid);
    }
    return [...found];
  }

  // Memory of the processes that run this program, in MiB, shared pages divided among those who share them.
  memoryOf(program) {
    const own = this.list().filter(pid => programOf(pid) === program);
    if (own.length === 0) throw new Error(`no process of ${program} is running`);
    const sizes = own.map(pid => Number(/^Pss:\s+(\d+)/m.exec(read(pid, 'smaps_rollup'))?.[1]));
    return sizes.reduce((sum, kib) => sum + kib, 0) / kKibPerMib;
  }

  // Waits until all have ended; what does not is ended. The number of those.
  async end() {
    const end = performance.now() + kEndMillis;
    while (this.list().length > 0 && performance.now() < end) {
      await new Promise(resolve => setTimeout(resolve, 20));
    }
    return this.kill();
  }

  kill() {
    const left = this.list();
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended by itself in this moment.
      }
    }
    return left.length;
  }
}
