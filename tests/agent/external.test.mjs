// Agents from outside see no difference between a program whose own agent is off and one whose own agent is on.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { newFolder, server, startSite } from '../mcp/harness.mjs';

const kOn = ['agent.internal.enabled=true', 'agent.providers=[{"name":"near","kind":"ollama","url":"http://127.0.0.1:9"}]'];

let site;
before(async () => {
  site = await startSite();
});
after(() => site.stop());

const requests = () => [
  { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'parity', version: '1' } } },
  { method: 'tools/list' },
  tool('browser_navigate', { url: site.url('/form.html') }),
  tool('browser_snapshot', { scope: 'page' }),
  tool('browser_click', { target: '#no-such-element' }),
  tool('browser_click', { target: 7 }),
  tool('browser_evaluate', { function: '() => document.title' }),
  tool('browser_navigate', { url: 'http://blocked.example/' }),
  tool('browser_close', {}),
];

function tool(name, args) {
  return { method: 'tools/call', params: { name, arguments: args } };
}

// What differs from run to run: ids that are made by chance, and times.
const settled = (text) => text.replace(/[0-9a-f]{8,}/g, 'ID').replace(/\d+(\.\d+)? ?ms\b/g, 'TIME');

async function transcript(more) {
  const home = newFolder();
  const { command, args } = server(home.folder, '--tools', 'all', ...more.flatMap((one) => ['--set', one]));
  const child = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const answers = [];
  let id = 0;
  for (const request of requests()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: ++id, ...request })}\n`);
    if (id === 1) child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
    let line;
    do line = (await lines.next()).value;
    while (JSON.parse(line).id !== id);
    answers.push(settled(line));
  }
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  home.remove();
  return answers;
}

test('every answer has the same bytes', async () => {
  const off = await transcript([]);
  const on = await transcript(kOn);
  assert.equal(off.length, requests().length);
  assert.deepEqual(on, off);
});
