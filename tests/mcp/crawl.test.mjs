// Tools for models that only want to read.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { article, startCrawlSite } from '../serve/crawl_site.mjs';
import { newFolder, server, textOf, unmarked } from './harness.mjs';

const site = await startCrawlSite({
  '/robots.txt': { type: 'text/plain', body: 'User-agent: *\nDisallow: /closed' },
  '/': article('Home'),
  '/closed': article('Closed'),
  '/file.bin': { type: 'application/octet-stream', body: 'bytes' },
});
const home = newFolder();
const client = new Client({ name: 'falconer-tests', version: '1' });
await client.connect(new StdioClientTransport(server(home.folder, '--tools', 'crawl', '--set', 'crawl.delay=0')));
after(async () => {
  await client.close();
  site.stop();
  home.remove();
});
const call = (name, args = {}) => client.callTool({ name, arguments: args });

test('a page is read as markdown, marked as the words of a page', async () => {
  for (const name of ['crawl_url', 'markdown']) {
    const page = await call(name, { url: site.url('/') });
    assert.match(textOf(page), /^ok 200 sufficient [0-9a-f]{12}\n<untrusted /);
    assert.match(unmarked(textOf(page)), /\n# Home\n/);
  }
  const raw = await call('raw', { url: site.url('/') });
  assert.match(unmarked(textOf(raw)), /<h1>Home<\/h1>/);
});

test('what a site closes is told, and so is what is wrong with a call', async () => {
  const closed = await call('crawl_url', { url: site.url('/closed') });
  assert.equal(closed.isError, true);
  assert.match(textOf(closed), /^error POLICY_DENIED: .*robots/);
  const wrong = await call('crawl_url', { url: site.url('/'), options: { timeout: 1 } });
  assert.match(textOf(wrong), /VALIDATION_ERROR: .*timeout/);
});

test('many pages, a file, and how crawls go', async () => {
  const pages = await call('crawl_batch', { urls: [site.url('/'), site.url('/closed')], format: 'markdown' });
  assert.match(textOf(pages), /^ok 2 pages, 1 failed\n/);
  assert.match(textOf(pages), /POLICY_DENIED/);
  const file = await call('download', { url: site.url('/file.bin') });
  assert.match(textOf(file), /^ok dl_[0-9a-f]+ 5 bytes\n/);
  const info = JSON.parse(textOf(await call('crawler_info')));
  assert.equal(info.respect_robots, true);
  assert.equal(info.running, 0);
});
