// What an element is known by: what the page says of it, never what was typed, and selectors that find it alone.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();
let page;
before(async () => {
  page = await browser.page();
});

// As the driver asks for it: in the call that meets the element of a press.
async function met(selector = '[data-want=x]') {
  const answer = await page.call('prepare', {
    target: css(selector), action: 'click', token: 't', timeout_ms: 1000, meet: true, fingerprint: true,
  });
  assert.ok(answer.fingerprint, JSON.stringify(answer));
  return answer.fingerprint;
}

async function fingerprint(html) {
  await page.show(html);
  return met();
}

const named = (list) => list.map((name) => `<li>${name} <button data-want=${name}>Add</button>`).join('');

test('a button is known by what it is, says and stands in', async () => {
  const got = await fingerprint(`<main aria-label=Shop><h2>Lamps</h2><ul><li>Brass lamp <button data-want=x id=add title=Take
    data-testid=brass>Add</button><li>Desk lamp <button>Add</button></ul></main>`);
  assert.deepEqual({ ...got, x: 0, y: 0 }, {
    role: 'button', name: 'Add', text: 'Add', tag: 'button', type: 'submit', label: '',
    attributes: { id: 'add', testid: 'brass', title: 'Take' },
    landmark: 'main "Shop"', item: 'Brass lamp Add', before: 'Brass lamp', x: 0, y: 0, enabled: true,
    selectors: ['testid=brass', 'title="Take"', 'css=#add'],
  });
  assert.ok(got.x > 0 && got.x < 1 && got.y > 0 && got.y < 1);
});

test('a field is known by its label and the form it stands in, not by its value', async () => {
  const got = await fingerprint('<form><h3>Order</h3><label>Name <input data-want=x name=who autocomplete=name placeholder="Your name" value="Ann"></label></form>');
  assert.equal(got.label, 'Name');
  assert.equal(got.text, '');
  assert.equal(got.landmark, 'form "Order"');
  assert.equal(got.before, 'Name');
  assert.deepEqual(got.attributes, { name: 'who', placeholder: 'Your name', autocomplete: 'name' });
  assert.ok(!JSON.stringify(got).includes('Ann'));
});

test('a link is known by its path, without what is asked for there', async () => {
  const got = await fingerprint('<a data-want=x href="/find/lamps?q=typed+words#top">Next</a>');
  assert.equal(got.attributes.href, '/find/lamps');
  assert.ok(!JSON.stringify(got).includes('typed'));
});

const TYPED = [
  ['an editor', '<div data-want=x contenteditable role=textbox aria-label=Note>my typed words</div>'],
  ['a field inside a label', '<label><input type=checkbox data-want=x> every <input value="my typed words"> days</label>'],
  ['a row with a field', '<table><tr data-want=x onclick="" role=row><td>Lamp<td><input value="my typed words"></table>'],
  ['a cell that is written into', '<div role=grid><div role=row><div role=gridcell tabindex=0 data-want=x contenteditable>my typed words</div></div></div>'],
  ['a card with an editor', '<div data-want=x tabindex=0 role=button><p contenteditable>my typed words</p></div>'],
  ['words before it', '<p contenteditable>my typed words</p><button data-want=x>Go</button>'],
  ['an area before it', '<textarea>my typed words</textarea><button data-want=x>Go</button>'],
  ['the entry it stands in', '<ul><li><div contenteditable>my typed words</div><button data-want=x>Go</button><li>b<button>Go</button></ul>'],
];
for (const [name, html] of TYPED) {
  test(`nothing typed is told: ${name}`, async () => {
    await page.show(html);
    await page.evaluate(() => {
      for (const field of document.querySelectorAll('input:not([type]),textarea')) field.value = 'my typed words';
    });
    const told = JSON.stringify(await met());
    assert.ok(!told.includes('typed'), told);
  });
}

