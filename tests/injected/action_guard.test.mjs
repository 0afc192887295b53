// The hit guard: what is pressed is what was prepared, or nothing reaches the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();

// A page that logs every press event that reaches it.
const LOG =
  '<script>window.log = []; for (const type of ["pointerdown","mousedown","pointerup","mouseup","click","auxclick","contextmenu","dblclick"])' +
  'document.addEventListener(type, (e) => log.push(type + ":" + (e.target.id || e.target.localName)), true);</script>';
const BUTTON = '<button id=b style="position:absolute;left:0;top:0;width:100px;height:40px">Save</button>';
const VEIL = '<div id=veil style="position:fixed;inset:0">Loading</div>';

async function guarded(html, options = {}) {
  const page = await browser.page(LOG + html);
  const ready = await page.call('prepare', { target: css('#b'), action: 'click', timeout_ms: 5000, token: 'k1', ...options });
  return { page, ready, report: () => page.call('hit_result', { token: 'k1' }) };
}

const logOf = (page) => page.evaluate(() => window.log);
const resultOf = (page) => page.call('hit_result', { token: 'k1', disarm: true });
const addVeil = (page) => page.evaluate((html) => document.body.insertAdjacentHTML('beforeend', html), VEIL);

test('a press that reaches its target is let through and reported', async () => {
  const { page, ready, report } = await guarded(BUTTON);

  await page.mouse.click(ready.point.x, ready.point.y);

  const events = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click'];
  assert.deepEqual(await report(), { armed: true, hit: true, events, click_delivered: true });
  assert.deepEqual(await logOf(page), events.map((type) => `${type}:b`));
  assert.deepEqual(await resultOf(page), { armed: true, hit: true, events, click_delivered: true });
  assert.equal((await resultOf(page)).armed, false);
});

test('a report tells how the page has changed since it was seen', async () => {
  const { page, ready } = await guarded(BUTTON);
  const { content_hash } = await page.call('state', { doc: 1 });
  await page.evaluate(() => (document.querySelector('#b').onclick = (e) => (e.target.textContent = 'Saved')));
  await page.mouse.click(ready.point.x, ready.point.y);

  const { hit, state } = await page.call('hit_result', { token: 'k1', before: { content_hash, doc: 1 } });
  const again = await page.call('hit_result', { token: 'k1', before: { content_hash: state.content_hash, doc: 1 } });

  assert.equal(hit, true);
  assert.equal(state.elements[0].name, 'Saved');
  assert.equal(again.state, undefined);
});

