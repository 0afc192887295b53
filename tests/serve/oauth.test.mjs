// Where a client without a key learns who has tokens for the server (RFC 9728).
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { extractResourceMetadataUrl } from '@modelcontextprotocol/sdk/client/auth.js';
import { newFolder, startServer } from '../mcp/harness.mjs';

const wellKnown = '/.well-known/oauth-protected-resource';
const homes = [];
const servers = {};

async function start(name, ...settings) {
  const home = newFolder();
  homes.push(home);
  servers[name] = await startServer(home.folder, ...settings);
}

before(async () => {
  await start('plain');
  await start('told', 'serve.auth_issuer=https://login.example/');
  await start('public', 'serve.auth_issuer=https://login.example', 'serve.public_url=https://falconer.example/');
});
after(async () => {
  for (const server of Object.values(servers)) assert.equal(await server.stop(), 0);
  for (const home of homes) home.remove();
});

const get = (name, path, init) => fetch(new URL(path, servers[name].url), init);
const initialize = (name, headers = {}) =>
  get(name, '/mcp', { method: 'POST', headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers }, body: '{}' });

test('the metadata names the resource and its authorization server', async () => {
  for (const [path, scopes] of [['', ['agent', 'viewer', 'approver', 'operator']], ['/mcp', ['agent', 'operator']]]) {
    const answer = await get('told', wellKnown + path);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type'), /^application\/json/);
    assert.deepEqual(await answer.json(), {
      resource: servers.told.url + path,
      authorization_servers: ['https://login.example/'],
      bearer_methods_supported: ['header'],
      scopes_supported: scopes,
      resource_name: 'falconer',
    });
  }
});

test('a refusal at /mcp leads there', async () => {
  for (const headers of [{}, { Authorization: 'Bearer nonsense' }]) {
    const answer = await initialize('told', headers);
    assert.equal(answer.status, 401);
    assert.match(answer.headers.get('www-authenticate'), /^Bearer /);
    // As the official client reads it.
    const url = extractResourceMetadataUrl(answer);
    assert.equal(url.href, `${servers.told.url}${wellKnown}/mcp`);
    const metadata = await (await fetch(url)).json();
    assert.equal(metadata.resource, `${servers.told.url}/mcp`);
  }
  const elsewhere = await get('told', '/v1/whoami');
  assert.match(elsewhere.headers.get('www-authenticate'), /resource_metadata="[^"]+oauth-protected-resource"$/);
});

test('behind a proxy it is known by its public address', async () => {
  const metadata = await (await get('public', `${wellKnown}/mcp`)).json();
  assert.equal(metadata.resource, 'https://falconer.example/mcp');
  const refused = await initialize('public');
  assert.equal(extractResourceMetadataUrl(refused).href, `https://falconer.example${wellKnown}/mcp`);
});

test('without an issuer nothing is told', async () => {
  for (const path of ['', '/mcp']) assert.equal((await get('plain', wellKnown + path)).status, 404);
  const refused = await initialize('plain');
  assert.equal(refused.status, 401);
  assert.equal(refused.headers.get('www-authenticate'), 'Bearer realm="falconer"');
});
