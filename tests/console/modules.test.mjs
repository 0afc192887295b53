// The modules of the console that need no browser.
import assert from 'node:assert/strict';
import test from 'node:test';
import { load } from '../../tools/build_console.mjs';

const {
  actionOf, agoText, Api, ApiError, bytesText, countdownText, diffForm, durationText, EventReader, explainError, findActions, firstCentre, followJob, graphOf, keyInHash, Live, LiveFeed, pageAfter, parseFrame, parsePlace,
  phasesOf, pictureOf, placeText, plainText, turnsOf,
} = await load('api', 'event_reader', 'form_diff', 'format', 'frames', 'job_feed', 'last_page', 'live', 'live_feed', 'route', 'transition_graph', 'turns');

function frame({ version = 1, type = 1, header = 24, extra = 0, picture = [1, 2, 3] } = {}) {
  const bytes = new Uint8Array(24 + extra + picture.length);
  const view = new DataView(bytes.buffer);
  view.setUint8(0, version);
  view.setUint8(1, type);
  view.setUint16(2, header);
  view.setBigUint64(4, 7n);
  view.setBigUint64(12, 1794824773927n);
  view.setUint16(20, 1440);
  view.setUint16(22, 900);
  bytes.set(picture, 24 + extra);
  return bytes.buffer;
}

test('a frame is read', () => {
  const read = parseFrame(frame());
  assert.equal(read.sequence, 7n);
  assert.equal(read.timeMs, 1794824773927);
  assert.deepEqual([read.width, read.height], [1440, 900]);
  assert.deepEqual([...read.picture], [1, 2, 3]);
});

test('a longer header is skipped over', () => {
  assert.deepEqual([...parseFrame(frame({ header: 32, extra: 8 })).picture], [1, 2, 3]);
});

test('a frame of another type is no picture', () => {
  assert.equal(parseFrame(frame({ type: 9 })), null);
});

test('what is no frame is refused with what is wrong', () => {
  assert.throws(() => parseFrame(new ArrayBuffer(2)), /too short/);
  assert.throws(() => parseFrame(frame({ version: 2 })), /version 2/);
  assert.throws(() => parseFrame(frame({ header: 4 })), /header of 4/);
  assert.throws(() => parseFrame(frame({ header: 9999 })), /header of 9999/);
});

test('events are read, however they are cut into pieces', () => {
  const text = ': hello\nid: 4\nevent: turn\ndata: {"a":\ndata: 1}\n\nid: 5\r\ndata:x\r\n\r\nevent: empty\n\nretry: 2500\n';
  for (let size = 1; size <= text.length; size += 1) {
    const reader = new EventReader();
    const read = [];
    for (let at = 0; at < text.length; at += size) read.push(...reader.push(text.slice(at, at + size)));
    assert.deepEqual(read, [{ id: '4', name: 'turn', data: '{"a":\n1}' }, { id: '5', name: 'message', data: 'x' }], `pieces of ${size}`);
    assert.equal(reader.lastId, '5');
    assert.equal(reader.retryMs, 2500);
  }
});

test('half an event of a broken connection is forgotten, its id is not', () => {
  const reader = new EventReader();
  reader.push('id: 9\ndata: whole\n\nevent: turn\ndata: ha');
  reader.reset();
  assert.deepEqual(reader.push('data: new\n\n'), [{ id: '9', name: 'message', data: 'new' }]);
});

test('numbers are written for people', () => {
  assert.deepEqual([0, 1023, 1536, 5 * 1024 ** 3].map(bytesText), ['0 B', '1023 B', '1.5 KiB', '5.0 GiB']);
  assert.deepEqual([12, 9400, 52000, 3161104, 185e6, 7620e6].map(durationText),
    ['12 µs', '9.4 ms', '52 ms', '3.2 s', '3 min 05 s', '2 h 07 min']);
  assert.deepEqual([-5, 59_001, 3_729_000].map(countdownText), ['0:00', '1:00', '1:02:09']);
  assert.deepEqual([0, 30e3, 600e3, 7200e3, 3 * 86400e3].map((past) => agoText(1e9 - past, 1e9)),
    ['just now', '30 s ago', '10 min ago', '2 h ago', '3 d ago']);
});

