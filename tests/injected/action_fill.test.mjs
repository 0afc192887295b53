// fill: every kind of field, the events the page sees, and refusals.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, steps, useBrowser } from './harness.mjs';

const browser = useBrowser();

const fill = (page, target, value, options = {}) => page.call('fill', { target, value, timeout_ms: 2000, ...options });
const valueOf = (page, selector = '#f') => page.evaluate((s) => document.querySelector(s).value, selector);
const code = (answer) => answer.error?.code ?? `no failure: ${JSON.stringify(answer)}`;

for (const type of ['text', 'email', 'password', 'search', 'tel', 'url']) {
  test(`fills an input of type ${type} and replaces what it held`, async () => {
    const page = await browser.page(`<input id=f type=${type} value=old>`);

    const done = await fill(page, css('#f'), 'a@b.example');

    assert.equal(await valueOf(page), 'a@b.example');
    assert.equal(done.value_matches, true);
    assert.equal(done.value_length, 11);
    assert.equal(done.needs_insert_text, undefined);
    assert.doesNotMatch(JSON.stringify(done), /a@b/);
  });
}

test('the page sees trusted events, and a change when the field is left', async () => {
  const page = await browser.page(
    '<input id=f value=old><script>window.log = []; for (const t of ["focus","input","change","blur"])' +
      'f.addEventListener(t, (e) => log.push([t, e.isTrusted, f.value]))</script>',
  );

  await fill(page, css('#f'), 'new');
  await page.call('blur', { target: css('#f') });

  assert.deepEqual(await page.evaluate(() => window.log), [
    ['focus', true, 'old'],
    ['input', true, 'new'],
    ['change', true, 'new'],
    ['blur', true, 'new'],
  ]);
});

test('an empty value clears the field', async () => {
  const page = await browser.page('<input id=f value=old><textarea id=t>old</textarea>');

  assert.equal((await fill(page, css('#f'), '')).value_matches, true);
  assert.equal((await fill(page, css('#t'), '')).value_matches, true);

  assert.deepEqual(await page.evaluate(() => [f.value, t.value]), ['', '']);
});

test('an empty field stays empty without complaint', async () => {
  const page = await browser.page('<input id=f>');

  const done = await fill(page, css('#f'), '');

  assert.equal(done.value_matches, true);
  assert.equal(done.needs_insert_text, undefined);
});

test('lines are kept in a textarea', async () => {
  const page = await browser.page('<textarea id=f></textarea>');

  const done = await fill(page, css('#f'), 'one\ntwo\n\nfour');

  assert.equal(await valueOf(page), 'one\ntwo\n\nfour');
  assert.equal(done.value_matches, true);
});

// What the driver does when a field asks for it.
async function fillRich(page, target, value) {
  const asked = await fill(page, target, value);
  assert.equal(asked.needs_insert_text, true);
  await page.send('Input.insertText', { text: value });
  return page.call('check_value', { target, value, timeout_ms: 2000 });
}

test('rich text is selected as a whole for the driver to replace', async () => {
  const page = await browser.page('<div id=d contenteditable><p>old</p><p>text</p></div>');

  assert.equal((await fillRich(page, css('#d'), 'new\ntext')).value_matches, true);
  assert.equal((await fillRich(page, css('#d'), '')).value_matches, true);
});

test('an editor that handles the input itself is given its time', async () => {
  const page = await browser.page(
    '<div id=d contenteditable>old</div><script>window.log = []; document.addEventListener("selectionchange", () => log.push("selected"));' +
      'd.addEventListener("beforeinput", (e) => { e.preventDefault(); log.push("offered");' +
      'requestAnimationFrame(() => requestAnimationFrame(() => { d.textContent = e.data })) })</script>',
  );

  assert.equal((await fillRich(page, css('#d'), 'typed')).value_matches, true);
  assert.deepEqual((await page.evaluate(() => window.log)).slice(0, 2), ['selected', 'offered']);
});

test('check_value tells whether, never what', async () => {
  const page = await browser.page('<input id=f type=password value=hunter2>');
  const check = (value) => page.call('check_value', { target: css('#f'), value, timeout_ms: 20 });

  assert.equal((await check('hunter2')).value_matches, true);
  const differs = await check('x');
  assert.equal(differs.value_matches, false);
  assert.doesNotMatch(JSON.stringify(differs), /hunter2/);
});

test('a field that formats what is typed reports that it differs', async () => {
  const page = await browser.page('<input id=f><script>f.addEventListener("input", () => { f.value = f.value.toUpperCase() })</script>');

  const done = await fill(page, css('#f'), 'abc');

  assert.equal(await valueOf(page), 'ABC');
  assert.equal(done.value_matches, false);
  assert.equal(done.needs_insert_text, undefined);
});

