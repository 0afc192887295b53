// The built-in agent, over HTTP and from the command line, with a model that is written down.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { newFolder, program, startServer, startSite } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';
import { startModel } from './model.mjs';
import { openEvents } from './sse.mjs';

const site = await startSite();
const model = await startModel();
const home = newFolder();
const falconer = await startServer(home.folder, ...model.settings);
const ask = clientOf(() => falconer);
after(async () => {
  site.stop();
  model.stop();
  assert.equal(await falconer.stop(), 0);
  home.remove();
});

const run = (body, more = {}) => ask('POST', '/api/agent/run', { role: 'agent', body, ...more });
const begin = async (body) => (await run(body, { headers: { Prefer: 'respond-async' } })).body.run_id;
const status = async (id) => (await ask('GET', `/api/agent/status/${id}`, { role: 'agent' })).body;

async function untilStatus(id, wanted) {
  for (const end = Date.now() + 60_000; ; ) {
    const now = await status(id);
    if (now.status === wanted) return now;
    assert.ok(Date.now() < end, JSON.stringify(now));
  }
}

// Steps are recorded while nobody waits for it.
async function untilSteps(id, count) {
  for (const end = Date.now() + 60_000; ; ) {
    const { body } = await ask('GET', `/v1/runs/${id}/steps`, { role: 'viewer' });
    if (body.steps?.length >= count) return body.steps;
    assert.ok(Date.now() < end, JSON.stringify(body));
  }
}

// A model that thinks until the test lets it.
function thinking() {
  let answer;
  const step = new Promise((resolve) => (answer = resolve));
  return { step, answer };
}

// What the command line says, and its exit code.
async function command(words, onLine = () => {}) {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'] });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => ((out += text), onLine(out, child)));
  child.stderr.on('data', (text) => (err += text));
  const code = await new Promise((resolve) => child.once('exit', resolve));
  return { code, out, err };
}

test('a task is carried out step by step, and told', async () => {
  model.next({ because: 'I open it.', call: [['browser_navigate', { url: site.url('/form.html') }]] }, { call: [['browser_take_screenshot', {}]] }, { say: 'It is a form.' });
  const { status: code, body } = await run({ task: 'What is at the address?' });
  assert.equal(code, 200, JSON.stringify(body));
  assert.equal(body.success, true, JSON.stringify(body));
  assert.equal(body.stop_reason, 'completed');
  assert.equal(body.response, 'It is a form.');
  assert.equal(body.steps, 2);
  assert.equal(body.summary.total.usage.input, 300);
  assert.ok(body.summary.total.cost_micros > 0);
  const [first] = body.trace;
  assert.equal(first.tool_name, 'browser_navigate');
  assert.equal(first.mode, 'internal');
  assert.equal(first.llm_rationale, 'I open it.');
  assert.equal(first.policy_decision, 'allowed');

  const steps = await untilSteps(body.run_id, 2);
  assert.deepEqual(steps.map(({ tool_name }) => tool_name), ['browser_navigate', 'browser_take_screenshot'], 'the same trace as everybody has');
  assert.equal(steps[0].args_hash, first.args_hash);
  const report = await ask('GET', `/v1/runs/${body.run_id}/report`, { role: 'viewer' });
  assert.match(report.type, /^text\/html/);
  assert.match(report.body, /data:image\/png;base64,/, 'the screenshot is inside');
  assert.doesNotMatch(report.body, /<script/);
  const records = await fetch(new URL(`/v1/runs/${body.run_id}/report?format=jsonl`, falconer.url), { headers: { Authorization: `Bearer ${falconer.keys.viewer}` } });
  const lines = (await records.text()).trim().split('\n');
  assert.deepEqual(lines.map((line) => JSON.parse(line).event), ['run_opened', 'run_planned', 'run_step', 'run_step', 'run_step', 'run_closed']);
});

test('what pages say reaches the model between marks', async () => {
  model.next({ call: [['browser_navigate', { url: site.url('/form.html') }]] }, { say: 'Done.' });
  const before = model.asked.length;
  await run({ task: 'Look.' });
  const [, second] = model.asked.slice(before);
  const told = second.messages.find(({ role }) => role === 'tool').content;
  assert.match(JSON.stringify(told), /<untrusted \w+ from=page/);
});

test('wrong wishes are refused by the name of the field', async () => {
  for (const [wish, field] of [
    [{}, 'task'],
    [{ task: 'x', max_steps: 51 }, 'max_steps'],
    [{ task: 'x', allowed_tools: ['browser_evaluate'] }, 'allowed_tools'],
    [{ task: 'x', max_wall_time_ms: 1 }, 'max_wall_time_ms'],
    [{ task: 'x'.repeat(4001) }, 'task'],
    [{ task: 'x', speed: 1 }, 'speed'],
  ]) {
    const { status: code, body } = await run(wish);
    assert.equal(code, 400, JSON.stringify(body));
    assert.match(body.detail, new RegExp(`^${field}: `));
  }
});

test('a run is watched, paused, resumed and cancelled', async () => {
  const first = thinking();
  model.next(first.step);
  const id = await begin({ task: 'Think.' });
  const events = await openEvents(new URL(`/v1/runs/${id}/events`, falconer.url), { Authorization: `Bearer ${falconer.keys.viewer}` });
  assert.equal((await events.until('state')).data.state, 'PLAN');
  assert.equal((await status(id)).status, 'running');
  await ask('POST', `/api/agent/${id}/pause`);
  first.answer({ call: [['browser_snapshot', {}]] });
  await events.until('paused');
  assert.equal((await status(id)).status, 'paused');
  const second = thinking();
  model.next(second.step);
  await ask('POST', `/api/agent/${id}/resume`);
  await events.until('resumed');
  const cancelled = await ask('POST', `/api/agent/${id}/cancel`, { body: { reason: 'enough' } });
  assert.equal(cancelled.body.result.stop_reason, 'cancelled');
  assert.equal(cancelled.body.result.error.message, 'enough');
  assert.equal((await events.until('stopped')).data.stop_reason, 'cancelled');
  second.answer({ say: 'too late' });
});

