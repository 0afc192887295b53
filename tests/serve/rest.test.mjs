// The server over HTTP, as a program of somebody else would use it.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { startHouse } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';
import { openEvents } from './sse.mjs';

const { site, falconer } = await startHouse();

const ask = clientOf(() => falconer);
const bearer = (role) => ({ Authorization: `Bearer ${falconer.keys[role]}` });

const navigate = (workflow, path, more = {}) => ({
  workflow_id: workflow,
  action_spec: { action_type: 'navigate', url: site.url(path) },
  ...more,
});

// Waits until the job is over.
async function ended(job) {
  for (;;) {
    const { body } = await ask('GET', `/v1/jobs/${job}?wait_ms=10000`);
    if (!['queued', 'running'].includes(body.status)) return body;
  }
}

test('a contract can be followed as a job', async () => {
  const accepted = await ask('POST', '/v1/actions', {
    body: navigate('job', '/form.html'),
    headers: { Prefer: 'respond-async' },
  });
  assert.equal(accepted.status, 202);
  assert.equal(accepted.headers.get('location'), `/v1/jobs/${accepted.body.job}`);
  const job = await ended(accepted.body.job);
  assert.equal(job.status, 'ended');
  assert.equal(job.result.success, true);
  const listed = await ask('GET', '/v1/jobs', { role: 'viewer' });
  assert.ok(listed.body.jobs.some((one) => one.job === job.job && one.result === undefined));
  assert.equal((await ask('DELETE', `/v1/jobs/${job.job}`)).status, 204);
  assert.equal((await ask('GET', `/v1/jobs/${job.job}`)).status, 404);
});

test('a job that is cancelled ends, and says so', async () => {
  await ask('POST', '/v1/actions', { body: navigate('cancel', '/form.html') });
  const wait = {
    workflow_id: 'cancel',
    action_spec: { action_type: 'wait_only' },
    wait_conditions: [{ kind: 'selector', selector: '#never', state: 'visible' }],
    timeout: { wait_ms: 50000 },
  };
  const { body } = await ask('POST', '/v1/actions', { body: wait, headers: { Prefer: 'respond-async' } });
  assert.equal((await ask('DELETE', `/v1/jobs/${body.job}`, { role: 'agent' })).status, 204);
  const job = await ended(body.job);
  assert.equal(job.result.success, false);
  assert.equal(job.result.failure.code, 'CANCELLED');
});

test('a plan tells of its steps while it runs', async () => {
  const plan = {
    plan_id: 'two-pages',
    steps: [
      { step_id: 'a', contract: navigate('plan', '/form.html') },
      { step_id: 'b', depends_on: ['a'], contract: navigate('plan', '/colours.html') },
    ],
  };
  const accepted = await ask('POST', '/v1/plans', { body: plan, headers: { Prefer: 'respond-async' } });
  assert.equal(accepted.status, 202, JSON.stringify(accepted.body));
  const job = await ended(accepted.body.job);
  assert.deepEqual(
    job.news.map(({ event, step_id }) => `${event} ${step_id ?? ''}`.trim()).slice(0, 4),
    ['step_began a', 'step_ended a', 'step_began b', 'step_ended b'],
  );
});

test('the same idempotency key is answered with the same result, another one acts again', async () => {
  const send = (key, body = navigate('idem', '/form.html')) =>
    ask('POST', '/v1/actions', { body, headers: { 'Idempotency-Key': key } });
  const first = await send('"one"');
  const again = await send('one');
  const other = await send('two');
  assert.equal(again.body.action_id, first.body.action_id);
  assert.deepEqual(again.body, first.body);
  assert.notEqual(other.body.action_id, first.body.action_id);
  const both = await send('one', navigate('idem', '/form.html', { idempotency: { key: 'else' } }));
  assert.equal(both.status, 400);
  assert.match(both.body.detail, /Idempotency-Key/);
  assert.equal((await send('x'.repeat(256))).status, 400);
});

test('records can be listed, read and proven', async () => {
  await ask('POST', '/v1/actions', { body: navigate('audit', '/form.html') });
  const { body } = await ask('GET', '/v1/ledger/records?workflow=audit&kind=turn_closed&limit=1', { role: 'viewer' });
  assert.equal(body.records.length, 1);
  const [record] = body.records;
  assert.equal(record.payload.workflow, 'audit');
  const one = await ask('GET', `/v1/ledger/records/${record.seq}`, { role: 'viewer' });
  assert.equal(one.body.hash, record.hash);
  const proof = await ask('GET', `/v1/ledger/records/${record.seq}/proof`, { role: 'viewer' });
  assert.equal(proof.status, 200, JSON.stringify(proof.body));
  assert.equal(proof.body.record_hash, record.hash);
  const trace = await ask('GET', '/v1/traces/audit', { role: 'viewer' });
  assert.equal(trace.body.status, 'reproduced', JSON.stringify(trace.body));
  assert.equal((await ask('GET', '/v1/traces/nobody', { role: 'viewer' })).status, 404);
  assert.equal((await ask('GET', '/v1/ledger/records/999999', { role: 'viewer' })).status, 404);
  assert.equal((await ask('GET', '/v1/ledger/records/x', { role: 'viewer' })).status, 400);
  assert.equal((await ask('GET', '/v1/ledger/records?kind=nothing', { role: 'viewer' })).status, 400);
  assert.equal((await ask('GET', '/v1/ledger/records', { role: 'agent' })).status, 403);
});

