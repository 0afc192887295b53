// select, checked_state, focus and blur.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();

const LIST =
  '<select id=s><option value=r>Red</option><option value=g label="Green leaf">x</option><option value=b disabled>Blue</option></select>' +
  '<script>window.log = []; for (const t of ["input","change"]) s.addEventListener(t, () => log.push([t, s.value]))</script>';
const MULTI = '<select id=s multiple><option value=1 selected>One<option value=2>Two<option value=3>Three</select>';

const select = (page, options, more = {}) => page.call('select', { target: css('#s'), options, timeout_ms: 2000, ...more });
const code = (answer) => answer.error?.code ?? `no failure: ${JSON.stringify(answer)}`;

for (const [how, option] of [
  ['value', { value: 'g' }],
  ['label', { label: ' Green   leaf ' }],
  ['text', { label: 'x' }],
  ['index', { index: 1 }],
]) {
  test(`selects by ${how} and tells the page`, async () => {
    const page = await browser.page(LIST);

    const done = await select(page, [option]);

    assert.deepEqual(done.selected, [{ value: 'g', label: 'Green leaf', index: 1 }]);
    assert.equal(done.changed, true);
    assert.deepEqual(await page.evaluate(() => window.log), [['input', 'g'], ['change', 'g']]);
  });
}

test('several options only where the list takes several', async () => {
  const page = await browser.page(MULTI);
  const done = await select(page, [{ value: '2' }, { label: 'Three' }]);
  assert.deepEqual(done.selected.map((option) => option.value), ['2', '3']);
  assert.deepEqual((await select(page, [])).selected, []);

  const single = await browser.page(LIST);
  assert.equal(code(await select(single, [{ value: 'r' }, { value: 'g' }])), 'wrong_element');
  assert.equal(code(await select(single, [])), 'wrong_element');
});

test('waits for options that are loaded later', async () => {
  const page = await browser.page('<select id=s><option>Loading</select>');

  const pending = select(page, [{ label: 'Oslo' }]);
  await page.evaluate(() => document.querySelector('#s').add(new Option('Oslo', 'osl')));

  assert.equal((await pending).selected[0].value, 'osl');
});

test('an option that never comes is reported with those there are', async () => {
  const page = await browser.page(LIST);

  const { error } = await select(page, [{ label: 'Pink' }], { timeout_ms: 40 });

  assert.equal(error.code, 'option_not_found');
  assert.deepEqual(error.detail, { available: ['Red', 'Green leaf', 'Blue'], total: 3 });
});

test('a disabled option is waited for', async () => {
  const page = await browser.page(LIST);

  assert.equal(code(await select(page, [{ value: 'b' }], { timeout_ms: 40 })), 'not_enabled');
  const pending = select(page, [{ value: 'b' }]);
  await page.evaluate(() => (document.querySelector('#s').options[2].disabled = false));

  assert.equal((await pending).selected[0].value, 'b');
});

test('only native lists have options to select', async () => {
  const page = await browser.page('<div id=s role=listbox><div role=option>a</div></div>');

  assert.equal(code(await select(page, [{ label: 'a' }], { timeout_ms: 1_000_000 })), 'wrong_element');
  assert.equal(code(await select(page, 'a')), 'invalid_argument');
});

test('a label stands for its list', async () => {
  const page = await browser.page('<label id=l>Colour <select id=s><option>a<option>b</select></label>');

  assert.equal((await page.call('select', { target: css('#l'), options: [{ index: 1 }], timeout_ms: 1000 })).selected[0].label, 'b');
});

for (const [html, checked, kind] of [
  ['<input id=c type=checkbox>', false, 'checkbox'],
  ['<input id=c type=checkbox checked>', true, 'checkbox'],
  ['<input id=c type=radio checked>', true, 'radio'],
  ['<div id=c role=switch aria-checked=true>x</div>', true, 'switch'],
  ['<div id=c role=checkbox aria-checked=mixed>x</div>', 'mixed', 'checkbox'],
  ['<div id=c role=menuitemcheckbox>x</div>', false, 'menuitemcheckbox'],
  ['<button id=c aria-pressed=true>x</button>', true, 'button'],
  ['<label id=c>x <input type=checkbox checked></label>', true, 'checkbox'],
]) {
  test(`checked state of ${html}`, async () => {
    const page = await browser.page(html);

    const state = await page.call('checked_state', { target: css('#c') });

    assert.equal(state.checked, checked);
    assert.equal(state.kind, kind);
  });
}

test('a half-checked box is mixed, a text field has no such state', async () => {
  const page = await browser.page('<input id=c type=checkbox><input id=t><script>c.indeterminate = true</script>');

  assert.equal((await page.call('checked_state', { target: css('#c') })).checked, 'mixed');
  assert.equal(code(await page.call('checked_state', { target: css('#t') })), 'wrong_element');
});

test('focus places the caret as asked', async () => {
  const page = await browser.page('<input id=f value=hello><div id=d contenteditable>rich <b>text</b></div>');
  const focus = (target, caret) => page.call('focus', { target: css(target), timeout_ms: 1000, caret });
  const selection = () => page.evaluate(() => [document.activeElement.id, f.selectionStart, f.selectionEnd]);

  const done = await focus('#f', 'end');
  assert.equal(done.editable, true);
  assert.equal(done.is_password, false);
  assert.deepEqual(await selection(), ['f', 5, 5]);
  await focus('#f', 'select_all');
  assert.deepEqual(await selection(), ['f', 0, 5]);
  await focus('#f', 'keep');
  assert.deepEqual(await selection(), ['f', 0, 5]);
  await focus('#d', 'select_all');
  assert.equal(await page.evaluate(() => getSelection().toString()), 'rich text');
});

test('focus tells password fields and refuses what cannot have it', async () => {
  const page = await browser.page('<input id=p type=password><p id=text>x</p><button id=b disabled>y</button>');
  const focus = (target, timeout_ms = 1000) => page.call('focus', { target: css(target), timeout_ms });

  assert.equal((await focus('#p')).is_password, true);
  assert.equal(code(await focus('#text')), 'not_enabled');
  assert.equal(code(await focus('#b', 30)), 'not_enabled');
});

test('blur takes the focus away', async () => {
  const page = await browser.page('<input id=f autofocus>');
  await page.call('focus', { target: css('#f'), timeout_ms: 1000 });

  await page.call('blur', { target: css('#f') });

  assert.equal(await page.evaluate(() => document.activeElement.localName), 'body');
});
