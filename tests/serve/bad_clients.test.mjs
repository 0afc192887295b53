// Clients that mean harm, or know no better: each gets a typed refusal or is cut off, and the server goes on for others.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { newFolder, startServer } from '../mcp/harness.mjs';

let home;
let falconer;
let address;

before(async () => {
  home = newFolder();
  falconer = await startServer(home.folder);
  const url = new URL(falconer.url);
  address = { host: url.hostname, port: Number(url.port) };
});
after(async () => {
  assert.equal(await falconer.stop(), 0);
  home.remove();
});

// Sends the bytes and gives everything that comes back until the server closes, or the time is over.
function say(bytes, { end = false, time = 15_000 } = {}) {
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => (end ? socket.end(bytes) : socket.write(bytes)));
    let text = '';
    const timer = setTimeout(() => socket.destroy(), time);
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      // One answer is enough where the connection is kept.
      if (/\r\n\r\n/.test(text) && !/^HTTP\/1.1 100/.test(text)) socket.destroy();
    });
    socket.on('error', (error) => (error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(text) : reject(error)));
    socket.on('close', () => (clearTimeout(timer), resolve(text)));
  });
}

// A sanitizer's build needs several times as much as the real one, and keeps what was freed.
const kMostMoreKb = 300_000;

const statusOf = (text) => Number(/^HTTP\/1.1 (\d+)/.exec(text)?.[1] ?? 0);
const head = (lines) => `${lines.join('\r\n')}\r\n\r\n`;
const host = () => `Host: ${address.host}:${address.port}`;
const key = () => `Authorization: Bearer ${falconer.keys.agent}`;

// Somebody else is served meanwhile, and soon.
async function othersAreServed() {
  const started = performance.now();
  const answer = await fetch(new URL('/v1/whoami', falconer.url), { headers: { Authorization: `Bearer ${falconer.keys.viewer}` } });
  assert.equal(answer.status, 200);
  await answer.arrayBuffer();
  return performance.now() - started;
}

