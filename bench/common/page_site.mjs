// PageSite: a site on loopback whose pages tell how often their counter was clicked. What it has beside /tally and
// /blank its kinds answer.

import { createServer } from 'node:http';

import { Tallies } from './tallies.mjs';

export function document(title, body, style = '') {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
      `<style>${style}</style></head><body>${body}</body></html>`;
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString();
}

export class PageSite {
  #server = createServer((request, response) => this.#serve(request, response));
  #tallies = new Tallies();

  static async start() {
    const site = new this();
    site.#server.keepAliveTimeout = 60_000;
    await new Promise(resolve => site.#server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get origin() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  get blankUrl() {
    return `${this.origin}/blank`;
  }

  // How often the counter of a page was clicked; fails when it does not tell in time.
  async tally(run, millis) {
    return this.#tallies.of(run, millis);
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  async #serve(request, response) {
    const url = new URL(request.url, this.origin);
    const page = this.#own(url) ?? this.answer(url.pathname, await bodyOf(request));
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    response.end(page);
  }

  #own(url) {
    if (url.pathname === '/tally') return this.#tallies.hear(url.searchParams) ?? '';
    return url.pathname === '/blank' ? document('Blank', '<p>Nothing here</p>') : undefined;
  }
}
