// What is told about the element that an action is about to meet.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();

const prepare = (page, target, options = {}) =>
  page.call('prepare', { target, action: 'click', timeout_ms: 5000, stable: 'fast', token: 't', meet: true, ...options });

async function metBy(html, selector, options) {
  const page = await browser.page(html);
  const answer = await prepare(page, css(selector), options);
  assert.ok(answer.met, JSON.stringify(answer));
  return answer.met;
}

const resolved = (page, path) => page.evaluate((relative) => new URL(relative, location.href).href, path);

test('a button of no form is told by its words', async () => {
  const met = await metBy('<button id=save data-testid=s>Save <b>draft</b></button>', '#save');

  assert.deepEqual(met, {
    role: 'button', name: 'Save draft', label: 'Save draft', tag: 'button', type: 'submit', identifier: 'save', href: '', form: null,
  });
});

test('nothing is told unless it is asked for', async () => {
  const page = await browser.page('<button id=b>x</button>');

  const answer = await prepare(page, css('#b'), { meet: undefined });

  assert.equal(answer.met, undefined);
});

test('a form is told with what it asks for, but not with what is secret', async () => {
  const page = await browser.page(`<form action="/pay?x=1" method=post aria-label="Payment">
    <label>Card number <input name=card autocomplete=cc-number value=4111111111111111></label>
    <label>Password <input name=pw type=password value=hunter2></label>
    <label>One-time code <input name=code value=123456 autocomplete=one-time-code></label>
    <label>Amount <input name=amount value=12.50></label>
    <label>Note <textarea name=note>for rent</textarea></label>
    <label>Currency <select name=cur><option>EUR<option selected>USD</select></label>
    <label>Agree <input type=checkbox name=agree value=yes></label>
    <input type=hidden name=csrf_token value=abcdef><input type=hidden name=total value=99>
    <button id=pay name=go>Pay now</button></form>`);

  const { met } = await prepare(page, css('#pay'));

  assert.equal(met.form.action, await resolved(page, '/pay?x=1'));
  assert.equal(met.form.method, 'post');
  assert.equal(met.form.name, 'Payment');
  assert.equal(met.form.submit, 'Pay now');
  assert.deepEqual(met.form.fields.map(({ name, type, value }) => [name, type, value]), [
    ['card', 'text', ''], ['pw', 'password', ''], ['code', 'text', ''], ['amount', 'text', '12.50'], ['note', 'textarea', 'for rent'],
    ['cur', 'select', 'USD'], ['agree', 'checkbox', ''], ['csrf_token', 'hidden', ''], ['total', 'hidden', '99'],
  ]);
  assert.equal(met.form.fields[0].label, 'Card number');
  assert.equal(met.form.fields[0].autocomplete, 'cc-number');
});

test('the button overrules where and how its form is sent', async () => {
  const page = await browser.page(`<form action="/save" method=get><input name=q>
    <button id=del formaction="/delete" formmethod=post>Delete</button></form>`);

  const { met } = await prepare(page, css('#del'));

  assert.equal(met.form.action, await resolved(page, '/delete'));
  assert.equal(met.form.method, 'post');
});

test('a button outside names its form by id', async () => {
  const page = await browser.page('<form id=f action="/f" method=post><input name=a></form><p><button id=b form=f>Send</button>');

  const { met } = await prepare(page, css('#b'));

  assert.equal(met.form.action, await resolved(page, '/f'));
  assert.deepEqual(met.form.fields.map(({ name }) => name), ['a']);
});

test('fields that hide the properties of their form change nothing', async () => {
  const page = await browser.page(`<form action="/real" method=post>
    <input name=action value=/fake><input name=method value=get><input name=elements><input name=id><input name=getRootNode>
    <button id=b>Send</button></form>`);

  const { met } = await prepare(page, css('#b'));

  assert.equal(met.form.action, await resolved(page, '/real'));
  assert.equal(met.form.method, 'post');
  assert.equal(met.form.fields.length, 5);
});