test('text from outside cannot hide anything', () => {
  assert.equal(plainText('pay\u202e001\u200b\u0007'), 'pay\\u{202e}001\\u{200b}\\u{7}');
  assert.equal(plainText('Größe\n\tÄ 漢字 😀'), 'Größe\n\tÄ 漢字 😀');
});

const opened = (seq, turn, action) => ({
  seq, kind: 'turn_opened', time_ms: 1000 + seq, hash: '', previous: '',
  payload: { turn_id: turn, workflow: 'shop', action_id: 'act_1', agent: 'local', contract: { action_spec: action }, decisions: [{ gate: 'pause', outcome_kind: 'admit', reason: 'not_paused', wall_clock_timestamp_ms: 999 + seq }] },
});
const closed = (seq, turn, success, code) => ({
  seq, kind: 'turn_closed', time_ms: 1000 + seq, hash: '', previous: '',
  payload: { turn_id: turn, workflow: 'shop', success, ...(code ? { failure_code: code } : {}), result: { outcome: { action_type: 'click' }, timings_us: { verify: 3, bind: 1, execute: 2 } } },
});

test('turns are put together from their records, in whatever order they come', () => {
  const refusal = { seq: 5, kind: 'refusal', time_ms: 1005, hash: '', previous: '', payload: { workflow: 'shop', failure_code: 'QUEUE_FULL', contract: {}, decisions: [] } };
  const records = [closed(4, 't1', false, 'TIMEOUT'), refusal, opened(1, 't1', { action_type: 'navigate', url: 'https://a.example/' }), opened(6, 't2', { action_type: 'click', selector: '#buy' })];
  const read = turnsOf(records);
  assert.deepEqual(read.map((turn) => [turn.actionType, turn.target, turn.status, turn.failureCode]), [
    ['navigate', 'https://a.example/', 'failed', 'TIMEOUT'],
    ['wait_only', '', 'refused', 'QUEUE_FULL'],
    ['click', '#buy', 'running', ''],
  ]);
  assert.deepEqual(read[0].records, [1, 4]);
  assert.equal(read[0].startedMs, 1000, 'it began when the first gate was asked');
});

test('a turn that waits for people says so until they have decided', () => {
  const approval = (seq, event) => ({ seq, kind: 'approval', time_ms: 1000 + seq, hash: '', previous: '', payload: { turn_id: 't1', event } });
  const [held] = turnsOf([opened(1, 't1', { action_type: 'click' }), approval(2, 'asked')]);
  const [going] = turnsOf([opened(1, 't1', { action_type: 'click' }), approval(2, 'asked'), approval(3, 'decided'), approval(4, 'ended')]);
  assert.deepEqual([held.status, going.status], ['held', 'running']);
});

test('a turn whose beginning is on another page is told all the same', () => {
  const [turn] = turnsOf([closed(4, 't1', true)]);
  assert.deepEqual([turn.actionType, turn.status], ['click', 'ok']);
  assert.deepEqual(phasesOf(turn.result).map((phase) => phase.name), ['bind', 'execute', 'verify']);
});

const page = {
  state_id: 's', url: 'https://shop.example/', forms: [{ ref: 'f1' }, { ref: 'f2' }],
  elements: [
    { ref: 'e0', role: 'searchbox', name: 'Search', form: 'f2', value_hint: 'Ann' },
    { ref: 'e1', role: 'textbox', name: 'Name', form: 'f1', value_hint: 'Ann' },
    { ref: 'e2', role: 'textbox', name: 'Card number', form: 'f1', secret: true, filled: true },
    { ref: 'e3', role: 'textbox', name: 'Amount in total', form: 'f1', value_hint: '49.90 EUR' },
    { ref: 'e4', role: 'textbox', name: 'Note', form: 'f1', value_hint: 'ring twice' },
    { ref: 'e5', role: 'button', name: 'Buy', form: 'f1', tag: 'button' },
  ],
};

test('what is sent is held against what the form shows', () => {
  const rows = diffForm([
    { name: 'name', value: 'Ann' }, { name: 'card_number', value: '****-****-****-1111' }, { name: 'total', value: '49.90 EUR' }, { name: 'gift', value: '500 EUR' },
  ], page);
  assert.deepEqual(rows.map((row) => [row.kind, row.field, row.shown]), [
    ['same', 'name', 'Ann'], ['masked', 'card_number', null], ['same', 'total', '49.90 EUR'], ['not_shown', 'gift', null], ['not_sent', '', 'ring twice'],
  ]);
});

