// Who may answer an approval at a client of MCP over HTTP.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { kPatience, openHouse } from './harness.mjs';

let house;
before(async () => {
  house = await openHouse('approvals.pending_after=1s');
}, { timeout: kPatience });
after(() => house?.stop(), { timeout: kPatience });

// Buys with a client that says yes to whatever it is asked; how often that was, and what the shop sold by it.
async function buyWith(role) {
  let asked = 0;
  const client = new Client({ name: 'falconer-tests', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler(ElicitRequestSchema, async () => ((asked += 1), { action: 'accept', content: { approve: true } }));
  const requestInit = { headers: { Authorization: `Bearer ${house.server.keys[role]}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', house.server.url), { requestInit }));
  const before = house.shop.sold.length;
  await client.callTool({ name: 'browser_navigate', arguments: { url: house.shop.url, session: role } });
  await client.callTool({ name: 'browser_click', arguments: { target: '#buy', session: role } });
  await client.close();
  return { asked, sold: house.shop.sold.length - before };
}

test('an agent does not approve what it asked for itself', async () => {
  assert.deepEqual(await buyWith('agent'), { asked: 0, sold: 0 });
});

test('the person at an operator’s client does', async () => {
  assert.deepEqual(await buyWith('operator'), { asked: 1, sold: 1 });
});