test('scripts of the page cannot answer for the browser', async () => {
  const page = await browser.page(`<form action="/real" method=post><input name=a><button id=b>Delete all</button></form>
    <a id=l href="/real">x</a><script>
      const lie = (proto, name, value) => Object.defineProperty(proto, name, { get: () => value, configurable: true });
      lie(HTMLFormElement.prototype, 'action', '/fake'); lie(HTMLFormElement.prototype, 'method', 'get');
      lie(HTMLButtonElement.prototype, 'form', null); lie(HTMLButtonElement.prototype, 'type', 'button');
      lie(HTMLAnchorElement.prototype, 'href', 'https://fake/'); lie(Node.prototype, 'textContent', 'harmless');
      Element.prototype.getAttribute = () => 'fake'; Element.prototype.closest = () => null;
    </script>`);

  const { met } = await prepare(page, css('#b'));
  const link = (await prepare(page, css('#l'))).met;

  assert.equal(met.form.action, await resolved(page, '/real'));
  assert.equal(met.form.method, 'post');
  assert.equal(met.name, 'Delete all');
  assert.equal(link.href, await resolved(page, '/real'));
});

for (const [what, html, selector, expected] of [
  ['a picture in a link', '<a href="/out"><svg id=t width=40 height=40><rect width=40 height=40 /></svg></a>', '#t', { tag: 'a', role: 'link' }],
  ['an icon in a button', '<button>Delete <i id=t>x</i></button>', '#t', { tag: 'button', name: 'Delete x' }],
  ['a role', '<div role=button tabindex=0 id=t aria-label="Buy it">b</div>', '#t', { role: 'button', name: 'Buy it', label: 'b' }],
  ['a label', '<label id=t for=c>Accept</label><input type=checkbox id=c>', '#t', { tag: 'input', type: 'checkbox', name: 'Accept' }],
  ['an area with the pointing cursor', '<div style="cursor:pointer" id=o><p id=t>Remove account</p></div>', '#t', { identifier: 'o', label: 'Remove account' }],
  ['a named area that holds a button', '<div id=t style="padding:1px"><button style="width:900px;height:300px">Delete</button></div>', '#t', { tag: 'button', name: 'Delete' }],
]) {
  test(`${what} is told as what reacts to the press`, async () => {
    const met = await metBy(html, selector);

    for (const [key, value] of Object.entries(expected)) assert.equal(met[key], value, key);
  });
}

test('a link around a button is told with it', async () => {
  const page = await browser.page('<a href="/account/delete"><button type=button id=t>Go</button></a>');

  const { met } = await prepare(page, css('#t'));

  assert.equal(met.tag, 'button');
  assert.equal(met.href, await resolved(page, '/account/delete'));
});

test('a link in a form does not send it, one that leads nowhere may', async () => {
  const form = (link) => `<form method=post action=/f><input name=a>${link}</form>`;

  assert.equal((await metBy(form('<a id=t href="/help">Help</a>'), '#t')).form, null);
  assert.equal((await metBy(form('<a id=t href="#" onclick="x()">Send</a>'), '#t')).form.method, 'post');
  assert.equal((await metBy(form('<a id=t href="javascript:send()">Send</a>'), '#t')).form.method, 'post');
});

test('fields without a form belong to the button they stand with', async () => {
  const met = await metBy('<div><div><input name=cc autocomplete=cc-number></div><div><span role=button tabindex=0 id=t>Pay</span></div></div>', '#t');

  assert.equal(met.form.method, '');
  assert.equal(met.form.submit, 'Pay');
  assert.deepEqual(met.form.fields.map(({ autocomplete }) => autocomplete), ['cc-number']);
});

test('a long form tells first what asks for most', async () => {
  const many = Array.from({ length: 200 }, (_, i) => `<input name=n${i}>`).join('');
  const met = await metBy(`<form method=post>${many}<input type=password name=pw><button id=t>Go</button></form>`, '#t');

  assert.equal(met.form.fields.length, 64);
  assert.equal(met.form.fields[0].name, 'pw');
});

test('elements of shadow trees are told', async () => {
  const page = await browser.page(`<x-pay></x-pay><script>
    document.querySelector('x-pay').attachShadow({ mode: 'open' }).innerHTML =
      '<form action="/in" method=post><input name=a type=password><button id=t>Pay</button></form>';</script>`);

  const { met } = await prepare(page, css('#t'));

  assert.equal(met.form.action, await resolved(page, '/in'));
  assert.deepEqual(met.form.fields.map(({ name }) => name), ['a']);
});

