// A purchase is recorded three times, and then done by prediction: with another product, after a redesign, and not at all
// where it is not clear what is meant. Real browser, real shop; nobody plays a model, because none is asked.
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { people } from './buyer.mjs';
import { PredictHouse } from './predict_house.mjs';
import { ambiguous, redesigned } from './front.mjs';

const kCoffees = ['Yirgacheffe', 'Huila', 'Sumatra'];

let house;
let workflow;
before(async () => {
  house = await PredictHouse.open();
  for (const [at, coffee] of kCoffees.entries()) workflow = await house.record('buy-coffee', `by-hand-${at}`, coffee, people[at]);
  workflow = await house.nameSecret(workflow, 'demo-shop');
});
beforeEach(() => house.front.asWritten());
after(() => house.close());

const values = (coffee) => ({ ...house.valuesFor(workflow, people[1]), [coffeeParameter()]: coffee });

// The parameter that no field has asked for: which coffee.
function coffeeParameter() {
  const clicked = workflow.steps.find((step) => step.element?.role === 'link' && /\{\w+\}/.test(step.element.name));
  return /\{(\w+)\}/.exec(clicked.element.name)[1];
}

test('three recordings are one workflow, with a parameter for what was different', () => {
  assert.equal(workflow.recordings, 3);
  const names = workflow.parameters.map((one) => one.name);
  for (const field of ['full_name', 'e_mail', 'street_and_number', 'postcode_and_town']) assert.ok(names.includes(field), names.join());
  assert.ok(names.includes(coffeeParameter()));
  assert.ok(workflow.steps.every((step) => step.recordings === 3), JSON.stringify(workflow.steps.map((step) => [step.intent, step.recordings])));
});

test('nothing that was typed is in any table or document', async () => {
  const kept = await house.everythingKept();
  const typed = people.flatMap(({ name, email, street, town }) => [name, email, street, town]);
  for (const text of [...typed, house.shop.password]) assert.ok(!kept.includes(text), `"${text}" is kept`);
});

test('it is done by prediction with a new product, and no model is asked', async () => {
  const before = await house.shop.tell();
  const report = await house.run('buy-coffee', { session: 'predicted', parameters: values('Night shift') });
  assert.equal(report.outcome, 'completed', JSON.stringify(report));
  assert.equal((await house.shop.tell()).orders, before.orders + 1);
  assert.match(await house.pageText('predicted'), /Night shift/);
  assert.ok(report.steps.every((step) => step.by === 'prediction'));
  assert.equal(report.numbers.by_model, 0);
});

test('the workflow heals when the shop was redesigned, and knows the new page the next time', async () => {
  house.front.show(redesigned);
  const before = await house.shop.tell();
  const report = await house.run('buy-coffee', { session: 'healing', parameters: values('House blend') });
  assert.equal(report.outcome, 'completed', JSON.stringify(report));
  assert.equal((await house.shop.tell()).orders, before.orders + 1);
  const healed = report.steps.filter((step) => step.healed);
  assert.ok(healed.length >= 2, JSON.stringify(report.steps));
  const now = await house.workflow('buy-coffee');
  const kept = now.steps.flatMap((step) => step.healed ?? []);
  assert.ok(kept.length >= 2 && kept.every((one) => one.turn && one.instead_of && one.ranker), JSON.stringify(kept));
  const again = await house.run('buy-coffee', { session: 'healed', parameters: values('House blend') });
  assert.equal(again.outcome, 'completed', JSON.stringify(again));
  assert.equal(again.steps.filter((step) => step.healed).length, 0);
});

test('it asks where it is not clear what is meant, and orders nothing', async () => {
  house.front.show(ambiguous);
  const before = await house.shop.tell();
  const report = await house.run('buy-coffee', { session: 'unsure', parameters: values('Huila') });
  assert.equal(report.outcome, 'asks', JSON.stringify(report));
  assert.ok(report.question, 'it says what it is about');
  assert.equal((await house.shop.tell()).orders, before.orders);
});

test('it asks where the page is another one than it knows', async () => {
  house.front.show((markup, path) => (path === '/checkout' ? '<!doctype html><title>Closed</title><h1>We are closed today</h1>' : markup));
  const report = await house.run('buy-coffee', { session: 'closed', parameters: values('Huila') });
  assert.ok(['asks', 'failed'].includes(report.outcome), JSON.stringify(report));
});

test('a dry run does nothing', async () => {
  const before = await house.shop.tell();
  const report = await house.run('buy-coffee', { session: 'dry', parameters: values('Huila'), dry_run: true });
  assert.ok(report.steps.length > 0);
  assert.ok(report.steps.every((step) => !step.action_id), JSON.stringify(report.steps));
  assert.equal((await house.shop.tell()).orders, before.orders);
});

test('a value that is missing is named, and nothing is begun', async () => {
  const { status, body } = await house.ask('POST', '/v1/workflows/buy-coffee/run', { body: { session: 'missing', parameters: {} } });
  assert.equal(status, 400, JSON.stringify(body));
  assert.equal(body.code, 'INVALID_ARGUMENT');
  assert.match(body.detail, /full_name|account|e_mail/);
});

test('a purchase waits for a person where the rules say so', async () => {
  await house.restart('approvals.from_risk=high');
  const before = await house.shop.tell();
  const running = house.run('buy-coffee', { session: 'asking', parameters: values('Dripper') });
  const approval = await house.approval();
  assert.equal((await house.shop.tell()).orders, before.orders);
  await house.decide(approval, false);
  const report = await running;
  assert.equal(report.outcome, 'refused', JSON.stringify(report));
  assert.equal((await house.shop.tell()).orders, before.orders);
  await house.restart();
});
