// What turns leave behind for those who watch: spans at a collector, and lines of the log, under the same ids.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { newFolder, startServer, startSite } from '../mcp/harness.mjs';

// A collector that takes everything, and can be asked for the spans of a trace.
async function startCollector() {
  const requests = [];
  const waiting = new Set();
  const server = http.createServer(async (request, answer) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    requests.push({ path: request.url, headers: request.headers, body: JSON.parse(text) });
    answer.setHeader('Content-Type', 'application/json').end('{}');
    for (const wake of waiting) wake();
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const spans = () => requests.flatMap(({ body }) => body.resourceSpans.flatMap((one) => one.scopeSpans.flatMap((scope) => scope.spans)));
  const until = async (holds) => {
    for (;;) {
      const found = spans().filter(holds);
      if (found.length) return found;
      await new Promise((resolve) => waiting.add(resolve));
    }
  };
  return { url: `http://127.0.0.1:${server.address().port}`, requests, spans, until, stop: () => server.close() };
}

let site;
let home;
let collector;
let falconer;
let log;

before(async () => {
  site = await startSite();
  home = newFolder();
  log = join(home.folder, 'log.jsonl');
  collector = await startCollector();
  process.env.FALCONER_SECRET_OTLP = 'collector-token-7';
  process.env.FALCONER_SECRET_OTLP_HOSTS = '127.0.0.1';
  falconer = await startServer(home.folder, `telemetry.otlp_endpoint=${collector.url}`,
    'telemetry.otlp_headers=["authorization=Bearer {secret:otlp}"]', 'log.level=info', `log.file=${log}`);
});
after(async () => {
  site.stop();
  if (falconer) assert.equal(await falconer.stop(), 0);
  collector.stop();
  home.remove();
});

async function act(workflow, action_spec, { headers = {}, ...more } = {}) {
  const answer = await fetch(new URL('/v1/actions', falconer.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${falconer.keys.operator}`, ...headers },
    body: JSON.stringify({ workflow_id: workflow, action_spec, ...more }),
  });
  return answer.json();
}

const attributes = (span) => Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
const ofTurn = (turn) => (span) => attributes(span)['falconer.turn_id'] === turn;
const traceOf = (turn) => createHash('sha256').update(`falconer.trace.v1\n${turn}`).digest('hex').slice(0, 32);
const lines = () => readFileSync(log, 'utf8').trim().split('\n').map((line) => JSON.parse(line));

test('a turn is a trace that its id leads to', async () => {
  const result = await act('spans', { action_type: 'navigate', url: site.url('/form.html') });
  assert.equal(result.success, true, JSON.stringify(result));
  const [turn] = await collector.until(ofTurn(result.turn_id));

  assert.equal(turn.name, 'turn');
  assert.equal(turn.kind, 2);
  assert.equal(turn.traceId, traceOf(result.turn_id));
  assert.match(turn.spanId, /^[0-9a-f]{16}$/);
  assert.equal(turn.parentSpanId, undefined);
  assert.equal(turn.status, undefined);
  const told = attributes(turn);
  assert.equal(told['falconer.action_type'], 'navigate');
  assert.equal(told['falconer.workflow'], 'spans');
  assert.equal(told['falconer.outcome'], 'ok');
  assert.equal(told['falconer.action_id'], result.action_id);
  assert.equal(told['server.address'], '127.0.0.1');

  const all = collector.spans().filter((span) => span.traceId === turn.traceId);
  const byId = new Map(all.map((span) => [span.spanId, span]));
  assert.equal(byId.size, all.length);
  for (const span of all) {
    assert.match(span.startTimeUnixNano, /^\d{19}$/);
    assert.ok(BigInt(span.startTimeUnixNano) <= BigInt(span.endTimeUnixNano));
    if (span !== turn) assert.ok(byId.has(span.parentSpanId), span.name);
  }
  const names = all.map((span) => span.name);
  for (const name of ['admission', 'browser.session', 'attempt', 'browser.execute', 'ledger.seal']) assert.ok(names.includes(name), `${name} of ${names}`);
  const attempt = all.find((span) => span.name === 'attempt');
  assert.equal(byId.get(all.find((span) => span.name === 'browser.execute').parentSpanId), attempt);
});

test('the collector is sent the header with its secret', () => {
  assert.equal(collector.requests[0].path, '/v1/traces');
  assert.equal(collector.requests[0].headers.authorization, 'Bearer collector-token-7');
  assert.equal(collector.requests[0].headers['content-type'], 'application/json');
  assert.equal(collector.requests[0].body.resourceSpans[0].resource.attributes[0].value.stringValue, 'falconer');
});

test('a turn joins the trace of who asks for it', async () => {
  const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
  const headers = { traceparent: `00-${trace}-00f067aa0ba902b7-01` };
  const result = await act('joined', { action_type: 'navigate', url: site.url('/form.html') }, { headers });
  const [turn] = await collector.until(ofTurn(result.turn_id));
  assert.equal(turn.traceId, trace);
  assert.equal(turn.parentSpanId, '00f067aa0ba902b7');
});

test('who does not want to be traced is not', async () => {
  const headers = { traceparent: '00-5bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00' };
  const quiet = await act('quiet', { action_type: 'navigate', url: site.url('/form.html') }, { headers });
  const next = await act('quiet', { action_type: 'navigate', url: site.url('/colours.html') });
  await collector.until(ofTurn(next.turn_id));
  assert.deepEqual(collector.spans().filter(ofTurn(quiet.turn_id)), []);
});

test('failures and refusals have their codes', async () => {
  const failed = await act('spans', { action_type: 'click', selector: '#nobody' }, { timeout: { bind_ms: 300, total_ms: 2000 } });
  assert.equal(failed.success, false);
  const [turn] = await collector.until(ofTurn(failed.turn_id));
  assert.deepEqual(turn.status, { code: 2, message: failed.failure.code });
  assert.equal(attributes(turn)['error.type'], failed.failure.code);
  const attempts = collector.spans().filter((span) => span.traceId === turn.traceId && span.name === 'attempt');
  assert.equal(attempts.length, failed.attempts.length);
  for (const [i, attempt] of attempts.entries()) assert.equal(attempt.status?.message, failed.attempts[i].cause);

  const refused = await act('spans', { action_type: 'navigate', url: 'https://elsewhere.example/' });
  assert.equal(refused.success, false);
  const [span] = await collector.until((one) => attributes(one)['falconer.outcome'] === 'refused');
  assert.equal(span.status.message, refused.failure.code);
});

test('what must not be shown is taken out before it leaves', async () => {
  // A secret that somebody made the name of a workflow.
  const result = await act('collector-token-7', { action_type: 'navigate', url: site.url('/form.html') });
  assert.equal(result.success, true, JSON.stringify(result));
  const [turn] = await collector.until(ofTurn(result.turn_id));
  assert.doesNotMatch(JSON.stringify(turn), /collector-token-7/);
});

test('lines of the log are JSON under the same ids', async () => {
  const result = await act('logged', { action_type: 'navigate', url: site.url('/form.html') });
  const refused = await act('logged', { action_type: 'navigate', url: 'https://elsewhere.example/' });
  const all = lines();
  for (const line of all) assert.ok(line.ts && line.level && line.event, JSON.stringify(line));
  const done = all.find((line) => line.event === 'turn.done' && line.turn === result.turn_id);
  assert.equal(done.session, result.turn_id.split('.')[0]);
  assert.equal(done.trace, traceOf(result.turn_id));
  assert.equal(done.workflow, 'logged');
  assert.equal(done.action, result.action_id);
  assert.equal(done.code, '');
  const not = all.findLast((line) => line.event === 'turn.refused');
  assert.equal(not.code, refused.failure.code);
  assert.equal(not.session, done.session);
  assert.match(not.trace, /^[0-9a-f]{32}$/);
});

test('a request that is refused during a turn is logged with the turn', async () => {
  const asking = `<script>fetch('https://elsewhere.example/x').catch(() => { document.body.innerHTML = '<p id=done>no'; })</script>`;
  const server = http.createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end(`<body>${asking}`));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/`;
  const wait_conditions = [{ kind: 'selector', selector: '#done', state: 'visible' }];
  const result = await act('asking', { action_type: 'navigate', url }, { wait_conditions });
  server.close();
  const refused = lines().filter((line) => line.event === 'request.refused' && line.turn === result.turn_id);
  assert.ok(refused.length > 0, JSON.stringify(result));
  assert.equal(refused[0].session, result.turn_id.split('.')[0]);
});

test('the exporter is measured', async () => {
  const metric = async (name) => {
    const answer = await fetch(new URL('/metrics', falconer.url), { headers: { Authorization: `Bearer ${falconer.keys.viewer}` } });
    return Number(new RegExp(`^falconer_durable_export_${name} (\\S+)$`, 'm').exec(await answer.text())?.[1]);
  };
  assert.ok(await metric('spans_total') > 0);
  for (const name of ['retries_total', 'failures_total', 'drops_total']) assert.equal(await metric(name), 0, name);
  for (const name of ['queue_depth', 'lag_ms']) assert.ok(await metric(name) >= 0, name);
});

test('what waits when the server ends is sent first', async () => {
  const result = await act('last', { action_type: 'navigate', url: site.url('/form.html') });
  const ending = falconer.stop();
  falconer = undefined;
  assert.equal(await ending, 0);
  assert.ok(collector.spans().some(ofTurn(result.turn_id)));
});