test('a choice is known by its label, whatever it sends', () => {
  const page = { forms: [{ ref: 'f1' }], elements: [{ ref: 'e1', role: 'combobox', name: 'How to settle', value_hint: 'Invoice, 14 days', form: 'f1' }] };
  assert.deepEqual(diffForm([{ name: 'settle', value: 'invoice' }], page), [
    { kind: 'chosen', field: 'settle', sent: 'invoice', label: 'How to settle', shown: 'Invoice, 14 days' },
  ]);
});

test('another value than the one shown stands out', () => {
  const rows = diffForm([{ name: 'name', value: 'Eve' }, { name: 'total', value: '49.90 EUR' }], page);
  assert.deepEqual([rows[0].kind, rows[0].sent, rows[0].shown], ['differs', 'Eve', 'Ann']);
});

test('a page without such a form is held against nothing', () => {
  assert.equal(diffForm([{ name: 'x', value: 'y' }], page), null);
  assert.equal(diffForm([{ name: 'x', value: 'y' }], { state_id: 's', url: '' }), null);
});

test('what a page showed last is put together from the record', () => {
  const closed = (seq, delta) => ({ seq, kind: 'turn_closed', time_ms: 0, hash: '', previous: '', payload: { result: { state_delta: delta } } });
  const records = [
    closed(3, { ops: { elements: [{ op: 'remove', key: 'e1' }, { op: 'update', key: 'e2', fields: { value_hint: 'new' } }, { op: 'add', index: 0, item: { ref: 'e3' } }] } }),
    closed(1, { full: { state_id: 'old', url: 'a', elements: [{ ref: 'x' }] } }),
    closed(2, { full: { state_id: 's', url: 'b', elements: [{ ref: 'e1' }, { ref: 'e2', name: 'Two', value_hint: 'old' }] } }),
    closed(4, { ops: {} }),
  ];
  assert.deepEqual(pageAfter(records), { state_id: 's', url: 'b', elements: [{ ref: 'e3' }, { ref: 'e2', name: 'Two', value_hint: 'new' }] });
  assert.equal(pageAfter([closed(1, { ops: {} })]), null, 'changes to a page that nobody knows tell nothing');
});

test('places survive being written and read', () => {
  for (const [name, id, query] of [['overview', '', {}], ['sessions', 'a/b c#ä?', {}], ['ledger', '', { kind: 'refusal', workflow: 'x&y' }]]) {
    assert.deepEqual(parsePlace(placeText(name, id, query)), { page: name, id, query });
  }
  assert.equal(parsePlace('').page, 'overview');
  assert.equal(parsePlace('#/sessions/%zz').id, '%zz');
});

test('a key in the address is recognised, other places are not', () => {
  assert.equal(keyInHash('#key=fk_abc'), 'fk_abc');
  assert.equal(keyInHash('#/overview'), null);
  assert.equal(keyInHash('#key='), null);
});

const answer = (body, status = 200) => new Response(JSON.stringify(body), { status });

test('every request carries the key, and nothing else of the browser', async () => {
  const asked = [];
  const api = new Api('fk_1', async (path, init) => (asked.push({ path, init }), answer({ sessions: [] })));
  await api.sessions();
  assert.equal(asked[0].path, '/v1/sessions');
  assert.equal(asked[0].init.headers.Authorization, 'Bearer fk_1');
  assert.equal(asked[0].init.credentials, 'omit');
});

test('a problem document is told in its own words', async () => {
  const api = new Api('k', async () => answer({ code: 'POLICY_DENIED', detail: 'whoever asked cannot approve', denial_id: 'd1', retry_after_ms: 1500 }, 403));
  const error = await api.decide('apr_1', { approved: true, approver: 'ann', reason: '' }).catch((e) => e);
  assert.deepEqual([error.status, error.code, error.denialId, error.retryAfterMs], [403, 'POLICY_DENIED', 'd1', 1500]);
  assert.match(explainError(error), /whoever asked cannot approve/);
});

