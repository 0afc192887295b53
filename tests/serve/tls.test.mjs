// The server under TLS, as programs of others see it.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder, program, startServer, startSite } from '../mcp/harness.mjs';
import { makeCertificates } from './certificates.mjs';

let site;
let home;
let files;
let falconer;
let agent;

before(async () => {
  site = await startSite();
  home = newFolder();
  files = makeCertificates(home.folder);
  falconer = await startServer(home.folder, `serve.tls_cert=${files.cert}`, `serve.tls_key=${files.key}`, 'stream.enabled=true');
  agent = new https.Agent({ ca: files.trusted, keepAlive: true, maxSockets: 1 });
});
after(async () => {
  agent.destroy();
  site.stop();
  assert.equal(await falconer.stop(), 0);
  home.remove();
});

const bearer = (role) => ({ Authorization: `Bearer ${falconer.keys[role]}` });

// A request under way: its answer, or its upgrade.
function begin(method, path, { role = 'operator', headers = {}, body, ...more } = {}) {
  const options = { method, agent, headers: { ...bearer(role), ...headers }, ...more };
  const request = https.request(new URL(path, falconer.url), options);
  request.end(body === undefined ? undefined : JSON.stringify(body));
  return new Promise((resolve, reject) => {
    request.on('error', reject);
    request.on('response', (answer) => resolve({ request, answer }));
    request.on('upgrade', (answer, socket, rest) => resolve({ request, answer, socket, rest }));
  });
}

async function ask(method, path, options) {
  const { request, answer } = await begin(method, path, options);
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  return { status: answer.statusCode, body: text, isReused: request.reusedSocket, socket: answer.socket };
}

test('the address that is printed is the one of https', () => {
  assert.match(falconer.url, /^https:\/\/127\.0\.0\.1:\d+$/);
});

test('a connection is kept, and of the newest kind', async () => {
  const protocols = new Set();
  for (let i = 0; i < 3; ++i) {
    const { request, answer } = await begin('GET', '/v1/whoami');
    protocols.add(answer.socket.getProtocol());
    assert.equal(answer.statusCode, 200);
    assert.equal(request.reusedSocket, i > 0);
    answer.resume();
    await new Promise((resolve) => answer.on('end', resolve));
  }
  assert.deepEqual([...protocols], ['TLSv1.3']);
});

test('HTTP/1.1 is agreed on', async () => {
  const { answer } = await begin('GET', '/health', { agent: new https.Agent({ ca: files.trusted, ALPNProtocols: ['h2', 'http/1.1'] }) });
  assert.equal(answer.socket.alpnProtocol, 'http/1.1');
  answer.destroy();
});

test('who does not trust the authority does not talk to it', async () => {
  await assert.rejects(begin('GET', '/health', { agent: new https.Agent() }), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' });
});

test('who speaks plain HTTP is told', async () => {
  const answer = await new Promise((resolve, reject) => {
    http.get(falconer.url.replace('https:', 'http:'), { agent: false }, resolve).on('error', reject);
  });
  let text = '';
  for await (const chunk of answer.setEncoding('utf8')) text += chunk;
  assert.equal(answer.statusCode, 400);
  assert.match(text, /use https:/);
});

test('a contract is carried out, and its events are streamed', async () => {
  const events = await begin('GET', '/v1/events', { role: 'viewer', agent: new https.Agent({ ca: files.trusted }) });
  assert.equal(events.answer.statusCode, 200);
  const done = await ask('POST', '/v1/actions', {
    body: { workflow_id: 'tls', action_spec: { action_type: 'navigate', url: site.url('/form.html') } },
  });
  assert.equal(JSON.parse(done.body).success, true, done.body);
  let text = '';
  for await (const chunk of events.answer.setEncoding('utf8')) {
    text += chunk;
    if (/event: turn_closed/.test(text)) break;
  }
  assert.match(text, /^event: stream/m);
});

// Whole messages of a server: it masks none of them.
async function* messages(socket, rest) {
  let bytes = rest;
  const whole = () => {
    if (bytes.length < 2) return undefined;
    const short = bytes[1] & 127;
    const at = short === 127 ? 10 : short === 126 ? 4 : 2;
    if (bytes.length < at) return undefined;
    const size = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
    if (bytes.length < at + size) return undefined;
    const message = { opcode: bytes[0] & 15, data: bytes.subarray(at, at + size) };
    bytes = bytes.subarray(at + size);
    return message;
  };
  for (let message = whole(); message; message = whole()) yield message;
  for await (const chunk of socket) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let message = whole(); message; message = whole()) yield message;
  }
}

