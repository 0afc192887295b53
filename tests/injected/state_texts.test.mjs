// What the state reads: texts, forms, errors; and what it must not read.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './harness.mjs';

const browser = useBrowser();

async function stateOf(html, args = {}) {
  const page = await browser.page(html);
  const state = await page.call('state', args);
  assert.equal(state.error, undefined, JSON.stringify(state.error));
  return state;
}

const texts = ({ texts: list }) => list.map(({ kind, text }) => `${kind}: ${text}`);

test('merges inline runs into their block and tells kinds', async () => {
  const state = await stateOf(`
    <h2>Your <em>order</em></h2><p>By clicking <a href="/t">Terms</a> you <b>agree</b>.<br>Really.</p>
    <ul><li>First</li><li><div>Second</div></li></ul><div role="status">Saved</div><div>Plain<div>Nested</div>tail</div>`);
  assert.deepEqual(texts(state), [
    'heading: Your order', 'text: By clicking Terms you agree. Really.', 'list: First', 'list: Second', 'status: Saved',
    'text: Plain', 'text: Nested', 'text: tail',
  ]);
  assert.equal(state.texts[0].level, 2);
  assert.match(state.texts[0].ref, /^d\d+e\d+$/);
});

test('the cells of a row are one text', async () => {
  const state = await stateOf('<table><tr><th>Name</th><th>Age</th></tr><tr><td>Ann</td><td>7</td><td><button>Edit</button></td></tr></table>');
  assert.deepEqual(texts(state), ['cell: Name | Age', 'cell: Ann | 7']);
});

test('drops what a control already says', async () => {
  const state = await stateOf(`
    <label for="e">Email</label><input id="e"><label>Name <input></label><a href="/x"><h3>Card title</h3></a><li><a href="/y">Item</a></li>
    <a href="/a">One</a> | <a href="/b">Two</a><button>Save</button><p>Save</p>`);
  assert.deepEqual(texts(state), []);
});

test('does not read what people cannot see', async () => {
  const state = await stateOf(`
    <p style="color:transparent">a</p><p style="font-size:0">b</p><p style="opacity:0">c</p><p style="visibility:hidden">d</p><p hidden>e</p>
    <p style="position:absolute;left:-5000px">f</p><p style="position:absolute;width:1px;height:1px;overflow:hidden">g</p>
    <p>seen <span style="opacity:0">h</span><span style="display:none">i</span>too</p><noscript>j</noscript><template>k</template>
    <details><summary>More</summary>l</details><div style="height:9000px"></div><p>m</p>`);
  assert.deepEqual(texts(state), ['text: seen too']);
});

test('texts and their number are bounded', async () => {
  const state = await stateOf(`<style>p{margin:0}</style><p>${'word '.repeat(500)}</p>${'<p>x</p>'.repeat(15)}`, { limits: { texts: 5 } });
  assert.equal(state.texts.length, 5);
  assert.ok(state.texts[0].text.length <= 160);
  assert.equal(state.counts.texts_total, 16);
  assert.equal(state.counts.texts_omitted, 11);
});

test('never leaves half a character behind when it cuts', async () => {
  const state = await stateOf(`<p>${'x'.repeat(158)}${'\u{1F600}'.repeat(5)}</p>`);
  assert.ok(state.texts[0].text.isWellFormed?.() ?? !/[\ud800-\udbff](?![\udc00-\udfff])/.test(state.texts[0].text));
});

test('describes a form by its fields, what is missing, and what sends it', async () => {
  const { forms, elements } = await stateOf(`
    <form aria-label="Sign up"><input aria-label="Name" required><input type="email" aria-label="Email" value="x@y.z" required aria-invalid="true">
    <input type="radio" name="r" required aria-label="R1"><input type="radio" name="r" required aria-label="R2">
    <button type="button">Help</button><button>Join</button></form><input form="other" aria-label="Away"><form id="other"></form>`);
  const ref = (name) => elements.find((element) => element.name === name).ref;
  assert.equal(forms.length, 2);
  assert.deepEqual(forms[0], {
    ref: elements[0].form,
    name: 'Sign up',
    fields: ['Name', 'Email', 'R1', 'R2'].map(ref),
    required_missing: 2,
    submit: ref('Join'),
    invalid: [ref('Email')],
  });
  assert.deepEqual(forms[1].fields, [ref('Away')]);
  assert.equal(forms[1].submit, null);
});

