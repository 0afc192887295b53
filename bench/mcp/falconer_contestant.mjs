// Falconer over MCP: its answers say what changed, so it looks at a page only by acting on it.

import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';

import { refIn } from './contestant.mjs';
import { McpContestant } from './mcp_contestant.mjs';
import { kCounter, kFields, kReview, kSubmit } from './site.mjs';

// A line of its own: d3e4 button "Save", with a sign before it when it is news.
const refPattern = label => new RegExp(`^[ +~]*(d\\d+e\\d+) .*"${label}"`, 'm');

export class FalconerContestant extends McpContestant {
  #settings;
  #binary;
  #counter = '';

  constructor({ falconer, chromium }) {
    super('falconer', basename(falconer));
    this.#binary = falconer;
    this.#settings = ['policy.allow_domains=127.0.0.1', `data.dir=${join(this.folder, 'data')}`,
      `browser.path=${chromium}`].flatMap(setting => ['--set', setting]);
  }

  server() {
    return { command: this.#binary, args: ['mcp', ...this.#settings] };
  }

  async order(url, transcript) {
    const page = await this.navigate(url, transcript);
    const fields = kFields.map(({ label, value }) => ({ target: refIn(page, refPattern, label), value }));
    await this.call('browser_fill_form', { fields }, transcript);
    const review = await this.click(refIn(page, refPattern, kReview), transcript);
    return this.click(refIn(review, refPattern, kSubmit), transcript);
  }

  async prepareClicks(url) {
    this.#counter = refIn(await this.navigate(url), refPattern, kCounter);
  }

  async clickAndSee() {
    return this.click(this.#counter);
  }

  // What was done must be on record: the program itself checks it.
  async shut() {
    await super.shut();
    const { status, stdout, stderr, error } = spawnSync(this.#binary, ['audit', 'verify', ...this.#settings],
        { env: this.environment(), encoding: 'utf8', timeout: 60_000 });
    if (status !== 0) throw new Error(`the ledger does not verify: ${error?.message ?? stderr + stdout}`);
  }
}
