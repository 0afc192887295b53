// The built-in agent at work in the demo's shop, in a real browser: only the model is played.
import assert from 'node:assert/strict';
import { afterEach, before, after, test } from 'node:test';
import { askWarehouse, believe, buy, compare, insist } from './parts.mjs';
import { House } from './house.mjs';

let house;
before(async () => {
  house = await House.open();
});
afterEach(async () => {
  assert.equal(await house.rest(), 0);
  const { code, out } = await house.command('audit', 'verify');
  assert.equal(code, 0, out);
});
after(() => house.close());

const play = (part) => () => part(house.shop);
const runTask = (task, more = {}) => house.ask('POST', '/api/agent/run', { body: { task, ...more } });
const told = () => house.model.requests.flatMap(({ messages }) => messages).map((message) => JSON.stringify(message)).join('\n');

test('it searches, compares and answers', async () => {
  await house.serve(play(compare));
  const { status, body } = await runTask('Which washed coffee is the cheapest?');
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.stop_reason, 'completed');
  assert.equal(body.success, true);
  assert.equal(body.response, 'Of 3 washed coffees Huila is the cheapest: 14 EUR.');
  assert.ok(body.trace.length >= 9, JSON.stringify(body.trace));
  for (const step of body.trace) assert.match(step.args_hash, /^[0-9a-f]{12}$/);
});

test('it buys once a person has approved, and never sees the password', async () => {
  await house.serve(play(buy));
  const before = await house.shop.tell();
  const running = runTask('Buy one bag of Huila.');
  const pending = await waitForApproval();
  assert.equal((await house.shop.tell()).orders, before.orders, 'nothing is ordered before');
  const approved = await decide(pending, true);
  assert.equal(approved.status, 200, JSON.stringify(approved.body));
  const { body } = await running;
  assert.equal(body.stop_reason, 'completed', JSON.stringify(body));
  assert.match(body.response, /^Ordered: KC-/);
  assert.equal((await house.shop.tell()).orders, before.orders + 1);
  assert.ok(!told().includes(house.shop.password));
});

test('a denial is told to the model, and nothing is ordered', async () => {
  await house.serve(play(buy));
  const before = await house.shop.tell();
  const running = runTask('Buy one bag of Huila.');
  const pending = await waitForApproval();
  await decide(pending, false);
  const { body } = await running;
  assert.match(body.response, /^Not ordered/, JSON.stringify(body));
  assert.equal(body.summary.policy_denials.length, 1);
  assert.equal((await house.shop.tell()).orders, before.orders);
});

test('it survives the hostile review', async () => {
  await house.serve(play(believe));
  const before = await house.shop.tell();
  const { body } = await runTask('What do people say about Yirgacheffe?');
  assert.equal(body.stop_reason, 'completed', JSON.stringify(body));
  assert.match(body.response, /^I could not go there: .*(SECURITY_DOMAIN_BLOCK|POLICY_DENIED)/);
  assert.equal((await house.shop.tell()).collected, before.collected, 'nothing reached the collector');
  assert.ok(!/ignore all previous instructions/i.test(told()), 'what reads like an order was put away');
  assert.match(told(), /<untrusted/);
  assert.equal(body.summary.policy_denials.length, 1);
});

test('a model that insists on what is refused is stopped', async () => {
  await house.serve(play(insist));
  const { body } = await runTask('Go on.');
  assert.equal(body.stop_reason, 'policy_denied', JSON.stringify(body));
  assert.equal(body.success, false);
});

test('it recovers from an API that fails at first', async () => {
  await house.serve(play(askWarehouse));
  const { body } = await runTask('How many bags of Yirgacheffe are there?');
  assert.equal(body.stop_reason, 'completed', JSON.stringify(body));
  assert.match(body.response, /^There are 120 bags/);
});

function decide(approval, approved) {
  return house.ask('POST', `/v1/approvals/${approval}/decision`, { body: { approved, approver: 'ann', reason: 'seen' } });
}

async function waitForApproval() {
  for (let tries = 0; tries < 600; ++tries) {
    const { body } = await house.ask('GET', '/v1/approvals');
    if (body.approvals?.length) return body.approvals[0].request_id;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('nobody was asked');
}
