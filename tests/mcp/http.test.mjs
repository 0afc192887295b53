// The official clients, of both eras, against the server over Streamable HTTP.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client as ModernClient, StreamableHTTPClientTransport as ModernHttp } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { startHouse, textOf, unmarked } from './harness.mjs';

const about = { name: 'falconer-tests', version: '1' };
const { site, falconer } = await startHouse();

const eras = [
  ['2025-11-25', () => new Client(about), StreamableHTTPClientTransport],
  ['2026-07-28', () => new ModernClient(about, { versionNegotiation: { mode: { pin: '2026-07-28' } } }), ModernHttp],
];

async function connect(make, Transport, key = falconer.keys.agent) {
  const client = make();
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new Transport(new URL('/mcp', falconer.url), { requestInit }));
  return client;
}

async function withClients(count, make, Transport, body) {
  const clients = [];
  try {
    for (let i = 0; i < count; ++i) clients.push(await connect(make, Transport));
    await body(...clients);
  } finally {
    for (const client of clients) await client.close();
  }
}

const open = (client, path, session) =>
  client.callTool({ name: 'browser_navigate', arguments: { url: site.url(path), ...(session && { session }) } });

for (const [era, make, Transport] of eras) {
  test(`${era}: a form is filled and sent`, async () => {
    await withClients(1, make, Transport, async (client) => {
      const page = await open(client, '/form.html');
      assert.match(unmarked(textOf(page)), /^ok\npage "Form with every control"/);
      const fields = [{ target: '#name', value: 'Ada' }, { target: '#agree', value: 'true' }];
      const filled = await client.callTool({ name: 'browser_fill_form', arguments: { fields } });
      assert.match(textOf(filled), /^ok 2 fields/);
      const sent = await client.callTool({ name: 'browser_click', arguments: { target: '#submit' } });
      assert.match(textOf(sent), /^ok\n/);
    });
  });

  test(`${era}: clients at the same time work in sessions of their own`, async () => {
    await withClients(3, make, Transport, async (...clients) => {
      const paths = ['/form.html', '/colours.html', '/form.html'];
      await Promise.all(clients.map((client, i) => open(client, paths[i], `own-${era}-${i}`)));
      const shown = await Promise.all(
        clients.map((client, i) => client.callTool({ name: 'browser_snapshot', arguments: { session: `own-${era}-${i}` } })));
      shown.forEach((page, i) => assert.ok(textOf(page).includes(site.url(paths[i])), textOf(page)));
    });
  });

  test(`${era}: progress is told to those who ask, and failures are answers`, async () => {
    await withClients(1, make, Transport, async (client) => {
      await open(client, '/form.html');
      const seen = [];
      const fields = ['#name', '#notes'].map((target) => ({ target, value: 'x' }));
      const call = { name: 'browser_fill_form', arguments: { fields } };
      const follow = { onprogress: (progress) => seen.push(progress.message) };
      // The newer client takes the options second.
      await (make === eras[0][1] ? client.callTool(call, undefined, follow) : client.callTool(call, follow));
      assert.deepEqual(seen, ['field 1 of 2', 'field 2 of 2']);
      const refused = await client.callTool({ name: 'browser_navigate', arguments: { url: 'https://example.com' } });
      assert.match(textOf(refused), /^error SECURITY_DOMAIN_BLOCK: /);
    });
  });

  test(`${era}: without a key that may act nobody gets in`, async () => {
    await assert.rejects(connect(make, Transport, 'fk_wrong'), /401|[Uu]nauthorized/);
    await assert.rejects(connect(make, Transport, falconer.keys.viewer), /403|[Ff]orbidden|role/);
  });
}

test('main sessions of two clients that began by initialize are two', async () => {
  const [, make, Transport] = eras[0];
  await withClients(2, make, Transport, async (first, second) => {
    await open(first, '/form.html');
    await open(second, '/colours.html');
    const page = await first.callTool({ name: 'browser_snapshot', arguments: {} });
    assert.ok(textOf(page).includes(site.url('/form.html')), textOf(page));
  });
});

test('a page of elsewhere cannot talk to it', async () => {
  const answer = await fetch(new URL('/mcp', falconer.url), {
    method: 'POST',
    headers: { Origin: 'https://evil.example', Authorization: `Bearer ${falconer.keys.agent}`, 'Content-Type': 'application/json' },
    body: '{}',
  });
  assert.equal(answer.status, 403);
  assert.equal((await answer.json()).code, 'FORBIDDEN');
});
