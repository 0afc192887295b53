// Crawling: a site of two hundred pages read whole by Falconer's batches and by Playwright, both with the same browser,
// as many pages at once, and the same asked of each page: its title, its text and its links.

import { chromium } from 'playwright-core';

import { kNeedsNoSandbox } from '../common/contestant.mjs';
import { FalconerServer } from '../common/falconer_server.mjs';
import { kPages, startCrawlSite, titleOf } from './crawl_site.mjs';

const kAtOnce = 4;
const kBatch = 50;
const kRounds = 3;
// A machine that has three times the speed needs a third of the time.
const kAim = { of: 'ratio', atMost: 1 / 3 };

// What was read must be the page: its title, its words, all of its links.
function faultOf(page, number) {
  if (page?.title !== titleOf(number)) return `page ${number} has the title ${page?.title}`;
  if (!page.text?.includes(titleOf(number)) || page.text.length < 4000) return `page ${number} has ${page.text?.length} characters`;
  return page.links?.length === 22 ? '' : `page ${number} has ${page.links?.length} links`;
}

function check(pages) {
  for (let number = 0; number < kPages; ++number) {
    const fault = faultOf(pages[number], number);
    if (fault) throw new Error(fault);
  }
}

async function timed(work) {
  const start = performance.now();
  const pages = await work();
  const millis = performance.now() - start;
  check(pages);
  return millis;
}

class FalconerCrawl {
  name = 'falconer';
  #server;

  constructor(settings) {
    this.#server = new FalconerServer(settings, ['crawl.delay=0', `crawl.per_host=${kAtOnce}`]);
  }

  start() {
    return this.#server.start();
  }

  async readAll(urls) {
    const pages = [];
    for (let at = 0; at < urls.length; at += kBatch) pages.push(...await this.#batch(urls.slice(at, at + kBatch)));
    return pages;
  }

  async #batch(urls) {
    const answer = await fetch(new URL('/batch', this.#server.url), {
      method: 'POST',
      headers: { authorization: `Bearer ${this.#server.keys.agent}` },
      body: JSON.stringify({ urls, concurrent: kAtOnce, format: 'text' }),
    });
    const body = await answer.json();
    if (!answer.ok || body.failed > 0) throw new Error(`a batch failed: ${JSON.stringify(body).slice(0, 500)}`);
    return body.pages;
  }

  stop() {
    return this.#server.stop();
  }
}

function readHere() {
  return {
    title: document.title,
    text: document.body.innerText,
    links: Array.from(document.querySelectorAll('a[href]'), link => ({ text: link.innerText, url: link.href })),
  };
}

class PlaywrightCrawl {
  #settings;
  #browser;

  constructor(settings, name) {
    this.#settings = settings;
    this.name = name;
  }

  async start() {
    this.#browser = await chromium.launch({ executablePath: this.#settings.chromium, chromiumSandbox: !kNeedsNoSandbox });
  }

  async readAll(urls) {
    const context = await this.#browser.newContext();
    const pages = [];
    let next = 0;
    const work = async () => {
      for (const tab = await this.openWorker(context); next < urls.length;) {
        const at = next++;
        pages[at] = await this.read(tab, urls[at]);
      }
    };
    await Promise.all(Array.from({ length: kAtOnce }, work));
    await context.close();
    return pages;
  }

  stop() {
    return this.#browser?.close();
  }
}

// As crawlers on top of it do: every address gets a page of its own.
class PlaywrightPages extends PlaywrightCrawl {
  openWorker(context) {
    return context;
  }

  async read(context, url) {
    const page = await context.newPage();
    await page.goto(url);
    const read = await page.evaluate(readHere);
    await page.close();
    return read;
  }
}

// The fastest that it can be made: the same page goes on to the next address.
class PlaywrightTabs extends PlaywrightCrawl {
  openWorker(context) {
    return context.newPage();
  }

  async read(page, url) {
    await page.goto(url);
    return page.evaluate(readHere);
  }
}

function rowsOf(figures) {
  const rate = name => figures.median(name, 'crawl_ms');
  const value = rate('falconer');
  const row = (name, peer, aim) => ({ name, value, unit: 'ms', baseline: { name: peer, value: rate(peer) }, aim });
  return [
    row('crawl_200_pages', 'playwright', kAim),
    row('crawl_200_pages_vs_same_tab', 'playwright-same-tab'),
    { name: 'crawl_pages_per_second', value: value && kPages * 1000 / value, unit: 'pages/s' },
  ];
}

// Measures and gives the rows. `settings` has `falconer` and `chromium`, the paths of both programs.
export async function crawlFigures(settings, figures) {
  const site = await startCrawlSite();
  const contestants = [new FalconerCrawl(settings), new PlaywrightPages(settings, 'playwright'),
    new PlaywrightTabs(settings, 'playwright-same-tab')];
  for (const one of contestants) await figures.attempt(one.name, () => one.start());
  // They take turns, so that whatever slows the machine down slows all of them down. The first round warms up.
  for (let round = 0; round <= kRounds; ++round) {
    for (const one of contestants) {
      const millis = await figures.attempt(one.name, () => timed(() => one.readAll(site.urls)));
      if (round > 0 && millis !== undefined) figures.add(one.name, 'crawl_ms', millis);
    }
  }
  for (const one of contestants) await figures.attempt(one.name, () => one.stop());
  await site.stop();
  return rowsOf(figures);
}
