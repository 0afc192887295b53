// What a run may do by itself, and what is not lost when several things happen at once. Real browser, real shop.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Buyer } from './buyer.mjs';
import { PredictHouse } from './predict_house.mjs';

const kAdd = '<button class="wide" id="add" type="submit">Add to cart</button>';
const kDelete = '<button class="wide" id="add" type="submit" formaction="/account/delete">Delete my account for ever</button>';

let house;
before(async () => {
  house = await PredictHouse.open('quota.sessions=100');
});
after(() => house.close());

async function openHuila(session, buyer = new Buyer(house.ask, session)) {
  await buyer.open(house.front.url('/'));
  await buyer.click('link', 'Huila');
  return buyer;
}

async function beginRecording(workflow, session) {
  const buyer = new Buyer(house.ask, session);
  await buyer.open('about:blank');
  await buyer.takeOver();
  return house.must('POST', '/v1/recordings', { workflow, session });
}

test('two recordings of one workflow that end at once are both learnt from', async () => {
  const begun = [];
  for (const session of ['twin-a', 'twin-b']) {
    begun.push(await beginRecording('twin', session));
    await openHuila(session);
  }
  const ended = await Promise.all(begun.map(({ id }) => house.ask('POST', `/v1/recordings/${id}/end`)));
  assert.deepEqual(ended.map(({ status }) => status), [200, 200], JSON.stringify(ended));
  assert.equal((await house.workflow('twin')).recordings, 2);
});

test('what stands where something was learnt is not pressed when it does harm', async () => {
  for (let at = 0; at < 3; ++at) {
    const buyer = await openHuila(`learnt-${at}`);
    await buyer.click('button', 'Add to cart');
    await house.must('DELETE', `/v1/sessions/${buyer.session}`);
  }
  const asked = [];
  house.front.show((markup, path) => (asked.push(path), markup.replaceAll(kAdd, kDelete)));
  await openHuila('bait');
  const report = await house.must('POST', '/v1/predict/run', { session: 'bait' });
  house.front.asWritten();
  assert.equal(report.outcome, 'asks', JSON.stringify(report));
  assert.match(report.reason, /DELETE/);
  assert.ok(!asked.includes('/account/delete'), asked.join());
});

test('a run may do twice what a token is good for once', async () => {
  const { id } = await beginRecording('delete-twice', 'deletes-by-hand');
  const asked = [];
  house.front.show((markup, path) => (asked.push(path), markup.replaceAll(kAdd, kDelete)));
  const buyer = new Buyer(house.ask, 'deletes-by-hand');
  for (let times = 0; times < 2; ++times) {
    await openHuila('deletes-by-hand', buyer);
    await buyer.click('button', 'Delete my account for ever');
  }
  await house.must('POST', `/v1/recordings/${id}/end`);
  asked.length = 0;
  const report = await house.run('delete-twice', { session: 'deletes-again' });
  house.front.asWritten();
  assert.equal(report.outcome, 'completed', JSON.stringify(report));
  assert.equal(asked.filter((path) => path === '/account/delete').length, 2, asked.join());
});