test('what is no problem document, and no answer at all, is told too', async () => {
  const odd = await new Api('k', async () => new Response('<h1>bad gateway', { status: 502 })).sessions().catch((e) => e);
  assert.match(explainError(odd), /502/);
  const none = await new Api('k', async () => { throw new TypeError('network'); }).sessions().catch((e) => e);
  assert.equal(explainError(none), 'The server cannot be reached.');
});

test('a route that is not there is told from a thing that is not there', async () => {
  const absent = await new Api('k', async () => answer({ detail: 'there is nothing at /v1/quotas' }, 404)).quotas().catch((e) => e);
  assert.equal(absent.isAbsent, true);
  const missing = await new Api('k', async () => answer({ detail: 'there is no session x' }, 404)).state('x', 'page').catch((e) => e);
  assert.equal(missing.isAbsent, false);
});

test('what the document of routes does not have is not asked for', async () => {
  const asked = [];
  const api = new Api('k', async (path) => {
    asked.push(path);
    return answer(path === '/openapi.json' ? { paths: { '/openapi.json': { get: {} }, '/v1/sessions': { get: {} }, '/v1/sessions/{session}/state': { get: {} } } } : { sessions: [] });
  });
  await api.learn();
  await api.sessions();
  await api.state('a b', 'page');
  const error = await api.quotas().catch((e) => e);
  assert.equal(error.isAbsent, true);
  assert.equal(await api.openStream('a'), 'Streaming is off at this server.');
  assert.deepEqual(asked, ['/openapi.json', '/v1/sessions', '/v1/sessions/a%20b/state?scope=page']);
});

test('what the key may not do is not tried', async () => {
  const asked = [];
  const api = new Api('k', async (path) => {
    asked.push(path);
    if (path === '/v1/whoami') return answer({ role: 'approver' });
    return answer({ paths: { '/openapi.json': { get: {} }, '/v1/whoami': { get: {} }, '/v1/sessions': { get: { 'x-falconer-roles': ['viewer', 'operator'] } } } });
  });
  await api.learn();
  assert.equal(await api.whoami(), 'approver');
  const error = await api.sessions().catch((e) => e);
  assert.equal(error.isForbidden, true);
  assert.match(error.message, /role approver/);
  assert.deepEqual(asked, ['/openapi.json', '/v1/whoami']);
});

// A chain of records of which every third matches.
function chainApi(last, asked = []) {
  return new Api('k', async (path) => {
    asked.push(path);
    const query = new URL(path, 'http://x').searchParams;
    const [cursor, limit] = [Number(query.get('cursor')), Number(query.get('limit'))];
    const all = Array.from({ length: last }, (_, i) => ({ seq: i + 1, kind: i % 3 === 0 ? 'refusal' : 'view', payload: {} }));
    const matching = all.filter((one) => one.seq >= cursor && (!query.get('kind') || one.kind === query.get('kind')));
    return answer({ records: matching.slice(0, limit), next: null, last_seq: last });
  });
}

test('the newest records are found from the end', async () => {
  const found = await chainApi(2000).newestRecords({ kind: 'refusal' }, 0, 5);
  assert.deepEqual(found.records.map((one) => one.seq), [1999, 1996, 1993, 1990, 1987]);
  const older = await chainApi(2000).newestRecords({ kind: 'refusal' }, found.from, 2);
  assert.deepEqual(older.records.map((one) => one.seq), [1984, 1981]);
  const few = await chainApi(1200).newestRecords({ kind: 'none' }, 0, 5);
  assert.deepEqual(few, { records: [], from: 1 }, 'everything was looked at');
  assert.deepEqual(await chainApi(0).newestRecords({}, 0, 5), { records: [], from: 1 });
});

test('a search in a long chain ends, and says how far it came', async () => {
  const asked = [];
  const found = await chainApi(30_000, asked).newestRecords({ kind: 'none' }, 0, 5);
  assert.equal(found.from, 30_001 - (50 + 100 + 200 + 400 + 16 * 500));
  assert.equal(asked.length, 21);
});

// A server that sends each text as one connection, then has no more.
function eventApi(texts, seen) {
  return {
    events: async (lastId) => {
      seen.push(lastId);
      const text = texts.shift();
      if (text === undefined) throw new ApiError(404, 'NOT_FOUND', 'there is nothing at /v1/events');
      return new Response(text);
    },
  };
}
const untilAbsent = (live) => new Promise((resolve) => live.onStatus(() => live.status === 'absent' && resolve()));

