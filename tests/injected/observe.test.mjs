// Observations: facts about the elements of a target, for rules to be judged from.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();

const PAGE = `<body>
  <p class=note>First  note</p><p class=note style="display:none">Second note</p>
  <input id=name value="Grace" required><input id=key type=password value=hunter2>
  <input id=ok type=checkbox checked><button disabled>Send</button>
  <select id=list multiple><option selected>a<option selected>b<option>c</select>
  <div id=box style="color: rgb(1, 2, 3)">x</div>`;

async function seen(what, target, more = {}) {
  const page = await browser.page(PAGE);
  return page.call('observe', { what, target, ...more });
}

test('counts what matches', async () => {
  assert.deepEqual(await seen('count', css('.note')), { matches: 2 });
  assert.deepEqual(await seen('count', css('#gone')), { matches: 0 });
});

test('says how many are in each state', async () => {
  const notes = await seen('states', css('.note'));
  assert.equal(notes.matches, 2);
  assert.equal(notes.states.visible, 1);
  const send = await seen('states', css('button'));
  assert.deepEqual([send.states.enabled, send.states.disabled], [0, 1]);
  const ok = await seen('states', css('#ok'));
  assert.deepEqual([ok.states.checked, ok.states.unchecked], [1, 0]);
});

test('reads texts as a person sees them', async () => {
  assert.deepEqual(await seen('texts', css('.note')), { matches: 2, texts: ['First note', ''] });
});

test('reads attributes, properties and styles', async () => {
  assert.deepEqual((await seen('attribute', css('#name'), { name: 'required' })).values, ['']);
  assert.deepEqual((await seen('attribute', css('#name'), { name: 'gone' })).values, [null]);
  assert.deepEqual((await seen('property', css('#name'), { name: 'value' })).values, ['Grace']);
  assert.deepEqual((await seen('property', css('#name'), { name: 'value.length' })).values, [5]);
  assert.deepEqual((await seen('property', css('#list'), { name: 'selectedOptions.length' })).values, [2]);
  assert.deepEqual((await seen('style', css('#box'), { name: 'color' })).values, ['rgb(1, 2, 3)']);
  assert.deepEqual((await seen('style', css('#box'), { name: 'no-such-thing' })).values, [null]);
});

test('withholds what secret fields hold, also its length', async () => {
  for (const [what, name] of [['attribute', 'value'], ['property', 'value'], ['property', 'value.length']]) {
    assert.deepEqual((await seen(what, css('#key'), { name })).values, [{ withheld: true }], name);
  }
});

test('refuses properties that lead elsewhere', async () => {
  for (const name of ['innerHTML', 'ownerDocument.cookie', 'value.constructor', '__proto__']) {
    assert.equal((await seen('property', css('#name'), { name })).error.code, 'invalid_argument', name);
  }
});

test('an element that is gone does not match', async () => {
  const page = await browser.page('<button>A</button>');
  const { elements } = await page.call('query', { target: css('button') });
  await page.evaluate(() => document.querySelector('button').remove());
  assert.deepEqual(await page.call('observe', { what: 'count', target: { ref: elements[0].ref } }), { matches: 0 });
});

test('reads the first of many and counts them all', async () => {
  const page = await browser.page('<i>x</i>'.repeat(30));
  const answer = await page.call('observe', { what: 'texts', target: css('i') });
  assert.deepEqual([answer.matches, answer.texts.length], [30, 20]);
});
