// An agent at work on a page that counts its clicks. What the answers and the page itself do not confirm is a missed
// effect, not a sample.

import { falconerRef } from '../common/falconer.mjs';
import { countText, kButton } from './site.mjs';

async function timed(work) {
  const start = performance.now();
  const answer = await work();
  return { millis: performance.now() - start, answer };
}

export class Clicker {
  #client;
  #site;
  #figures;
  #where;
  #run = '';
  #button = '';
  #count = 0;

  // `where` has the arguments that all calls share: the session.
  constructor(client, site, figures, where) {
    this.#client = client;
    this.#site = site;
    this.#figures = figures;
    this.#where = where;
  }

  get count() {
    return this.#count;
  }

  async open(kind) {
    const { run, url } = this.#site.open(kind);
    const answer = await this.#client.call('browser_navigate', { url, ...this.#where });
    this.#run = run;
    this.#count = 0;
    this.#button = falconerRef(answer, kButton);
  }

  // { millis, answer }; nothing when the answer does not show that it happened.
  async click(trace) {
    const target = this.#button;
    const clicked = await timed(() => this.#client.call('browser_click', { target, ...this.#where }, trace));
    ++this.#count;
    return this.#confirmed(clicked);
  }

  // Reads the page: waits for what is there already.
  async read(trace) {
    const text = countText(this.#count);
    const read = await timed(() => this.#client.call('browser_wait_for', { text, ...this.#where }, trace));
    return read.answer.startsWith('ok') ? read : this.#miss(`the page was not read: ${read.answer.slice(0, 200)}`);
  }

  // Leaves the page, which tells how often it was clicked.
  async leave() {
    await this.#client.call('browser_navigate', { url: this.#site.blankUrl, ...this.#where });
    const counted = await this.#site.tally(this.#run);
    if (counted !== this.#count) this.#miss(`the page counted ${counted} of ${this.#count} clicks`);
  }

  #confirmed(clicked) {
    if (clicked.answer.includes(countText(this.#count))) return clicked;
    return this.#miss(`the answer does not show click ${this.#count}: ${clicked.answer.slice(0, 200)}`);
  }

  #miss(why) {
    this.#figures.missed.push(`falconer: ${why}`);
    return undefined;
  }
}