test('news go on behind the last event after a broken connection', async () => {
  const seen = [];
  const told = [];
  const live = new Live(eventApi(['retry: 1\n\nid: 3\nevent: approval\ndata: {"id":"a"}\n\nid: 4\nevent: tu', 'id: 5\nevent: turn\ndata: {"n":1}\n\n'], seen), () => {}, 1);
  live.onNews((news) => told.push(news));
  const ended = untilAbsent(live);
  live.start();
  await ended;
  assert.deepEqual(told, [{ name: 'approval', data: { id: 'a' } }, { name: 'turn', data: { n: 1 } }]);
  assert.deepEqual(seen, ['', '3', '5']);
  live.stop();
});

test('without ids everything is looked at again after a broken connection', async () => {
  const told = [];
  const live = new Live(eventApi(['data: {}\n\n', ''], []), () => {}, 1);
  live.onNews((news) => told.push(news.name));
  const ended = untilAbsent(live);
  live.start();
  await ended;
  assert.deepEqual(told, ['message', 'resync']);
  live.stop();
});

test('a key that is taken back ends the news and signs out', async () => {
  const out = await new Promise((resolve) => {
    const api = { events: async () => { throw new ApiError(401, 'UNAUTHORIZED', 'no'); } };
    new Live(api, () => resolve('signed out')).start();
  });
  assert.equal(out, 'signed out');
});

// A feed over a socket that the test plays, and what it says and shows.
async function playedFeed() {
  const socket = { sent: [], readyState: 1, send: (text) => socket.sent.push(JSON.parse(text)), close: () => socket.onclose?.({ code: 1005 }) };
  const told = { said: [], shown: 0, done: [], opened: 0 };
  const api = { openStream: async () => (told.opened += 1, socket) };
  const feed = new LiveFeed(api, 'shop', { say: (text) => told.said.push(text), show: async () => void (told.shown += 1), done: (why) => told.done.push(why) });
  feed.start();
  await new Promise(setImmediate);
  socket.onopen();
  return { feed, socket, told };
}

test('a live view shows pictures and says what the server says between them', async () => {
  const { feed, socket, told } = await playedFeed();
  socket.onmessage({ data: frame() });
  await new Promise(setImmediate);
  assert.equal(told.shown, 1);
  socket.onmessage({ data: JSON.stringify({ type: 'status', state: 'hidden', reason: 'DIALOG_OPEN' }) });
  assert.equal(told.said.at(-1), 'The page cannot be shown now. (dialog open)');
  feed.stop();
});

test('a click in the picture goes to the same place of the page', async () => {
  globalThis.WebSocket ??= { OPEN: 1 };
  const { feed, socket, told } = await playedFeed();
  feed.click(0.5, 0.5);
  assert.deepEqual(told.done, ['The size of the page is not known yet.']);
  socket.onmessage({ data: JSON.stringify({ type: 'status', state: 'live', view: { width: 1440, height: 900 } }) });
  feed.click(0.5, 0.25);
  assert.deepEqual(socket.sent, [{ type: 'input', action_spec: { action_type: 'click', x: 720, y: 225 } }]);
  socket.onmessage({ data: JSON.stringify({ type: 'error', code: 'FORBIDDEN', message: 'take the session over first' }) });
  assert.equal(told.done.at(-1), 'take the session over first');
  feed.stop();
});

test('a live view that broke off is opened again; one that nobody looks at any more is not', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { feed, socket, told } = await playedFeed();
  socket.onclose({ code: 1001 });
  t.mock.timers.tick(5000);
  await new Promise(setImmediate);
  assert.equal(told.opened, 2);
  socket.onopen();
  feed.stop();
  t.mock.timers.tick(60_000);
  await new Promise(setImmediate);
  assert.equal(told.opened, 2);
});

const kZero = '0'.repeat(16);
const transition = (from, to, count, probability) => ({
  from: from && JSON.stringify({ selector: `link "${from}"`, type: 'click' }), to: to && JSON.stringify({ selector: `link "${to}"`, type: 'click' }),
  from_symbol: from || kZero, to_symbol: to || kZero, count, probability,
});

