// Tasks that are sent as jobs: what came of them is there later, also when the server was killed in the middle.
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { call, Model } from '../../bench/common/scripted_model.mjs';
import { startServerAgain } from '../mcp/harness.mjs';
import { House } from './house.mjs';
import { compare } from './parts.mjs';

let house;
before(async () => {
  house = await House.open();
});
afterEach(() => house.rest());
after(() => house.close());

async function submit(task) {
  const { status, body } = await house.ask('POST', '/api/wraith', { role: 'agent', body: { task } });
  assert.equal(status, 202, JSON.stringify(body));
  return body.job;
}

async function untilOver(job) {
  for (;;) {
    const { body } = await house.ask('GET', `/api/jobs/${job}?wait_ms=60000`);
    if (!['queued', 'running'].includes(body.status)) return body;
  }
}

test('a task that is sent as a job is carried out', async () => {
  await house.serve(() => compare(house.shop));
  const job = await untilOver(await submit('Which washed coffee is the cheapest?'));
  assert.equal(job.status, 'ended', JSON.stringify(job));
  assert.equal(job.result.stop_reason, 'completed');
  assert.match(job.result.response, /Huila is the cheapest/);
});

function* fallSilent(shop) {
  yield call('browser_navigate', { url: shop.url('/') });
  yield undefined;
}

test('one whose server was killed is taken up by the next', async () => {
  await house.serve(() => fallSilent(house.shop));
  const job = await submit('Which washed coffee is the cheapest?');
  while (house.model.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  await house.server.kill();
  house.model.stop();
  house.model = await Model.start(() => compare(house.shop));
  house.server = await startServerAgain(house.data, house.server.keys, ...house.settings(house.model));
  const over = await untilOver(job);
  assert.equal(over.status, 'ended', JSON.stringify(over));
  assert.equal(over.result.stop_reason, 'completed');
  assert.equal(over.result.summary.times_resumed, 1);
  assert.equal((await house.command('audit', 'verify')).code, 0);
});

test('nothing is taken on while the agent is off', async () => {
  await house.serve(() => compare(house.shop), ['agent.internal.enabled=false']);
  const { status, body } = await house.ask('POST', '/api/wraith', { role: 'agent', body: { task: 'Anything' } });
  assert.equal(status, 503);
  assert.equal(body.code, 'TOOL_UNAVAILABLE');
});
