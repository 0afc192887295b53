// `falconer mcp` of this build: what a call costs without HTTP.

import { basename } from 'node:path';

import { Contestant } from '../common/contestant.mjs';
import { falconerSettings, verifyLedger } from '../common/falconer.mjs';
import { StdioMcpClient } from '../common/stdio_mcp_client.mjs';

export class StdioFalconer extends Contestant {
  #binary;
  #settings;
  #client;

  constructor({ falconer, chromium }, more = []) {
    super('falconer mcp', basename(falconer));
    this.#binary = falconer;
    this.#settings = falconerSettings(this.folder, chromium, more);
  }

  async start() {
    const args = ['mcp', ...this.#settings];
    this.#client = new StdioMcpClient({ command: this.#binary, args, cwd: this.folder, env: this.environment() });
  }

  // The MCP client, which has begun.
  async connect() {
    await this.#client.initialize();
    return this.#client;
  }

  async shut() {
    await this.#client?.stop();
    verifyLedger(this.#binary, this.#settings, this.environment());
  }
}
