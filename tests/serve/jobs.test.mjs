// Jobs: what was taken on is done, whatever becomes of the server, and whoever wanted to be told is.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { newFolder, program, startServer, startServerAgain } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';
import { openEvents } from './sse.mjs';

const key = 'the key of the hook';
process.env.FALCONER_SECRET_HOOK = key;
process.env.FALCONER_SECRET_HOOK_HOSTS = '127.0.0.1,127.0.0.2';

// Pages that are there at once, and one that waits until it is let go.
const hits = [];
const visits = new EventEmitter();
let letGo;
const held = new Promise((resolve) => (letGo = resolve));
const site = createServer(async (request, response) => {
  hits.push(request.url);
  visits.emit('visit');
  if (request.url === '/held') await held;
  response.setHeader('content-type', 'text/html').end(`<!doctype html><title>${request.url}</title><main><h1>Page ${request.url}</h1></main>`);
}).listen(0, '127.0.0.1');
await once(site, 'listening');
const page = (path) => `http://127.0.0.1:${site.address().port}${path}`;

// Somebody who wants to be told.
const told = [];
const news = new EventEmitter();
const answers = [];
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  told.push({ path: request.url, body: JSON.parse(body), text: body, signature: request.headers['falconer-signature'] });
  response.writeHead(answers.shift() ?? 200).end();
  news.emit('told');
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const hook = (path) => `http://127.0.0.1:${receiver.address().port}${path}`;
async function toldAt(path, count = 1) {
  while (told.filter((one) => one.path === path).length < count) await once(news, 'told');
  return told.filter((one) => one.path === path);
}

const home = newFolder();
let falconer = await startServer(home.folder, 'jobs.at_once=2', 'jobs.max_queued=2');
const ask = clientOf(() => falconer);
const post = (path, body, more = {}) => ask('POST', path, { role: 'agent', body, ...more });
const over = ['ended', 'failed', 'cancelled'];
async function ended(job) {
  for (;;) {
    const { body } = await ask('GET', `/api/jobs/${job}?wait_ms=10000`, { role: 'viewer' });
    if (over.includes(body.status)) return body;
  }
}
const eventsOf = (job) => openEvents(new URL(`/v1/jobs/${job}/events`, falconer.url), { Authorization: `Bearer ${falconer.keys.viewer}` });
const problem = (answer, status, code) => {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body.code, code);
};
// As a receiver checks it.
function isSigned({ signature, text }) {
  const [, at, sign] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(signature);
  return Math.abs(Date.now() / 1000 - Number(at)) < 300 && createHmac('sha256', key).update(`${at}.${text}`).digest('hex') === sign;
}

const startAgain = () => startServerAgain(home.folder, falconer.keys, 'jobs.at_once=2', 'jobs.max_queued=2');

after(async () => {
  letGo();
  assert.equal(await falconer.stop(), 0);
  site.close();
  receiver.close();
  home.remove();
});

test('a job tells its way, and its result can be had by its id', async () => {
  const { body, status } = await post('/api/jobs/batch-crawl', { urls: [page('/a'), page('/b')], concurrent: 1, format: 'markdown' });
  assert.equal(status, 202, JSON.stringify(body));
  const events = await eventsOf(body.job);
  const heard = [];
  for (;;) {
    const event = await events.next();
    heard.push(event);
    if (event.name === 'job' && over.includes(event.data.status)) break;
  }
  const pages = heard.filter(({ name }) => name === 'news');
  assert.deepEqual(pages.map(({ id, data }) => [id, data.url]), [['1', page('/a')], ['2', page('/b')]]);
  assert.equal(heard.at(-1).data.status, 'ended');
  const result = await ask('GET', `/api/jobs/${body.job}/result`, { role: 'viewer' });
  assert.equal(result.status, 200);
  assert.match(result.body.pages[1].markdown, /Page \/b/);
  const job = await ended(body.job);
  assert.equal(job.kind, 'batch_crawl');
  assert.equal(job.attempts, 1);
  assert.deepEqual(job.result, result.body);
  assert.deepEqual(job.input.urls, [page('/a'), page('/b')]);
});

test('who wants to be told is, with a signature', async () => {
  answers.push(503);
  const { body } = await post('/api/jobs/create', { job_type: 'markdown_only', input: { url: page('/a') }, callback_url: hook('/twice'), callback_secret: 'hook' });
  const calls = await toldAt('/twice', 2);
  for (const call of calls) assert.ok(isSigned(call), call.signature);
  assert.equal(calls[1].body.job, body.job);
  assert.equal(calls[1].body.type, 'markdown_only');
  assert.equal(calls[1].body.status, 'ended');
  assert.equal(calls[1].body.result, `/v1/jobs/${body.job}/result`);
  let job;
  do job = (await ask('GET', `/v1/jobs/${body.job}`)).body;
  while (job.callback.state === 'waiting');
  assert.equal(job.callback.state, 'delivered');
  assert.deepEqual(job.callback.tries.map(({ status }) => status), [503, 200]);
  assert.ok(!JSON.stringify(job).includes(key));
});

