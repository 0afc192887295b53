// `falconer run`: what a person sees, what programs read, and that a run which was broken off can be taken up again.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { call, Model } from '../../bench/common/scripted_model.mjs';
import { House } from './house.mjs';
import { compare } from './parts.mjs';

let house;
before(async () => {
  house = await House.open();
});
after(() => house.close());

async function withModel(part, use) {
  ++house.tests;
  const model = await Model.start(part);
  try {
    await use(model);
  } finally {
    model.stop();
  }
}

test('it shows each step, the cost and why it stopped', () =>
  withModel(() => compare(house.shop), async (model) => {
    const { ended } = await house.run(['Which washed coffee is the cheapest?'], model);
    const { code, out, errors } = await ended;
    assert.equal(code, 0, errors + out);
    assert.match(out, /browser_navigate/);
    assert.match(out, /Huila is the cheapest/);
    assert.match(out, /completed/);
    assert.match(out, /tokens/);
  }));

test('for programs it is one JSON document, and the report is one file', () =>
  withModel(() => compare(house.shop), async (model) => {
    const report = join(house.home.folder, 'report.html');
    const { ended } = await house.run(['Which washed coffee is the cheapest?', '--json', '--report', report], model);
    const { code, out, errors } = await ended;
    assert.equal(code, 0, errors);
    const result = JSON.parse(out);
    assert.equal(result.stop_reason, 'completed');
    assert.ok(result.summary.config_snapshot);
    const html = readFileSync(report, 'utf8');
    assert.match(html, /Huila is the cheapest/);
    assert.doesNotMatch(html, /<script|<link|src="(?!data:)|url\(http/);
  }));

test('it needs to be switched on', () =>
  withModel(() => compare(house.shop), async (model) => {
    const { ended } = await house.run(['Anything'], model, ['agent.internal.enabled=false']);
    const { code, errors } = await ended;
    assert.notEqual(code, 0);
    assert.match(errors, /agent\.internal\.enabled/);
    assert.equal(model.requests.length, 0);
  }));

// Stops in the middle: the model has fallen silent.
function* fallSilent(shop) {
  yield call('browser_navigate', { url: shop.url('/') });
  yield call('browser_navigate', { url: shop.url('/product/huila') });
  yield undefined;
}

function* goOn() {
  const page = yield call('browser_snapshot', { scope: 'page' });
  return `I see ${/Huila/.exec(page)?.[0]}`;
}

test('a run that was killed is taken up where its record ends', async () => {
  ++house.tests;
  const silent = await Model.start(() => fallSilent(house.shop));
  const { child, ended } = await house.run(['Look at Huila.', '--json'], silent);
  while (silent.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 50));
  child.kill('SIGKILL');
  await ended;
  silent.stop();
  const { out } = await house.command('audit', 'query', '--kind', 'run', '--json');
  const run = /"run": ?"([^"]+)"/.exec(out)?.[1];
  assert.ok(run, out);
  const model = await Model.start(() => goOn());
  const again = await (await house.run(['--resume', run, '--json'], model)).ended;
  assert.equal(again.code, 0, again.errors);
  const result = JSON.parse(again.out);
  assert.equal(result.run_id, run);
  assert.equal(result.summary.times_resumed, 1);
  assert.match(JSON.stringify(model.requests[0].messages), /Look at Huila/);
  assert.match(JSON.stringify(model.requests[0].messages), /browser_navigate/);
  model.stop();
  assert.ok(existsSync(house.data));
});