test('the longest value a field takes is respected', async () => {
  const page = await browser.page('<input id=f maxlength=3>');

  const done = await fill(page, css('#f'), 'abcdef');

  assert.equal(done.value_length, 3);
  assert.equal(done.value_matches, false);
});

test('a framework that watches the value property sees the change', async () => {
  const page = await browser.page(
    '<input id=f type=range min=0 max=10 value=1><script>let tracked = f.value; const d = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value");' +
      'Object.defineProperty(f, "value", { get() { return d.get.call(f) }, set(v) { tracked = v; d.set.call(f, v) } });' +
      'window.changes = []; f.addEventListener("input", () => { if (f.value !== tracked) { tracked = f.value; changes.push(f.value) } })</script>',
  );

  await fill(page, css('#f'), '7');

  assert.deepEqual(await page.evaluate(() => window.changes), ['7']);
});

for (const [type, value, stored = value] of [
  ['color', '#FF0080', '#ff0080'],
  ['date', '2026-02-28'],
  ['time', '13:45'],
  ['datetime-local', '2026-02-28T13:45'],
  ['datetime-local', '2026-02-28T13:45:00', '2026-02-28T13:45'],
  ['datetime-local', '2026-02-28 13:45', '2026-02-28T13:45'],
  ['month', '2026-02'],
  ['week', '2026-W05'],
  ['range', '42'],
  ['number', ' 12.5 ', '12.5'],
  ['number', '-3e2', '-3e2'],
]) {
  test(`${type} takes ${JSON.stringify(value)}`, async () => {
    const page = await browser.page(
      `<input id=f type=${type} step=any><script>window.log = []; for (const t of ["input","change"]) f.addEventListener(t, () => log.push(t))</script>`,
    );

    const done = await fill(page, css('#f'), value);

    assert.equal(done.value_matches, true, JSON.stringify(done));
    assert.equal(await valueOf(page), stored);
    assert.ok((await page.evaluate(() => window.log)).includes('input'));
  });
}

for (const [type, value] of [
  ['date', 'tomorrow'],
  ['date', '2026-02-31'],
  ['color', 'red-ish'],
  ['range', '5000'],
  ['number', 'twelve'],
]) {
  test(`${type} refuses ${JSON.stringify(value)} and keeps its value`, async () => {
    const page = await browser.page(`<input id=f type=${type}>`);
    const before = await valueOf(page);

    const answer = await fill(page, css('#f'), value);

    assert.equal(code(answer), 'wrong_value');
    assert.doesNotMatch(answer.error.message, new RegExp(value));
    assert.equal(await valueOf(page), before);
  });
}

for (const html of [
  '<input id=f type=checkbox>',
  '<input id=f type=radio>',
  '<input id=f type=file>',
  '<input id=f type=submit>',
  '<select id=f><option>a</select>',
  '<div id=f>text</div>',
]) {
  test(`${html} cannot be filled`, async () => {
    const page = await browser.page(html);

    assert.equal(code(await fill(page, css('#f'), 'x', { timeout_ms: 1_000_000 })), 'wrong_element');
  });
}

test('waits until the field can be written', async () => {
  const page = await browser.page('<input id=f readonly>');

  assert.equal(code(await fill(page, css('#f'), 'x', { timeout_ms: 40 })), 'not_editable');
  const pending = fill(page, css('#f'), 'x');
  await page.evaluate(() => (document.querySelector('#f').readOnly = false));

  assert.equal((await pending).value_matches, true);
});

test('a label stands for its field', async () => {
  const page = await browser.page('<label id=l>Name <input id=f></label>');

  await fill(page, css('#l'), 'Ann');

  assert.equal(await valueOf(page), 'Ann');
});

test('fills inside a shadow root', async () => {
  const page = await browser.page(
    '<x-f></x-f><script>customElements.define("x-f", class extends HTMLElement { connectedCallback() {' +
      'this.attachShadow({mode:"open"}).innerHTML = "<input id=f><div id=d contenteditable>old</div>"; } })</script>',
  );

  assert.equal((await fill(page, css('#f'), 'deep')).value_matches, true);
  assert.equal((await fillRich(page, css('#d'), 'rich')).value_matches, true);
});

test('never writes into another field that grabbed the focus', async () => {
  const page = await browser.page('<input id=f><input id=thief><script>f.addEventListener("focus", () => thief.focus())</script>');

  const answer = await fill(page, css('#f'), 'secret');

  assert.equal(code(answer), 'not_enabled');
  assert.match(answer.error.detail.focused, /#"thief"/);
  assert.equal(await valueOf(page, '#thief'), '');
});

test('a field is found by its label engine and filled', async () => {
  const page = await browser.page('<label for=f>Email</label><input id=f>');

  await fill(page, steps({ engine: 'label', body: 'Email', mode: 'exact' }), 'x');

  assert.equal(await valueOf(page), 'x');
});