test('a WebSocket shows the live picture', async () => {
  await ask('POST', '/v1/actions', {
    body: { workflow_id: 'live', action_spec: { action_type: 'navigate', url: site.url('/form.html') } },
  });
  const nonce = 'dGhlIHNhbXBsZSBub25jZQ==';
  const { answer, socket, rest } = await begin('GET', '/stream/live', {
    agent: new https.Agent({ ca: files.trusted }),
    headers: { Connection: 'Upgrade', Upgrade: 'websocket', 'Sec-WebSocket-Version': '13', 'Sec-WebSocket-Key': nonce },
  });
  assert.equal(answer.statusCode, 101);
  const expected = createHash('sha1').update(`${nonce}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  assert.equal(answer.headers['sec-websocket-accept'], expected);
  let hasMeta = false;
  for await (const { opcode, data } of messages(socket, rest)) {
    if (opcode === 1 && JSON.parse(data).type === 'meta') hasMeta = true;
    // A picture: its header, and the beginning of a JPEG.
    if (opcode === 2) {
      assert.equal(data.readUInt16BE(data.readUInt16BE(2)), 0xffd8);
      break;
    }
  }
  assert.ok(hasMeta);
  socket.destroy();
});

test('the official client of MCP calls a tool', async () => {
  const script = fileURLToPath(new URL('tls_mcp_client.mjs', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, falconer.url, falconer.keys.agent, site.url('/form.html')], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: files.ca },
  });
  const told = JSON.parse(stdout);
  assert.ok(told.tools > 0);
  assert.match(told.text, /Form with every control/);
});

// Starts one that is expected to say something at once: what it says, and its exit code if it ends.
async function start(settings, until) {
  const own = newFolder();
  const args = ['serve', ...[`data.dir=${own.folder}`, 'serve.port=0', ...settings].flatMap((one) => ['--set', one])];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  const ended = new Promise((resolve) => child.once('close', resolve));
  const said = new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        if (until?.test(text)) resolve();
      });
    }
  });
  await Promise.race([said, ended]);
  child.kill('SIGTERM');
  const code = await ended;
  own.remove();
  return { text, code };
}

test('files that are of no use end the start, by their names', async () => {
  const noise = join(home.folder, 'noise.pem');
  writeFileSync(noise, 'nothing');
  const cases = [
    [files.cert, files.otherKey, /ca\.key is not the key of .*cert\.pem/],
    [noise, files.key, /noise\.pem is no certificate/],
    [files.cert, noise, /noise\.pem is no private key/],
    [join(home.folder, 'none.pem'), files.key, /none\.pem/],
    [files.cert, '', /serve\.tls_key: is needed/],
    ['', files.key, /serve\.tls_cert: is needed/],
  ];
  for (const [cert, key, says] of cases) {
    const { text, code } = await start([`serve.tls_cert=${cert}`, `serve.tls_key=${key}`]);
    assert.match(text, says);
    assert.match(text, /INVALID_SETTING/);
    assert.equal(code, 2, text);
  }
});

test('an address that others reach without TLS is warned of', async () => {
  const plain = await start(['serve.address=0.0.0.0'], /listens on/);
  assert.match(plain.text, /warning: 0\.0\.0\.0 can be reached by other machines, and keys travel there in the clear/);
  const safe = await start(['serve.address=0.0.0.0', `serve.tls_cert=${files.cert}`, `serve.tls_key=${files.key}`], /listens on/);
  assert.match(safe.text, /listens on https:\/\/0\.0\.0\.0:/);
  assert.doesNotMatch(safe.text, /in the clear/);
});