test('a signature is read as what is done', () => {
  assert.deepEqual(actionOf('1', '{"selector":"button \\"Save\\"","type":"click"}'), { id: '1', verb: 'click', what: 'button "Save"' });
  assert.deepEqual(actionOf('1', '{"type":"navigate","url":"https://a.test/"}').what, 'https://a.test/');
  assert.equal(actionOf('abcdef0123456789', '').what, 'forgotten abcdef01');
  assert.equal(actionOf('1', 'no json').what, 'no json');
});

test('where sequences begin and where they end are two places', () => {
  const graph = graphOf([transition('', 'a', 3, 1), transition('a', '', 3, 1)]);
  assert.deepEqual([...graph.actions.keys()].sort(), ['a', 'begin', 'end']);
  assert.equal(firstCentre(graph), 'begin');
  const picture = pictureOf(graph, 'a', { depth: 1, most: 5 });
  assert.deepEqual(picture.places.map(({ action, column }) => [action.id, column]), [['a', 0], ['end', 1], ['begin', -1]]);
  assert.deepEqual([picture.before, picture.after, picture.rows], [1, 1, 1]);
});

test('only the strongest are followed, so far as is wanted', () => {
  const many = Array.from({ length: 50 }, (_, at) => transition('a', `b${at}`, 50 - at, 0.02));
  const graph = graphOf([...many, transition('b0', 'c', 1, 1), transition('c', 'a', 1, 1)]);
  const near = pictureOf(graph, 'a', { depth: 1, most: 3 });
  assert.deepEqual(near.places.filter(({ column }) => column === 1).map(({ action }) => action.id), ['b0', 'b1', 'b2']);
  assert.equal(near.hidden, 47);
  const far = pictureOf(graph, 'a', { depth: 2, most: 3 });
  assert.ok(far.places.some(({ action, column }) => action.id === 'c' && column === -1), 'nearest where it comes before');
  assert.deepEqual(pictureOf(graph, 'unknown', { depth: 2, most: 3 }).places, []);
});

test('a loop is one place with an edge to itself', () => {
  const graph = graphOf([transition('a', 'a', 4, 0.8), transition('a', 'b', 1, 0.2)]);
  const { places, edges } = pictureOf(graph, 'a', { depth: 3, most: 5 });
  assert.equal(places.length, 2);
  assert.deepEqual(edges.map(({ from, to, share }) => [from, to, share]), [['a', 'a', 0.8], ['a', 'b', 0.2]]);
});

test('a share that is not told is that of what was told', () => {
  const graph = graphOf([transition('a', 'b', 3), transition('a', 'c', 1)]);
  assert.deepEqual(graph.after.get('a').map(({ share }) => share), [0.75, 0.25]);
});

test('actions are found by their words, the busiest first', () => {
  const graph = graphOf([transition('x', 'Green tea', 1, 1), transition('x', 'green coffee', 9, 1), transition('x', 'cup', 99, 1)]);
  assert.deepEqual(findActions(graph, ' GREEN', 5).map(({ id }) => id), ['green coffee', 'Green tea']);
  assert.equal(findActions(graph, '', 2).length, 2);
});

// A server that tells of a job in pieces, each a connection of its own.
function jobServer(pieces, status) {
  const asked = [];
  const fetcher = async (path, init) => {
    asked.push([path, init.headers['Last-Event-ID'] ?? '']);
    if (path.endsWith('/events')) return new Response(pieces.shift() ?? '');
    return Response.json({ job: 'j', status: pieces.length > 0 ? 'running' : status, result: { outcome: 'completed' } });
  };
  return { api: new Api('k', fetcher), asked };
}

test('a job is followed over broken connections until it is over', async () => {
  const server = jobServer(['id: 1\nevent: news\ndata: {"step":"a"}\n\n', 'id: 2\nevent: news\ndata: {"step":"b"}\n\n'], 'ended');
  const told = [];
  const job = await followJob(server.api, 'j', (news) => told.push(news.step), new AbortController().signal, 1);
  assert.deepEqual(told, ['a', 'b']);
  assert.equal(job.result.outcome, 'completed');
  assert.deepEqual(server.asked.filter(([path]) => path.endsWith('/events')).map(([, id]) => id), ['', '1']);
});

test('a job that nobody tells of any more is given up', async () => {
  const api = new Api('k', async () => { throw new TypeError('gone'); });
  await assert.rejects(followJob(api, 'j', () => {}, new AbortController().signal, 1), /cannot be reached/);
});
