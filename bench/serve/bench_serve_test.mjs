// The parts of the benchmark that need neither server nor browser: what is counted, what is believed, what is reported.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Figures } from '../common/figures.mjs';
import { isMet } from '../common/report.mjs';
import { partsOf } from '../common/collector.mjs';
import { judgeControl, kTurnSignals } from './control_events.mjs';
import { shareOut } from './crowd.mjs';
import { EventLog } from './event_log.mjs';
import { messageIn } from '../common/http_mcp_client.mjs';
import { cornerOf } from './jpeg_corner.mjs';
import { takeResponse } from '../common/keep_alive.mjs';
import { makeRows } from './rows.mjs';
import { readSettings } from './settings.mjs';
import { Site } from './site.mjs';
import { clientFrame, readPicture, takeFrame } from './stream_viewer.mjs';
import { wallNow } from './wall_clock.mjs';

const chunk = text => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;

test('an event came when the last of its bytes did', () => {
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
  const first = chunk('retry: 1\nevent: stream\ndata: {"stream":"s1"}\n\n');
  const second = chunk('id: 7\nevent: commit\ndata: {"lane":"control","note":"ü"}\n\n');
  const bytes = Buffer.from(head + first + chunk(': still there\n\n') + second + second.slice(0, 20));
  const cut = head.length + first.length + 25;
  const log = new EventLog();

  assert.equal(log.hasBegun, false);
  log.add(bytes.subarray(0, cut), 10);
  log.add(bytes.subarray(cut), 20);

  assert.equal(log.status, 200);
  assert.equal(log.hasBegun, true);
  assert.deepEqual(log.events(), [
    { id: undefined, name: 'stream', data: { stream: 's1' }, at: 10 },
    { id: '7', name: 'commit', data: { lane: 'control', note: 'ü' }, at: 20 },
  ]);
});

const signals = (ids, at = 5) => ids.map(id => ({ id, name: kTurnSignals[(id - 1) % 4], happened: 3, at }));

test('a signal that one subscriber did not get is lost, whoever else has it', () => {
  const judged = judgeControl([signals([1, 2, 3, 4]), signals([1, 2, 4], 9)], 1);

  assert.equal(judged.lost, 1);
  assert.equal(judged.delivered, 7);
  assert.deepEqual([...new Set(judged.delays)], [2, 6]);
});

test('signals that nobody got are lost too, and notices and ends are counted', () => {
  const events = [...signals([1, 2, 3]), { name: 'drop_notice', amount: 12 }, { name: 'end' }];

  const judged = judgeControl([events, events], 1);

  assert.equal(judged.lost, 2);
  assert.equal(judged.eventsDropped, 24);
  assert.equal(judged.cutOff, 2);
});

test('the parts of a turn are told apart by their spans', () => {
  const span = (name, from, to) => ({ name, startTimeUnixNano: `${from}000000`, endTimeUnixNano: `${to}500000` });
  const spans = [span('turn', 10, 30), span('admission', 10, 11), span('browser.session', 11, 12),
    span('attempt', 12, 20), span('browser.execute', 12, 15), span('browser.verify', 15, 20),
    span('ledger.seal', 21, 24)];

  assert.deepEqual(partsOf(spans), { turn: 20.5, driver: 9, admission: 1.5, seal: 3.5 });
});

