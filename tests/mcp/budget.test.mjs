// Budgets hold when counted by a real tokeniser, on every page of the test site.
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { newFolder, server, startSite, textOf, unmarked } from './harness.mjs';

const BUDGETS = [100, 300, 1000, 4000];
// Their scripts keep the page from being read, or close it.
const UNREADABLE = new Set(['beforeunload.html', 'popup_child.html']);
const pages = readdirSync(fileURLToPath(new URL('../site/', import.meta.url)))
  .filter((name) => name.endsWith('.html') && !UNREADABLE.has(name))
  .sort();

let site;
let own;
let client;

before(async () => {
  site = await startSite();
  own = newFolder();
  client = new Client({ name: 'falconer-tests', version: '1' });
  await client.connect(new StdioClientTransport(server(own.folder)));
});
after(async () => {
  await client.close();
  own.remove();
  site.stop();
});

for (const page of pages) {
  test(`${page} within every budget`, async () => {
    await client.callTool({ name: 'browser_navigate', arguments: { url: site.url(`/${page}`) } });
    for (const scope of ['viewport', 'page']) {
      for (const max_tokens of BUDGETS) {
        const state = textOf(await client.callTool({ name: 'browser_snapshot', arguments: { scope, max_tokens } }));
        assert.match(unmarked(state), /^(ok|page)/, state);
        assert.ok(countTokens(state) <= max_tokens, `${countTokens(state)} tokens for ${max_tokens}:\n${state}`);
      }
    }
  });
}