test('a search form says so', async () => {
  assert.equal((await metBy('<search><form><input name=q><button id=t>Go</button></form></search>', '#t')).form.role, 'search');
  assert.equal((await metBy('<form role=search><input name=q><button id=t>Go</button></form>', '#t')).form.role, 'search');
});

for (const [name, args] of [['fill', { value: 'x' }], ['focus', { caret: 'end' }]]) {
  test(`${name} tells the field and its form, and does nothing yet`, async () => {
    const page = await browser.page('<form action="/f" method=post><label>Name <input id=t name=n></label><button>Send it</button></form>');

    const answer = await page.call(name, { target: css('#t'), timeout_ms: 1000, meet: true, ...args });

    assert.equal(answer.met.label, 'Name');
    assert.equal(answer.met.form.submit, 'Send it');
    assert.equal(answer.met.form.method, 'post');
    assert.equal(await page.evaluate(() => document.querySelector('#t').value + document.activeElement.tagName), 'BODY');

    const again = { target: { handle: answer.handle }, timeout_ms: 1000, token: 'k', met_as: answer.met_as, ...args };
    await page.evaluate(() => (document.querySelector('form').action = '/elsewhere'));
    assert.equal((await page.call(name, again)).error.code, 'detached');
    await page.evaluate(() => (document.querySelector('form').action = '/f'));
    assert.equal((await page.call(name, again)).error, undefined);
  });
}

test('select tells the list before it chooses', async () => {
  const page = await browser.page('<select id=t name=s><option>a<option>b</select>');

  const answer = await page.call('select', { target: css('#t'), options: [{ value: 'b' }], timeout_ms: 1000, meet: true });

  assert.equal(answer.met.tag, 'select');
  assert.equal(await page.evaluate(() => document.querySelector('#t').value), 'a');
});

test('keys go to what has the focus', async () => {
  const page = await browser.page('<form action="/go" method=post><input id=t name=n><button>Go</button></form>');
  assert.deepEqual(await page.call('focused', { token: 'k' }), { focused: false, page_has_it: true });
  await page.evaluate(() => document.querySelector('#t').focus());

  const { met, focused } = await page.call('focused', { token: 'k' });

  assert.equal(focused, true);
  assert.equal(met.identifier, 't');
  assert.equal(met.form.action, await resolved(page, '/go'));
});

async function pressAt(page, { x, y }) {
  await page.mouse.click(x, y);
  return page.call('hit_result', { token: 't', disarm: true });
}

for (const [what, change] of [
  ['a form that is sent elsewhere by then', () => (document.querySelector('form').action = '/evil')],
  ['a button in its place', () => (document.querySelector('#t').outerHTML = '<button id=u type=button style="width:80px;height:40px">Delete</button>')],
]) {
  test(`${what} is not pressed`, async () => {
    const page = await browser.page(`<form action="/good" onsubmit="window.sent = 1; return false"><button id=t style="width:80px;height:40px">Save</button></form>
      <script>addEventListener('click', () => { window.clicked = 1; });</script>`);
    const { point } = await prepare(page, css('#t'));

    await page.evaluate(change);
    const seen = await pressAt(page, point);

    assert.equal(seen.hit, false);
    assert.deepEqual(await page.evaluate(() => [window.sent, window.clicked]), [null, null]);
  });
}

test('what was decided on is pressed', async () => {
  const page = await browser.page('<form onsubmit="window.sent = 1; return false"><button id=t>Save</button></form>');
  const { point } = await prepare(page, css('#t'));

  assert.equal((await pressAt(page, point)).hit, true);
  assert.equal(await page.evaluate(() => window.sent), 1);
});

test('a forced press reaches only what was decided on', async () => {
  const page = await browser.page('<button id=t style="position:absolute;left:0;top:0">Save</button><div id=veil style="position:fixed;inset:0" onclick="window.hit = 1">veil</div>');
  const { met, point } = await prepare(page, css('#t'), { force: true });

  assert.equal(met.identifier, 'veil');
  await page.evaluate(() => document.querySelector('#veil').remove());
  assert.equal((await pressAt(page, point)).hit, false);
});
