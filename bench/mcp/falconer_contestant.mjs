// Falconer over MCP: its answers say what changed, so it looks at a page only by acting on it.

import { basename } from 'node:path';

import { falconerRef, falconerSettings, verifyLedger } from '../common/falconer.mjs';
import { McpContestant } from './mcp_contestant.mjs';
import { kCounter, kFields, kReview, kSubmit } from './site.mjs';

export class FalconerContestant extends McpContestant {
  #settings;
  #binary;
  #counter = '';

  constructor({ falconer, chromium }) {
    super('falconer', basename(falconer));
    this.#binary = falconer;
    this.#settings = falconerSettings(this.folder, chromium);
  }

  server() {
    return { command: this.#binary, args: ['mcp', ...this.#settings] };
  }

  async order(url, transcript) {
    const page = await this.navigate(url, transcript);
    const fields = kFields.map(({ label, value }) => ({ target: falconerRef(page, label), value }));
    await this.call('browser_fill_form', { fields }, transcript);
    const review = await this.click(falconerRef(page, kReview), transcript);
    return this.click(falconerRef(review, kSubmit), transcript);
  }

  async prepareClicks(url) {
    this.#counter = falconerRef(await this.navigate(url), kCounter);
  }

  async clickAndSee() {
    return this.click(this.#counter);
  }

  async shut() {
    await super.shut();
    verifyLedger(this.#binary, this.#settings, this.environment());
  }
}