test('a person takes the session, and the run goes on with a fresh look', async () => {
  const second = thinking();
  model.next({ call: [['browser_navigate', { url: site.url('/form.html') }]] }, second.step, { say: 'Done.' });
  const before = model.asked.length;
  const id = await begin({ task: 'Look.' });
  for (const end = Date.now() + 60_000; model.asked.length < before + 2; await new Promise(setImmediate)) assert.ok(Date.now() < end);
  const taken = await ask('POST', `/api/agent/${id}/handover`, { body: { person: 'Ada' } });
  assert.equal(taken.body.status, 'handed_over', JSON.stringify(taken.body));
  second.answer({ call: [['browser_click', { target: 'button' }]] });
  const refused = await ask('POST', `/api/agent/${id}/resume`, { role: 'agent' });
  assert.equal(refused.status, 403, 'an agent does not take it out of her hands');
  await ask('POST', `/api/agent/${id}/resume`);
  const done = await untilStatus(id, 'complete');
  assert.match(JSON.stringify(model.asked.at(-1).messages), /A person drove the session/);
  assert.equal(done.result.response, 'Done.');
});

test('a run that nobody knows is not found', async () => {
  for (const [method, path] of [['GET', '/api/agent/status/run-none'], ['POST', '/api/agent/run-none/pause'], ['GET', '/v1/runs/run-none/report'], ['GET', '/v1/runs/run-none/events']])
    assert.equal((await ask(method, path)).status, 404, path);
});

test('while it is off everything about it says so, and the rest is the same', async () => {
  const other = newFolder();
  const off = await startServer(other.folder);
  const askOff = clientOf(() => off);
  const refused = await askOff('POST', '/api/agent/run', { role: 'agent', body: { task: 'x' } });
  assert.equal(refused.status, 503);
  assert.equal(refused.body.code, 'TOOL_UNAVAILABLE');
  assert.match(refused.body.detail, /agent\.internal\.enabled/);
  const listed = (client) => client('GET', '/tools').then(({ body }) => JSON.stringify(body));
  assert.equal(await listed(askOff), await listed(ask), 'byte for byte');
  assert.equal(await off.stop(), 0);
  other.remove();
});

test('settings that cannot be meant stop the start', async () => {
  const other = newFolder();
  const settings = (more) => ['serve', '--set', `data.dir=${other.folder}`, '--set', 'serve.port=0', ...more.flatMap((one) => ['--set', one])];
  for (const [more, says] of [
    [['agent.internal.enabled=true'], /agent\.providers names none/],
    [[...model.settings, 'agent.internal.allowed_tools=browser_fly'], /there is no tool browser_fly/],
    [[...model.settings, 'agent.internal.max_cost=cheap'], /agent\.internal\.max_cost/],
    [['agent.internal.max_steps=51'], /agent\.internal\.max_steps/],
  ]) {
    const { code, err } = await command(settings(more));
    assert.equal(code, 2, err);
    assert.match(err, says);
  }
  other.remove();
});

test('falconer run shows what happens and answers the shell', async () => {
  const other = newFolder();
  const common = ['--set', `data.dir=${other.folder}`, '--set', 'policy.allow_domains=127.0.0.1'];
  const on = model.settings.flatMap((one) => ['--set', one]);
  const off = await command(['run', 'Look.', ...common]);
  assert.equal(off.code, 2);
  assert.match(off.err, /agent\.internal\.enabled=true/);

  model.next({ because: 'I open it.', call: [['browser_navigate', { url: site.url('/form.html') }]] }, { say: 'It is a form.' });
  const report = join(other.folder, 'run.html');
  const good = await command(['run', 'Look.', '--report', report, ...common, ...on]);
  assert.equal(good.code, 0, good.err);
  assert.match(good.out, /browser_navigate http:\/\/127/);
  assert.match(good.out, /completed after 1 steps/);
  assert.match(good.out, /It is a form\./);
  assert.match(readFileSync(report, 'utf8'), /^<!doctype html>/);

  const bad = await command(['run', 'Look.', '--json', ...common, ...on]);
  assert.equal(bad.code, 1);
  assert.equal(JSON.parse(bad.out).stop_reason, 'provider_error');
  other.remove();
});

test('Ctrl-C cancels a run, which can be taken up again', async () => {
  const other = newFolder();
  const common = ['--set', `data.dir=${other.folder}`, '--set', 'policy.allow_domains=127.0.0.1', ...model.settings.flatMap((one) => ['--set', one])];
  const never = thinking();
  model.next({ call: [['browser_navigate', { url: site.url('/form.html') }]] }, never.step);
  let isCancelled = false;
  const broken = await command(['run', 'Look.', ...common], (out, child) => {
    if (isCancelled || !/\n {4}\S*ok/.test(out)) return;
    isCancelled = true;
    child.kill('SIGINT');
  });
  model.forget();
  assert.equal(broken.code, 130, broken.out + broken.err);
  assert.match(broken.out, /cancelled after 1 steps/);
  const [, id] = /falconer run --resume (run-\w+)/.exec(broken.err) ?? [];
  assert.ok(id, broken.err);

  model.next({ say: 'Done after all.' });
  const again = await command(['run', '--resume', id, ...common]);
  assert.equal(again.code, 0, again.err);
  assert.match(again.out, /Done after all\./);
  assert.match(JSON.stringify(model.asked.at(-1).messages), /The run was interrupted/);
  other.remove();
});
