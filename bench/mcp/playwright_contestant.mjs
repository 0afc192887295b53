// Playwright MCP: an answer names a file with the page in it, so a model that wants to see the page asks for it.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';

import { kNeedsNoSandbox, refIn } from '../common/contestant.mjs';
import { McpContestant } from './mcp_contestant.mjs';
import { kCounter, kFields, kReview, kSubmit } from './site.mjs';

const kManifest = createRequire(import.meta.url).resolve('@playwright/mcp/package.json');
const kProgram = join(dirname(kManifest), 'cli.js');
const refPattern = label => new RegExp(`"${label}".*?\\[ref=(\\w+)\\]`);

export class PlaywrightContestant extends McpContestant {
  #chromium;
  #counter = '';

  constructor({ chromium }) {
    super('playwright-mcp', basename(process.execPath));
    this.#chromium = chromium;
  }

  server() {
    const sandbox = kNeedsNoSandbox ? ['--no-sandbox'] : [];
    return {
      command: process.execPath,
      args: [kProgram, '--headless', '--isolated', '--executable-path', this.#chromium, ...sandbox],
    };
  }

  async order(url, transcript) {
    await this.navigate(url, transcript);
    const page = await this.look(transcript);
    const fields = kFields.map(({ label, kind, value }) =>
        ({ target: refIn(page, refPattern, label), name: label, type: kind, value }));
    await this.call('browser_fill_form', { fields }, transcript);
    await this.click(refIn(page, refPattern, kReview), transcript);
    await this.click(refIn(await this.look(transcript), refPattern, kSubmit), transcript);
    return this.look(transcript);
  }

  async prepareClicks(url) {
    await this.navigate(url);
    this.#counter = refIn(await this.look(), refPattern, kCounter);
  }

  // Reading the file that the answer names is the fastest way to see the page.
  async clickAndSee() {
    const answer = await this.click(this.#counter);
    const file = /\[Snapshot\]\((.+?)\)/.exec(answer)?.[1];
    return file ? readFileSync(resolve(this.folder, file), 'utf8') : this.look();
  }
}