test('secrets that were typed are told in no part of it', async () => {
  const own = await browser.page('<main aria-label="hunter2-secret"><p>hunter2-secret</p><button data-want=x title="hunter2-secret" id="hunter2-secret">hunter2-secret</button></main>');
  await own.call('learn_secrets', { secrets: [{ value: 'hunter2-secret' }] });
  const answer = await own.call('prepare', { target: css('button'), action: 'click', token: 't', timeout_ms: 1000, meet: true, fingerprint: true });
  assert.ok(!JSON.stringify(answer.fingerprint).includes('hunter2'), JSON.stringify(answer.fingerprint));
  await own.close();
});

test('texts are cut to their bytes without breaking characters', async () => {
  const got = await fingerprint(`<button data-want=x title="${'\u{1f600}'.repeat(60)}">${'ä'.repeat(200)}</button>`);
  for (const text of [got.name, got.text, got.attributes.title]) {
    assert.ok(Buffer.byteLength(text) <= 120, text);
    assert.ok(text.isWellFormed() && !text.includes('\ufffd'), text);
  }
  await page.show('<button data-want=x>odd</button>');
  await page.evaluate(() => {
    document.querySelector('button').textContent = 'a\ud83d';
  });
  assert.equal((await met()).name, 'a\ufffd');
});

const SELECTORS = [
  ['role and name, and the text', '<button data-want=x>Save</button>', ['role=button[name="Save"]', 'text="Save"']],
  ['an id before a name that counts', '<button data-want=x id=cart>Cart (3)</button>', ['css=#cart', 'role=button[name="Cart (3)"]', 'text="Cart (3)"']],
  ['no ids that are made up', '<button data-want=x id=":r7:">Save</button>', ['role=button[name="Save"]', 'text="Save"']],
  ['the link without its query', '<a data-want=x href="/a?q=1">One</a><a href="/b">Two</a>', ['role=link[name="One"]', 'text="One"']],
  ['an ancestor tells equal ones apart', '<section aria-label=A><button>Go</button></section><section aria-label=B><button data-want=x>Go</button></section>', ['role=region[name="B"] >> role=button[name="Go"]']],
  ['the way down when nothing else helps', '<button>Go</button><button data-want=x>Go</button>', ['css=button:nth-of-type(2)']],
];
for (const [name, html, expected] of SELECTORS) {
  test(`selectors: ${name}`, async () => {
    assert.deepEqual((await fingerprint(html)).selectors, expected);
  });
}

test('on a big page less is looked for', async () => {
  await page.show(`<button data-want=x id=save>Save</button>${'<p><a href=/a>Link</a> <button>Other</button></p>'.repeat(6000)}`);
  const got = await met();
  assert.deepEqual(got.selectors, ['css=#save']);
});

test('the fingerprint is left out unless it is asked for', async () => {
  await page.show('<button data-want=x>Save</button>');
  const answer = await page.call('prepare', { target: css('button'), action: 'click', token: 't', timeout_ms: 1000, meet: true });
  assert.ok(answer.met);
  assert.equal(answer.fingerprint, undefined);
});

test('a survey lists what can be acted on, in order, at most so many', async () => {
  await page.show(`<ul>${named(['One', 'Two', 'Three'])}</ul><p>Text</p><a href=/x>Go on</a><input type=hidden><button hidden>No</button>`);
  const { elements } = await page.call('survey', { most: 10 });
  assert.deepEqual(elements.map(({ fingerprint: { name, item } }) => [name, item]), [
    ['Add', 'One Add'], ['Add', 'Two Add'], ['Add', 'Three Add'], ['Go on', ''],
  ]);
  assert.deepEqual(elements[3].fingerprint.selectors, ['role=link[name="Go on"]']);
  assert.equal((await page.call('survey', { most: 2 })).elements.length, 2);
});

test('a probe refuses too many targets and what is no list', async () => {
  const many = Array.from({ length: 501 }, () => ({ selectors: [] }));
  assert.equal((await page.call('probe', { targets: many })).error.code, 'invalid_argument');
  assert.equal((await page.call('probe', { targets: 'all' })).error.code, 'invalid_argument');
});
