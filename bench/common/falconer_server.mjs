// `falconer serve` of this build, on a free port, with its ledger on disk; the ledger is verified at the end.

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';

import { Contestant } from './contestant.mjs';
import { falconerSettings, verifyLedger } from './falconer.mjs';
import { HttpMcpClient } from './http_mcp_client.mjs';

const kStartMillis = 60_000;
const kRoles = 4;
const kTicksPerSecond = 100;  // of the times in /proc, on every Linux

// Where it listens and its keys, as the program says them line by line.
class Announcement {
  url;
  keys = {};

  // Whether all was said.
  take(line) {
    this.url ??= /listens on (\S+)/.exec(line)?.[1];
    const [, role, key] = /^ +(\w+) +(fk_\S+)/.exec(line) ?? [];
    if (role) this.keys[role] = key;
    return this.url !== undefined && Object.keys(this.keys).length === kRoles;
  }
}

export class FalconerServer extends Contestant {
  #binary;
  #settings;
  #child;
  #exited;
  #said = new Announcement();
  #complaints = '';
  #clients = [];

  constructor({ falconer, chromium }, more = []) {
    super('falconer serve', basename(falconer));
    this.#binary = falconer;
    this.#settings = falconerSettings(this.folder, chromium, ['serve.port=0', ...more]);
  }

  get url() {
    return this.#said.url;
  }

  get keys() {
    return this.#said.keys;
  }

  async start() {
    this.#child = spawn(this.#binary, ['serve', ...this.#settings],
        { cwd: this.folder, env: this.environment(), stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child.stderr.on('data', data => { this.#complaints = (this.#complaints + data).slice(-500); });
    this.#exited = new Promise(resolve => this.#child.once('exit', resolve));
    await new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('the server does not say where it listens')), kStartMillis);
      const settle = (end, value) => { clearTimeout(timer); end(value); };
      createInterface(this.#child.stdout).on('line', line => this.#said.take(line) && settle(resolve));
      this.#child.once('error', error => settle(reject, error));
      this.#exited.then(code => settle(reject, this.#endedWith(code)));
    });
  }

  // An MCP client that has begun.
  async connect() {
    const client = new HttpMcpClient(this.url, this.keys.agent);
    this.#clients.push(client);
    await client.initialize();
    return client;
  }

  async get(path) {
    const answer = await fetch(new URL(path, this.url), { headers: { authorization: `Bearer ${this.keys.viewer}` } });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }

  // The time that it has worked so far, in milliseconds.
  cpuMillis() {
    const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 1000 / kTicksPerSecond;
  }

  async shut() {
    for (const client of this.#clients) client.close();
    this.#child?.kill('SIGTERM');
    const code = await this.#exited;
    if (code !== 0) throw this.#endedWith(code);
    verifyLedger(this.#binary, this.#settings, this.environment());
  }

  #endedWith(code) {
    return new Error(`the server ended with ${code}: ${this.#complaints}`);
  }
}