test('responses are taken whole, with a length or in chunks', () => {
  const plain = 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\none';
  const chunked = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunk('o')}${chunk('ne')}0\r\n\r\n`;
  for (const text of [plain, chunked]) {
    for (let size = 0; size < text.length; ++size) {
      assert.equal(takeResponse(Buffer.from(text.slice(0, size))), undefined);
    }
    const { status, body, rest } = takeResponse(Buffer.from(`${text}HTTP`));
    assert.deepEqual({ status, body, rest: rest.toString() }, { status: 200, body: 'one', rest: 'HTTP' });
  }
});

test('an answer is a message, or the last of a stream', () => {
  assert.equal(messageIn('{"id":1}', 'application/json'), '{"id":1}');
  assert.equal(messageIn('data: \n\ndata: {"id":2}\n\ndata: {"id":3}\n\n', 'text/event-stream'), '{"id":3}');
  assert.throws(() => messageIn(': nothing\n\n', 'text/event-stream'), /without it/);
});

test('frames of a WebSocket are taken whole, whatever their length', () => {
  const heads = [[3, [0x82, 3]], [300, [0x82, 126, 1, 44]], [70_000, [0x82, 127, 0, 0, 0, 0, 0, 1, 17, 112]]];
  for (const [size, head] of heads) {
    const bytes = Buffer.concat([Buffer.from(head), Buffer.alloc(size, 7), Buffer.from([1])]);
    const frame = takeFrame(bytes);
    assert.deepEqual([frame.opcode, frame.data.length, frame.size], [2, size, head.length + size]);
    assert.equal(takeFrame(bytes.subarray(0, frame.size - 1)), undefined);
  }
  assert.deepEqual([...clientFrame(1, Buffer.from('hi'))], [0x81, 0x82, 0, 0, 0, 0, 104, 105]);
});

test('a picture has its number and its time in its header', () => {
  const data = Buffer.alloc(26);
  data.writeUInt16BE(24, 2);
  data.writeBigUInt64BE(9n, 4);
  data.writeBigUInt64BE(1_700_000_000_123n, 12);
  data.writeUInt16BE(0xffd8, 24);

  const { seq, taken, jpeg } = readPicture(data);

  assert.deepEqual([seq, taken, jpeg.toString('hex')], [9, 1_700_000_000_123, 'ffd8']);
});

// 16 by 16 pixels of one colour, as a browser makes them with quality 25: all but the data, and the data.
const kJpegHead = Buffer.from(
    '/9j/4AAQSkZJRgABAQAAAQABAAD/4gHYSUNDX1BST0ZJTEUAAQEAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABhY3NwAAAAAA' +
    'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA' +
    'AAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAABUAAAABRyVFJDAAABZAAAAChnVFJDAA' +
    'ABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAAAAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1' +
    'AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9YWVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAP' +
    'KnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAMZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADb/' +
    '2wBDACAWGBwYFCAcGhwkIiAmMFA0MCwsMGJGSjpQdGZ6eHJmcG6AkLicgIiuim5woNqirr7EztDOfJri8uDI8LjKzsb/2wBDASIkJDAqMF40NF' +
    '7GhHCExsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsbGxsb/wAARCAAQABADASIAAhEBAxEB/8QA', 'base64');
const kJpegData = [
  [0, '1500010100000000000000000000000000000006ffc40014100100000000000000000000000000000000ffc4001401010000' +
    '0000000000000000000000000000ffc40014110100000000000000000000000000000000ffda000c03010002110311003f00' +
    '9f001fffd9'],
  [128, '14000100000000000000000000000000000000ffc40014100100000000000000000000000000000000ffc400140101000000' +
    '00000000000000000000000000ffc40014110100000000000000000000000000000000ffda000c03010002110311003f0000' +
    '0fffd9'],
  [255, '1500010100000000000000000000000000000006ffc40014100100000000000000000000000000000000ffc4001401010000' +
    '0000000000000000000000000000ffc40014110100000000000000000000000000000000ffda000c03010002110311003f00' +
    'a0001fffd9'],
];

test('the corner of a JPEG is as bright as the page', () => {
  for (const [light, data] of kJpegData) {
    assert.equal(Math.round(cornerOf(Buffer.concat([kJpegHead, Buffer.from(data, 'hex')]))), light);
  }
  assert.throws(() => cornerOf(Buffer.from('not a picture')), /no JPEG/);
});

test('a crowd is shared out to threads', () => {
  assert.deepEqual(shareOut({ subscribers: 150, viewers: 5, slowViewers: 1 }), [
    { subscribers: 100, viewers: 0, slowViewers: 0 },
    { subscribers: 50, viewers: 0, slowViewers: 0 },
    { subscribers: 0, viewers: 5, slowViewers: 1 },
  ]);
  assert.equal(shareOut({ subscribers: 1 }).length, 1);
});

test('what a crowd costs is held against one listener, and what was not measured meets no aim', () => {
  const figures = new Figures();
  figures.addAll('crowd', 'control_delay_ms', [1, 2, 30]);
  figures.addAll('one listener', 'control_delay_ms', [1, 1, 1]);

  const rows = makeRows(figures, { parts: ['crowd'] });

  const delay = rows.find(({ name }) => name === 'control_delay_p99');
  assert.deepEqual(delay.baseline, { name: 'one listener', value: 1 });
  assert.equal(isMet(delay), false);
  assert.equal(isMet(rows.find(({ name }) => name === 'control_events_lost')), false);
  assert.equal(rows.find(({ name }) => name === 'idle_memory'), undefined);
});

test('settings that are unknown are refused by name', () => {
  const base = ['--falconer', '/bin/true'];
  assert.throws(() => readSettings([...base, '--only', 'call,tea'], {}), /--only: there is no part "tea"/);
  assert.deepEqual(readSettings([...base, '--only', 'crowd'], {}).parts, ['crowd']);
});

test('every page tells how often it was clicked', async () => {
  const site = await Site.start();
  const { run, url } = site.open('show');
  assert.match(await (await fetch(url)).text(), /Add one/);
  await fetch(`${site.origin}/tally?run=${run}&clicks=3`, { method: 'POST' });

  assert.equal(await site.tally(run), 3);
  assert.equal((await fetch(`${site.origin}/nothing`)).status, 404);
  await site.stop();
});

test('the time of day has fractions', () => {
  assert.ok(Math.abs(wallNow() - Date.now()) < 50);
  assert.ok(!Number.isInteger(wallNow()));
});