test('a callback goes only where anything may go', async () => {
  const elsewhere = `http://127.0.0.2:${receiver.address().port}/elsewhere`;
  const { body } = await post('/api/jobs/markdown', { url: page('/a'), callback_url: elsewhere, callback_secret: 'hook' });
  await ended(body.job);
  let job;
  do job = (await ask('GET', `/v1/jobs/${body.job}`)).body;
  while (job.callback.state === 'waiting');
  assert.equal(job.callback.state, 'failed');
  assert.equal(job.callback.tries.length, 1);
  assert.match(job.callback.tries[0].problem, /^SECURITY_DOMAIN_BLOCK/);
  assert.ok(!told.some(({ path }) => path === '/elsewhere'));
});

test('what is wrong with a job is named, and nothing is taken', async () => {
  const bad = async (path, body, field, status = 400, code = 'INVALID_ARGUMENT') => {
    const answer = await post(path, body);
    problem(answer, status, code);
    assert.match(answer.body.detail, field);
  };
  const before = (await ask('GET', '/api/jobs')).body.jobs.length;
  const url = page('/a');
  await bad('/api/jobs/crawl', { url, callback_url: 'nowhere', callback_secret: 'hook' }, /callback_url/);
  await bad('/api/jobs/crawl', { url, callback_url: hook('/x') }, /callback_secret/);
  await bad('/api/jobs/crawl', { url, callback_url: 7 }, /callback_url/);
  await bad('/api/jobs/crawl', { url, callback_url: hook('/x'), callback_secret: 'no such:na me' }, /callback_secret/);
  await bad('/api/jobs/crawl', { url, callback_bearer: 'x' }, /callback_bearer/);
  await bad('/api/jobs/crawl', { url: `${url}?password=hunter2secret` }, /secret/);
  await bad('/api/jobs/crawl', [], /object/);
  await bad('/api/jobs/create', { job_type: 'agent_run', input: { task: 'buy milk' } }, /agent_run/, 503, 'TOOL_UNAVAILABLE');
  await bad('/api/wraith', { task: 'buy milk' }, /agent_run/, 503, 'TOOL_UNAVAILABLE');
  await bad('/api/jobs/agent-run', { task: 'buy milk' }, /agent_run/, 503, 'TOOL_UNAVAILABLE');
  problem(await ask('GET', '/v1/jobs/none/result'), 404, 'NOT_FOUND');
  problem(await ask('GET', '/v1/jobs/none/events'), 404, 'NOT_FOUND');
  problem(await ask('DELETE', '/api/jobs/none'), 404, 'NOT_FOUND');
  problem(await ask('GET', '/api/jobs?state=lost'), 400, 'INVALID_ARGUMENT');
  problem(await ask('POST', '/api/wraith', { role: 'viewer', body: { task: 'x' } }), 403, 'FORBIDDEN');
  assert.equal((await ask('GET', '/api/jobs')).body.jobs.length, before);
});

test('the same key is the same job', async () => {
  const headers = { 'Idempotency-Key': 'once' };
  const first = await post('/api/jobs/markdown', { url: page('/once') }, { headers });
  const again = await post('/api/jobs/markdown', { url: page('/once') }, { headers });
  assert.equal(again.body.job, first.body.job);
  await ended(first.body.job);
  assert.equal(hits.filter((path) => path === '/once').length, 1);
  problem(await post('/api/jobs/markdown', { url: page('/other') }, { headers }), 409, 'ALREADY_EXISTS');
});

test('a full queue says when to come again; what waits is cancelled at once', async () => {
  const slow = { url: page('/a'), options: { wait_for_selector: '#never', timeout: 300 } };
  const running = [await post('/api/jobs/crawl', slow), await post('/api/jobs/crawl', slow)];
  for (;;) {
    const { body } = await ask('GET', '/api/jobs?state=running&type=crawl_url');
    if (body.jobs.length === 2) break;
  }
  const waiting = [await post('/api/jobs/crawl', slow), await post('/api/jobs/crawl', slow)];
  for (const { body } of waiting) assert.equal(body.status, 'queued');
  const full = await post('/api/jobs/crawl', slow);
  problem(full, 429, 'QUEUE_FULL');
  assert.ok(Number(full.headers.get('retry-after')) > 0);
  const early = await ask('GET', `/api/jobs/${waiting[0].body.job}/result`);
  assert.equal(early.status, 202);
  assert.equal(early.body.status, 'queued');
  for (const { body } of [...waiting, ...running]) {
    assert.equal((await ask('DELETE', `/api/jobs/${body.job}`, { role: 'agent' })).status, 204);
    const job = await ended(body.job);
    assert.equal(job.status, 'cancelled');
    assert.equal(job.problem.code, 'CANCELLED');
  }
  problem(await ask('GET', `/v1/jobs/${running[0].body.job}/result`), 499, 'CANCELLED');
  assert.equal((await ask('GET', '/api/jobs?state=cancelled&limit=3')).body.jobs.length, 3);
  const page1 = (await ask('GET', '/api/jobs?limit=2')).body;
  const page2 = (await ask('GET', `/api/jobs?limit=2&before=${page1.next}`)).body;
  const ids = [...page1.jobs, ...page2.jobs].map(({ job }) => job);
  assert.deepEqual(ids, [...ids].sort().reverse(), 'newest first');
  assert.deepEqual((await ask('GET', '/v1/sessions')).body.sessions, []);
});