test('events tell what is recorded, and go on where a client was', async () => {
  const events = await openEvents(new URL('/v1/events', falconer.url), bearer('viewer'));
  assert.equal((await events.next()).name, 'stream');
  await ask('POST', '/v1/actions', { body: navigate('events', '/form.html') });
  const opened = await events.until('turn_opened');
  assert.equal(opened.data.workflow, 'events');
  const closed = await events.until('turn_closed');
  assert.equal(closed.id, String(closed.data.seq));
  events.close();

  const resumed = await openEvents(new URL('/v1/events', falconer.url), { ...bearer('viewer'), 'Last-Event-ID': opened.id });
  await resumed.next();
  for (let seq = Number(opened.id) + 1; seq <= Number(closed.id); ++seq) assert.equal((await resumed.next()).id, String(seq));
  resumed.close();
  await assert.rejects(openEvents(new URL('/v1/events?after=99999999', falconer.url), bearer('viewer')), /400/);
});

test('a reader with credits is sent no more than it asked for', async () => {
  const { body } = await ask('GET', '/v1/ledger/records?limit=1');
  assert.ok(body.last_seq > 5);
  const events = await openEvents(new URL('/v1/events?after=0&credits=2', falconer.url), bearer('viewer'));
  const stream = await events.next();
  assert.equal(stream.data.credits, 2);
  assert.equal((await events.next()).id, '1');
  assert.equal((await events.next()).id, '2');
  const third = events.next();
  const early = await Promise.race([third, new Promise((resolve) => setTimeout(resolve, 300, 'nothing'))]);
  assert.equal(early, 'nothing');
  const grant = (count) => ask('POST', `/v1/streams/${stream.data.stream}/credits`, { role: 'viewer', body: { credits: count } });
  assert.equal((await grant(1)).status, 200);
  assert.equal((await third).id, '3');
  assert.equal((await grant(0)).status, 400);
  events.close();
  assert.equal((await ask('POST', '/v1/streams/none/credits', { body: { credits: 1 } })).status, 404);
});

test('a session tells what happens in it, in the lanes that are asked for', async () => {
  await ask('POST', '/v1/actions', { body: navigate('lanes', '/form.html') });
  const url = (query) => new URL(`/v1/sessions/lanes/events${query}`, falconer.url);
  const all = await openEvents(url(''), bearer('viewer'));
  const telemetry = await openEvents(url('?lanes=telemetry'), bearer('viewer'));
  await all.next();
  await telemetry.next();
  const other = telemetry.next().catch(() => 'nothing');
  await ask('POST', '/v1/actions', { body: navigate('lanes', '/colours.html') });
  const names = [];
  while (names.at(-1) !== 'close') {
    const event = await all.next();
    assert.equal(event.data.lane, 'control');
    names.push(event.name);
  }
  assert.deepEqual(names, ['turn_open_proposed', 'turn_open', 'commit', 'close']);
  all.close();
  telemetry.close();
  assert.equal(await other, 'nothing');
  assert.equal((await ask('GET', '/v1/sessions/nobody/events')).status, 404);
  assert.equal((await ask('GET', '/v1/sessions/lanes/events?lanes=fast')).status, 400);
});

test('files go up and down as they are', async () => {
  const bytes = new Uint8Array(700_000).map((_, i) => (i * 31) % 256);
  const given = await ask('POST', '/v1/workflows/files/artifacts?name=numbers.bin', { role: 'agent', body: bytes });
  assert.equal(given.status, 201, JSON.stringify(given.body));
  assert.equal(given.body.sha256, createHash('sha256').update(bytes).digest('hex'));
  const path = `/v1/workflows/files/artifacts/${given.body.artifact_id ?? given.body.id}`;
  const answer = await fetch(new URL(path, falconer.url), { headers: bearer('viewer') });
  assert.deepEqual(new Uint8Array(await answer.arrayBuffer()), bytes);
  assert.equal(answer.headers.get('content-disposition'), 'attachment');
  const listed = await ask('GET', '/v1/workflows/files/artifacts', { role: 'viewer' });
  assert.equal(listed.body.artifacts.length, 1);
  const purged = await ask('POST', '/v1/workflows/files/artifacts/purge');
  assert.deepEqual(purged.body, { artifacts: 1, bytes: bytes.length });
  assert.equal((await ask('GET', path)).status, 404);
  assert.equal((await ask('GET', '/v1/workflows/files/artifacts/..%2f..%2fkeys')).status, 404);
  assert.equal((await ask('POST', '/v1/workflows/files/artifacts', { body: bytes })).status, 400);
});

test('what a key may do, and how busy the server is, is told', async () => {
  for (const role of Object.keys(falconer.keys)) assert.equal((await ask('GET', '/v1/whoami', { role })).body.role, role);
  const { body } = await ask('GET', '/v1/load', { role: 'viewer' });
  assert.equal(body.running, 0);
  assert.ok(body.sessions >= 1 && body.sessions_limit > body.sessions);
  const wrong = await ask('GET', '/v1/load?verbose=1', { role: 'viewer' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.body.detail, /verbose/);
});