const memoryKb = () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${falconer.pid}/status`, 'utf8'))[1]);

const refused = [
  ['no HTTP at all', () => 'hello\r\n\r\n', [400]],
  ['two lengths', () => head(['POST /v1/actions HTTP/1.1', host(), key(), 'Content-Length: 2', 'Content-Length: 3']) + '{}', [400]],
  ['a length and chunks', () => head(['POST /v1/actions HTTP/1.1', host(), key(), 'Content-Length: 2', 'Transfer-Encoding: chunked']) + '0\r\n\r\n', [400]],
  ['a transfer coding that is none', () => head(['POST /v1/actions HTTP/1.1', host(), key(), 'Transfer-Encoding: chunked, identity']) + '0\r\n\r\n', [400, 501]],
  ['a space before the colon', () => head(['GET /health HTTP/1.1', host(), 'X-A : b']), [400]],
  ['a header that goes on in the next line', () => head(['GET /health HTTP/1.1', host(), 'X-A: b', ' c']), [400, 200]],
  ['two hosts', () => head(['GET /health HTTP/1.1', host(), 'Host: evil.example']), [400]],
  ['no host', () => head(['GET /health HTTP/1.1']), [400]],
  ['another host', () => head(['GET /health HTTP/1.1', 'Host: evil.example']), [403]],
  ['a host with words behind its port', () => head(['GET /health HTTP/1.1', `${host()}, evil.example`]), [400, 403]],
  ['another origin', () => head(['GET /v1/whoami HTTP/1.1', host(), key(), 'Origin: https://evil.example']), [403]],
  ['the origin of a file', () => head(['GET /v1/whoami HTTP/1.1', host(), key(), 'Origin: null']), [403]],
  ['a path that climbs', () => head(['GET /../../etc/passwd HTTP/1.1', host(), key()]), [400, 404]],
  ['a path that climbs by escapes', () => head(['GET /v1/%2e%2e/%2e%2e/etc/passwd HTTP/1.1', host(), key()]), [404]],
  ['a zero byte in the path', () => head(['GET /v1/%00 HTTP/1.1', host(), key()]), [400]],
  ['a bad escape', () => head(['GET /v1/%zz HTTP/1.1', host(), key()]), [400]],
  ['a line of a megabyte', () => head([`GET /${'a'.repeat(1 << 20)} HTTP/1.1`, host()]), [414, 431]],
  ['a thousand headers', () => head(['GET /health HTTP/1.1', host(), ...Array.from({ length: 5000 }, (_, i) => `X-${i}: ${'v'.repeat(32)}`)]), [431]],
  ['a body of a gigabyte, announced', () => head(['POST /v1/actions HTTP/1.1', host(), key(), 'Content-Length: 1073741824']), [413]],
  ['a chunk of any size', () => head(['POST /v1/actions HTTP/1.1', host(), key(), 'Transfer-Encoding: chunked']) + 'ffffffffffffffff\r\n', [400, 413]],
  ['bytes that are no UTF-8', () => Buffer.concat([Buffer.from(head(['POST /v1/actions HTTP/1.1', host(), key(), 'Content-Length: 6'])), Buffer.from([0x22, 0xff, 0xfe, 0xc0, 0x80, 0x22])]), [400]],
  ['JSON that ends too soon', () => head(['POST /v1/actions HTTP/1.1', host(), key(), 'Content-Length: 2']) + '{"', [400]],
  ['JSON that is too deep', () => head(['POST /v1/actions HTTP/1.1', host(), key(), 'Content-Length: 200000']) + '['.repeat(200_000), [400]],
  ['a WebSocket without a key', () => head(['GET /v1/whoami HTTP/1.1', host(), 'Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==']), [401]],
];

for (const [what, bytes, statuses] of refused) {
  test(`refused: ${what}`, async () => {
    const answer = await say(bytes());
    assert.ok(statuses.includes(statusOf(answer)), `${what}: ${answer.slice(0, 200)}`);
    assert.ok(!answer.includes('root:'), 'no file of the system is told');
    await othersAreServed();
  });
}

test('a body that is cut off acts on nothing', async () => {
  const contract = JSON.stringify({ workflow_id: 'cut', action_spec: { action_type: 'wait_only' } });
  const cut = head(['POST /v1/actions HTTP/1.1', host(), key(), `Content-Length: ${contract.length}`]) + contract.slice(0, -5);
  await say(cut, { end: true });
  await othersAreServed();
  const records = await fetch(new URL('/v1/ledger/records?workflow=cut', falconer.url), { headers: { Authorization: `Bearer ${falconer.keys.viewer}` } });
  assert.deepEqual((await records.json()).records, []);
});

test('those who send a byte now and then are cut off, and nobody waits for them', async () => {
  const slow = Array.from({ length: 200 }, () => connect(address));
  const gone = slow.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
  slow.forEach((socket) => (socket.on('error', () => {}), socket.resume(), socket.write('GET /health HTTP/1.1\r\n')));
  const drip = setInterval(() => slow.forEach((socket) => socket.writable && socket.write('X-A: b\r\n')), 1000);
  for (let i = 0; i < 5; ++i) await othersAreServed();
  // Ten seconds are what the head of a request may take.
  await Promise.all(gone);
  clearInterval(drip);
});

test('five thousand who say nothing keep nobody out, and cost little', async () => {
  await othersAreServed();
  const before = memoryKb();
  const idle = [];
  for (let i = 0; i < 5000; ++i) {
    const socket = connect(address);
    socket.on('error', () => {});
    idle.push(socket);
    if (i % 250 === 249) await new Promise((resolve) => setImmediate(resolve));
  }
  for (let i = 0; i < 20; ++i) await othersAreServed();
  const more = memoryKb() - before;
  idle.forEach((socket) => socket.destroy());
  assert.ok(more < kMostMoreKb, `${more} KB more`);
});

test('ten thousand wrong keys are refused, and who has a right one is served', async () => {
  const statuses = new Map();
  const one = async () => {
    const answer = await fetch(new URL('/v1/whoami', falconer.url), { headers: { Authorization: 'Bearer fk_wrong' } });
    await answer.arrayBuffer();
    statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
  };
  const before = memoryKb();
  for (let i = 0; i < 200; ++i) {
    await Promise.all(Array.from({ length: 50 }, one));
    if (i % 50 === 0) await othersAreServed();
  }
  assert.deepEqual([...statuses.keys()].sort(), [401, 429]);
  assert.ok(statuses.get(401) <= 20 * 3, 'after twenty in a minute they are told to wait');
  const more = memoryKb() - before;
  assert.ok(more < kMostMoreKb, `${more} KB more`);
});