test('links errors to their fields by reference, by nearness, or not at all', async () => {
  const { errors, elements } = await stateOf(`
    <div role="alert">Payment failed</div>
    <p><input aria-label="A" aria-errormessage="ea" aria-invalid="true"></p><p><input aria-label="B" aria-describedby="eb"></p>
    <p id="ea" class="error">A is wrong</p><p id="eb" class="field-error">B is wrong</p>
    <div><div><input aria-label="C"></div><div class="invalid-feedback">C is wrong</div></div>
    <div class="error"><label>D <input></label></div><div aria-live="assertive"></div><span class="error" hidden>hidden</span>`);
  const ref = (name) => elements.find((element) => element.name === name).ref;
  assert.deepEqual(errors.map(({ kind, text, field }) => [kind, text, field]), [
    ['banner', 'Payment failed', null],
    ['field', 'A is wrong', ref('A')],
    ['field', 'B is wrong', ref('B')],
    ['field', 'C is wrong', ref('C')],
  ]);
});

test('an error above the viewport is still reported, its text not twice', async () => {
  const page = await browser.page('<div role="alert">Fix the form</div><div style="height:4000px"></div><button>Send</button>');
  assert.deepEqual((await page.call('state')).texts, []);
  await page.evaluate(() => scrollTo(0, 1e6));
  assert.deepEqual((await page.call('state')).errors.map(({ text }) => text), ['Fix the form']);
});

test('a field that the browser itself finds wrong is an error in its words', async () => {
  const page = await browser.page('<form><input type="email" aria-label="Email" required><button>Go</button></form>');
  assert.deepEqual((await page.call('state')).errors, []);
  await page.evaluate(() => document.querySelector('form').requestSubmit());
  const { errors, elements, forms } = await page.call('state');
  assert.equal(errors.length, 1);
  assert.equal(errors[0].field, elements[0].ref);
  assert.ok(errors[0].text.length > 0);
  assert.deepEqual(forms[0].invalid, [elements[0].ref]);
});

const SECRETS = [
  '<input type="password" aria-label="x" value="S3CRET">',
  '<input autocomplete="one-time-code" aria-label="x" value="S3CRET">',
  '<input autocomplete="section-a cc-number" aria-label="x" value="S3CRET">',
  '<input autocomplete="cc-exp" aria-label="x" value="S3CRET">',
  '<input name="userPin" aria-label="x" value="S3CRET">',
  '<input id="api_token" aria-label="x" value="S3CRET">',
  '<label>CVV <input value="S3CRET"></label>',
  '<textarea aria-label="Secret">S3CRET</textarea>',
  '<input aria-label="x" style="-webkit-text-security:disc" value="S3CRET">',
  '<div contenteditable="true" aria-label="Passwort">S3CRET</div>',
  '<select autocomplete="cc-exp-month" aria-label="x"><option>01<option selected value="S3CRET">S3CRET2</select>',
];

test('the value of a secret field is never shown, only whether there is one', async () => {
  const page = await browser.page(SECRETS.map((field) => `<p>${field}</p>`).join(''));
  const state = await page.call('state');
  assert.equal(state.elements.length, SECRETS.length);
  for (const element of state.elements) {
    assert.deepEqual([element.secret, element.filled, element.value_hint], [true, true, undefined], element.name);
  }
  assert.ok(!JSON.stringify(state).replaceAll('S3CRET2', '').includes('S3CRET'));
  const found = await page.call('find', { text: 'S3CRET' });
  assert.ok(!JSON.stringify(found).includes('S3CRET'));
});

test('a shown password stays a secret', async () => {
  const page = await browser.page('<input id="x1" type="password" aria-label="Key" value="S3CRET">');
  await page.call('state');
  await page.evaluate(() => (document.querySelector('input').type = 'text'));
  assert.equal((await page.call('state')).elements[0].secret, true);
});

test('harmless fields are not taken for secrets', async () => {
  const state = await stateOf('<input name="shipping" aria-label="Shipping" value="fast"><input name="opinion" aria-label="Opinion" value="good">');
  assert.deepEqual(state.elements.map(({ value_hint }) => value_hint), ['fast', 'good']);
});
