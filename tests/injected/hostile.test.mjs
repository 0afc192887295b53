// Pages that rewrite the platform, clobber names or throw: the isolated world does not notice.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, role, steps, text, useBrowser } from './harness.mjs';

const browser = useBrowser();

const SABOTAGE = `<script>
  for (const name of ['map', 'filter', 'push', 'slice', 'indexOf', 'includes', 'some', 'every', 'join', 'sort', 'concat', 'forEach'])
    Array.prototype[name] = () => { throw new Error('hostile ' + name); };
  Array.from = () => { throw new Error('hostile from'); };
  Map.prototype.get = Set.prototype.has = WeakMap.prototype.get = () => { throw new Error('hostile collection'); };
  String.prototype.trim = String.prototype.replace = RegExp.prototype.test = RegExp.prototype.exec = () => { throw new Error('hostile string'); };
  Object.defineProperty(Array.prototype, Symbol.iterator, { value() { throw new Error('hostile iterator'); } });
  for (const proto of [Element.prototype, Document.prototype, DocumentFragment.prototype])
    proto.querySelector = proto.querySelectorAll = () => { throw new Error('hostile query'); };
  Element.prototype.getAttribute = Element.prototype.matches = Element.prototype.closest = () => 'hostile';
  Element.prototype.getBoundingClientRect = () => ({ x: 1, y: 1, width: 0, height: 0 });
  Node.prototype.contains = () => false;
  Object.defineProperty(Node.prototype, 'parentNode', { get: () => null });
  Object.defineProperty(Node.prototype, 'textContent', { get: () => 'hostile' });
  window.getComputedStyle = () => { throw new Error('hostile style'); };
  document.elementFromPoint = () => null;
  JSON.stringify = () => '"hostile"';
  window.Promise = window.Node = window.Element = window.HTMLElement = undefined;
  delete window.Node;
  Object.freeze(Object.prototype);
  window.__falconer = { call: () => 'hostile' };
</script>`;

test('overridden prototypes and missing globals of the page do not matter', async () => {
  const page = await browser.page(`${SABOTAGE}<form aria-label=Login><label>Email <input id=e></label><button id=s>Sign in</button></form>`);
  for (const target of [role('button', 'sign in'), text('Sign in', 'exact'), css('form button'), steps({ engine: 'xpath', body: '//button' })]) {
    const { info } = await page.call('resolve', { target });
    assert.equal(info.description, 'button "Sign in" #"s"');
    assert.ok(info.rect.width > 10);
    assert.equal(info.visible, true);
  }
  const { selectors } = await page.call('describe', { target: steps({ engine: 'label', body: 'Email' }) });
  assert.equal(selectors[0].selector, 'role=textbox[name="Email"]');
});

test('the page can neither see nor replace the bundle', async () => {
  const page = await browser.page('<button>A</button>');
  assert.equal(await page.evaluate(() => typeof window.__falconer), 'undefined');
  await page.evaluate(() => {
    window.__falconer = { call: () => 'hostile' };
  });
  assert.equal((await page.call('query', { target: css('button') })).count, 1);
});

test('an element with the id of the global does not hide it', async () => {
  const page = await browser.page('<form id=__falconer name=__falconer><input name=call></form><button>A</button>');
  assert.equal((await page.call('query', { target: css('button') })).count, 1);
});

test('fields named like properties of a form do not change what the form is', async () => {
  const fields = [
    'id', 'name', 'tagName', 'localName', 'nodeType', 'nodeName', 'parentNode', 'parentElement', 'children', 'childNodes', 'firstChild',
    'nextSibling', 'firstElementChild', 'nextElementSibling', 'previousElementSibling', 'attributes', 'getAttribute', 'hasAttribute', 'matches',
    'closest', 'contains', 'querySelectorAll', 'getBoundingClientRect', 'getRootNode', 'isConnected', 'ownerDocument', 'shadowRoot', 'assignedSlot',
    'textContent', 'checkVisibility', 'compareDocumentPosition', 'isContentEditable', 'labels', 'error',
  ];
  const page = await browser.page(
    `<main><form id=f aria-label=Order role=form>${fields.map((name) => `<input name=${name} aria-label=${name}>`).join('')}<button>Go</button></form></main>`,
  );
  const { info, selectors } = await page.call('describe', { target: role('form', 'Order') });
  assert.equal(info.description, 'form "Order" #"f"');
  assert.equal(info.visible, true);
  assert.equal(selectors[0].selector, 'role=form[name="Order"]');
  assert.equal((await page.call('resolve', { target: { ref: info.ref } })).ref, info.ref);
  assert.equal((await page.call('query', { target: role('textbox'), limit: 100 })).count, fields.length);
  assert.equal((await page.call('resolve', { target: css('main form button') })).info.name, 'Go');
  assert.equal((await page.call('resolve', { target: text('Go', 'exact') })).info.name, 'Go');
  const { objectId } = await page.callForObject('element', { target: { ref: info.ref } });
  assert.ok(objectId);
});

test('images named like properties of the document do not matter', async () => {
  const names = ['querySelectorAll', 'evaluate', 'elementFromPoint', 'createRange', 'body', 'getElementById', 'nodeType'];
  const page = await browser.page(`${names.map((name) => `<img name=${name} src="data:,">`).join('')}<button>A</button>`);
  assert.equal((await page.call('resolve', { target: role('button') })).info.name, 'A');
  assert.equal((await page.call('query', { target: steps({ engine: 'xpath', body: '//img' }) })).count, names.length);
});

test('very deep and very long pages are handled', async () => {
  const page = await browser.page('<div id=top></div><p id=long></p>');
  await page.evaluate(() => {
    let at = document.getElementById('top');
    for (let i = 0; i < 1500; ++i) at = at.appendChild(document.createElement('div'));
    at.innerHTML = '<button>Bottom</button>';
    document.getElementById('long').textContent = 'word '.repeat(200_000);
  });
  assert.equal((await page.call('resolve', { target: text('Bottom', 'exact') })).info.name, 'Bottom');
  assert.equal((await page.call('resolve', { target: role('button') })).info.name, 'Bottom');
  assert.ok((await page.call('resolve', { target: css('#long') })).info.text.length <= 80);
  assert.ok((await page.call('describe', { target: css('#top') })).selectors.length > 0);
});

test('lone surrogates and control characters come back as JSON', async () => {
  const page = await browser.page('<button id=a></button>');
  await page.evaluate(() => {
    document.getElementById('a').textContent = `${'x'.repeat(58)}\u{1f600}\u{1f600} \ud800 \u0000`;
  });
  const { info } = await page.call('resolve', { target: css('#a') });
  assert.match(info.description, /^button "x+/);
  assert.doesNotThrow(() => encodeURIComponent(info.description.slice(0, 66)));
});

test('documents that are not HTML answer too', async () => {
  const page = await browser.blank();
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><a href="/"><text id="t" y="20">Tea</text></a></svg>';
  await page.goto(browser.site.add((_, response) => response.writeHead(200, { 'content-type': 'image/svg+xml' }).end(svg)));
  assert.equal((await page.call('resolve', { target: text('Tea', 'exact') })).info.tag, 'text');
  assert.equal((await page.call('resolve', { target: role('link', 'Tea') })).info.tag, 'a');
  assert.equal((await page.call('query', { target: role('button') })).count, 0);
});
