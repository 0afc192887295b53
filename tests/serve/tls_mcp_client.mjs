// A client of MCP in a process of its own, which trusts whom NODE_EXTRA_CA_CERTS names: ADDRESS KEY PAGE.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [address, key, page] = process.argv.slice(2);
const client = new Client({ name: 'falconer-tests', version: '1' });
const requestInit = { headers: { Authorization: `Bearer ${key}` } };
await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', address), { requestInit }));
const { tools } = await client.listTools();
const opened = await client.callTool({ name: 'browser_navigate', arguments: { url: page } });
await client.close();
console.log(JSON.stringify({ tools: tools.length, text: opened.content.map((part) => part.text).join('\n') }));
