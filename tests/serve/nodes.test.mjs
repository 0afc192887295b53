// Tools of others: a program and an MCP server as isolated children, offered and called like the own ones.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { newFolder, program, startServer } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';

const kCount = `
import json, os, sys
words = json.load(sys.stdin)["text"].split()
print(json.dumps({"words": len(words), "secret": os.environ.get("FALCONER_SECRET_OWN", "")}))
`;

const kServer = `
import json, sys
def say(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked: continue
    if asked["method"] == "initialize":
        say(id=asked["id"], result={"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "echo", "version": "1"}})
    elif asked["method"] == "tools/list":
        say(id=asked["id"], result={"tools": [{"name": "echo", "description": "Says it again.", "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}]})
    elif asked["method"] == "tools/call":
        text = asked["params"]["arguments"]["text"]
        if text == "crash": sys.exit(3)
        say(id=asked["id"], result={"content": [{"type": "text", "text": "again: " + text}]})
    else:
        say(id=asked["id"], result={})
`;

const nodes = [
  {
    name: 'words',
    kind: 'program',
    command: ['python3', '-c', kCount],
    limits: { timeout_ms: 20_000, cpu_seconds: 10 },
    tools: [{ name: 'count', description: 'Counts words.', schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'], additionalProperties: false }, side_effect: 'read' }],
  },
  { name: 'other', kind: 'mcp', command: ['python3', '-c', kServer] },
];

process.env.FALCONER_SECRET_OWN = 'not for children';
const home = newFolder();
const falconer = await startServer(home.folder, `agent.nodes=${JSON.stringify(nodes)}`);
const ask = clientOf(() => falconer);
after(async () => {
  assert.equal(await falconer.stop(), 0);
  home.remove();
});

const callTool = (name, body) => ask('POST', `/tools/${name}`, { role: 'agent', body });

test('they are listed with their terms', async () => {
  const { body } = await ask('GET', '/tools', { role: 'agent' });
  const count = body.tools.find(({ name }) => name === 'words__count');
  assert.equal(count.side_effect_class, 'read');
  assert.equal(body.tools.find(({ name }) => name === 'other__echo').side_effect_class, 'write');
});

test('a program is called with arguments that were checked, and sees nothing of ours', async () => {
  const { status, body } = await callTool('words__count', { text: 'one two three' });
  assert.equal(status, 200, JSON.stringify(body));
  assert.deepEqual(body.payload.structured.result, { words: 3, secret: '' });
  assert.equal(body.payload.structured.node.boundary, 'external');
  const wrong = await callTool('words__count', { words: 1 });
  assert.equal(wrong.body.error_code, 'validation_error');
});

test('what an MCP server says is marked as the words of a stranger', async () => {
  const { body } = await callTool('other__echo', { text: 'hello' });
  assert.match(body.payload.text, /<untrusted[^>]*>\n?again: hello/);
});

test('one that crashes fails its call, and is started again', async () => {
  const crashed = await callTool('other__echo', { text: 'crash' });
  assert.equal(crashed.status, 503, JSON.stringify(crashed.body));
  assert.equal(crashed.body.error_code, 'tool_unavailable');
  for (;;) {
    const { status } = await callTool('other__echo', { text: 'back' });
    if (status === 200) break;
  }
});

test('while everything is paused nothing of them runs', async () => {
  const order = (...words) => promisify(execFile)(program, [...words, '--set', `data.dir=${home.folder}`]);
  await order('pause', '--reason', 'lunch');
  for (;;) {
    const { body } = await callTool('words__count', { text: 'one' });
    if (body.error?.code === 'RUNTIME_PAUSED') break;
    assert.equal(body.ok, true, JSON.stringify(body));
  }
  await order('resume');
});