test('a person at the machine sees jobs and ends them', async () => {
  const run = async (...words) => JSON.parse((await promisify(execFile)(program, ['jobs', ...words, '--json', '--set', `data.dir=${home.folder}`])).stdout);
  const { body } = await post('/api/jobs/crawl', { url: page('/a'), options: { wait_for_selector: '#never', timeout: 300 } });
  const listed = await run('list', '--limit', '1');
  assert.equal(listed.jobs[0].job, body.job);
  await run('cancel', body.job, '--reason', 'wrong page');
  const job = await ended(body.job);
  assert.equal(job.status, 'cancelled');
  assert.equal(job.problem.detail, 'wrong page');
  assert.equal((await run('show', body.job)).job.status, 'cancelled');
  const { body: ledger } = await ask('GET', '/v1/ledger/records?kind=operator&limit=500');
  assert.ok(ledger.records.some(({ payload }) => payload.job === body.job), JSON.stringify(ledger.records));
});

test('what a session did can be had by its name', async () => {
  const wait = (body) => post('/v1/actions', body, { headers: { Prefer: 'respond-async' } });
  const visit = await wait({ workflow_id: 'views', action_spec: { action_type: 'navigate', url: page('/a') } });
  await ended(visit.body.job);
  const picture = await wait({ workflow_id: 'views', step_index: 1, action_spec: { action_type: 'screenshot' } });
  const job = await ended(picture.body.job);
  assert.equal(job.result.success, true, JSON.stringify(job.result));
  const status = await ask('GET', '/api/sessions/views/status', { role: 'viewer' });
  assert.equal(status.body.open, true);
  assert.equal(status.body.status, 'ended');
  assert.deepEqual(status.body.jobs.map((one) => one.job), [picture.body.job, visit.body.job]);
  const results = (await ask('GET', '/api/sessions/views/results')).body.results;
  assert.deepEqual(results.map((one) => one.result.success), [true, true]);
  const shots = (await ask('GET', '/api/sessions/views/screenshots')).body.artifacts;
  assert.equal(shots.length, 1);
  assert.deepEqual((await ask('GET', '/api/sessions/views/files')).body.artifacts, shots);
  const file = await ask('GET', `/api/sessions/views/files/${shots[0].id}`);
  assert.equal(file.status, 200);
  assert.match(file.type, /^image\//);
  problem(await ask('GET', '/api/sessions/nobody/status'), 404, 'NOT_FOUND');
  await ask('DELETE', '/v1/sessions/views');
});

test('a server that is killed in the middle loses no job, and does nothing twice that may be done once', async () => {
  const batch = await post('/api/jobs/batch-crawl', { urls: [page('/first'), page('/held')], concurrent: 1, format: 'markdown', callback_url: hook('/killed'), callback_secret: 'hook' });
  const events = await eventsOf(batch.body.job);
  assert.equal((await events.until('news')).data.url, page('/first'));
  while (!hits.includes('/held')) await once(visits, 'visit');
  events.close();
  const action = await ask('POST', '/v1/actions', {
    body: { workflow_id: 'shop', action_spec: { action_type: 'navigate', url: page('/held') } },
    headers: { Prefer: 'respond-async' },
  });
  assert.equal(action.body.status, 'running', JSON.stringify(action.body));
  process.kill(falconer.pid, 'SIGKILL');
  assert.notEqual(await falconer.stop(), 0);
  letGo();

  falconer = await startAgain();
  const [call] = await toldAt('/killed');
  assert.ok(isSigned(call));
  assert.equal(call.body.status, 'ended', call.text);
  const job = await ended(batch.body.job);
  assert.equal(job.attempts, 2);
  assert.deepEqual(job.result.pages.map(({ success }) => success), [true, true]);
  assert.equal(hits.filter((path) => path === '/first').length, 1, 'what was read is not read again');
  const lost = await ended(action.body.job);
  assert.equal(lost.status, 'failed');
  assert.equal(lost.problem.code, 'OUTCOME_UNKNOWN');
  assert.equal(lost.problem.details.workflow, 'shop');
  assert.equal((await ask('GET', lost.problem.details.records)).status, 200);
});