test('an overlay that comes in between takes nothing and is named', async () => {
  const { page, ready, report } = await guarded(BUTTON);

  await addVeil(page);
  await page.mouse.click(ready.point.x, ready.point.y);

  const told = await report();
  assert.equal(told.hit, false);
  assert.equal(told.click_delivered, false);
  assert.match(told.interceptor.description, /#"veil"/);
  assert.deepEqual(await logOf(page), []);
  assert.deepEqual((await resultOf(page)).events, []);
});

test('the default action of a wrong target is stopped too', async () => {
  const { page, ready } = await guarded(BUTTON);

  await page.evaluate(() => {
    document.body.insertAdjacentHTML('beforeend', '<label style="position:fixed;inset:0"><input id=trap type=checkbox></label>');
  });
  await page.mouse.click(ready.point.x, ready.point.y);

  assert.equal(await page.evaluate(() => document.querySelector('#trap').checked), false);
});

test('after a blocked press the page is free again', async () => {
  const { page, ready } = await guarded(BUTTON);
  await addVeil(page);
  await page.mouse.click(ready.point.x, ready.point.y);

  await page.mouse.click(ready.point.x, ready.point.y);

  assert.ok((await logOf(page)).includes('click:veil'));
});

test('an element that its own press removes still counts as hit', async () => {
  const { page, ready, report } = await guarded(`${BUTTON}<script>b.addEventListener("mousedown", () => b.remove())</script>`);

  await page.mouse.click(ready.point.x, ready.point.y);

  const told = await report();
  assert.equal(told.hit, true);
  assert.ok(told.events.includes('mousedown'));
});

test('an equal element in its place is not the target', async () => {
  const { page, ready, report } = await guarded(`<div id=root>${BUTTON}</div>`);

  await page.evaluate(() => (document.querySelector('#root').innerHTML += ''));
  await page.mouse.click(ready.point.x, ready.point.y);

  assert.equal((await report()).hit, false);
  assert.deepEqual(await logOf(page), []);
});

test('a double click is reported at its second click', async () => {
  const { page, ready, report } = await guarded(BUTTON, { count: 2 });
  const { x, y } = ready.point;

  await page.mouse.click(x, y);
  assert.equal((await report()).click_delivered, false);
  await page.mouse.click(x, y, { clickCount: 2 });

  assert.equal((await report()).events.filter((type) => type === 'click').length, 2);
  assert.ok((await resultOf(page)).events.includes('dblclick'));
});

test('right and middle buttons have their own effect', async () => {
  const right = await guarded(BUTTON, { button: 'right' });
  await right.page.mouse.click(right.ready.point.x, right.ready.point.y, { button: 'right' });
  assert.ok((await right.report()).events.includes('contextmenu'));

  const middle = await guarded(BUTTON, { button: 'middle' });
  await middle.page.mouse.click(middle.ready.point.x, middle.ready.point.y, { button: 'middle' });
  assert.ok((await middle.report()).events.includes('auxclick'));
});

test('a hover is judged by the first move', async () => {
  const over = await guarded(BUTTON, { action: 'hover' });
  await over.page.mouse.move(over.ready.point.x, over.ready.point.y);
  assert.equal((await over.report()).hit, true);

  const covered = await guarded(BUTTON, { action: 'hover' });
  await addVeil(covered.page);
  await covered.page.mouse.move(covered.ready.point.x, covered.ready.point.y);
  assert.equal((await covered.report()).hit, false);
});

test('a hover does not judge presses', async () => {
  const first = await guarded(BUTTON);
  await first.page.call('prepare', { target: css('#b'), action: 'hover', timeout_ms: 5000, token: 'k1' });
  await addVeil(first.page);

  await first.page.mouse.down(first.ready.point.x, first.ready.point.y);

  assert.ok((await logOf(first.page)).includes('mousedown:veil'));
});

test('a document written anew is guarded too', async () => {
  const { page } = await guarded(BUTTON);
  await page.evaluate((html) => {
    document.open();
    document.write(html);
    document.close();
  }, BUTTON);
  const ready = await page.call('prepare', { target: css('#b'), action: 'click', timeout_ms: 5000, token: 'k1' });

  await page.mouse.click(ready.point.x, ready.point.y);

  assert.equal((await resultOf(page)).click_delivered, true);
});

test('a drag is judged by its press and may end anywhere', async () => {
  const { page, ready, report } = await guarded(`${BUTTON}<div id=there style="position:absolute;left:300px;top:0;width:50px;height:50px"></div>`, {
    action: 'drag',
  });

  await page.mouse.down(ready.point.x, ready.point.y);
  assert.equal((await report()).hit, true);
  await page.mouse.up(320, 20);

  assert.ok((await logOf(page)).includes('mouseup:there'));
});

test('a drop is prepared without a guard', async () => {
  const { page } = await guarded(BUTTON, { action: 'drop' });

  assert.equal((await resultOf(page)).armed, false);
});

test('the next preparation replaces the guard', async () => {
  const { page, ready } = await guarded(`${BUTTON}<button id=c style="position:absolute;left:200px;top:0">c</button>`);
  await page.call('prepare', { target: css('#c'), action: 'click', timeout_ms: 5000, token: 'k2' });
  await page.call('hit_result', { token: 'k2', disarm: true });

  await addVeil(page);
  await page.mouse.click(ready.point.x, ready.point.y);

  assert.equal((await resultOf(page)).armed, false);
  assert.ok((await logOf(page)).includes('click:veil'));
});

test('a press that began elsewhere and ends on the target is no hit', async () => {
  const { page, ready } = await guarded(BUTTON);

  // As it looks from here when another frame got the beginning.
  await page.mouse.up(ready.point.x, ready.point.y);

  assert.ok((await logOf(page)).includes('mouseup:b'));
  assert.deepEqual(await resultOf(page), { armed: true, hit: null, events: [], click_delivered: false });
});

test('without any event there is no verdict', async () => {
  const { page } = await guarded(BUTTON);
  await page.evaluate(() => document.querySelector('#b').click());

  assert.deepEqual(await resultOf(page), { armed: true, hit: null, events: [], click_delivered: false });
});

test('a press inside a shadow root is recognised', async () => {
  const { page, report } = await guarded(
    '<x-b id=host></x-b><script>customElements.define("x-b", class extends HTMLElement {' +
      'connectedCallback() { this.attachShadow({mode:"open"}).innerHTML = "<button id=b><i>icon</i></button>"; } })</script>',
  );
  const ready = await page.call('prepare', { target: css('#b'), action: 'click', timeout_ms: 5000, token: 'k1' });

  await page.mouse.click(ready.point.x, ready.point.y);

  assert.equal((await report()).hit, true);
});

test('works without the binding', async () => {
  const page = await browser.page(LOG + BUTTON);
  const ready = await page.call('prepare', { target: css('#b'), action: 'click', timeout_ms: 5000, token: 'k1' });

  await page.mouse.click(ready.point.x, ready.point.y);

  assert.equal((await resultOf(page)).click_delivered, true);
});
