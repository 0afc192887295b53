// prepare: from a target to a point that can be pressed, or the condition that is not met.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, role, useBrowser } from './harness.mjs';

const browser = useBrowser();

const prepare = (page, target, options = {}) =>
  page.call('prepare', { target, action: 'click', timeout_ms: 5000, stable: 'fast', token: 't', ...options });

const code = (answer) => answer.error?.code ?? `no failure: ${JSON.stringify(answer)}`;

test('a plain button is ready at once, at its centre', async () => {
  const page = await browser.page('<button style="position:absolute;left:100px;top:50px;width:80px;height:40px">Save</button>');

  const ready = await prepare(page, role('button', 'Save'));

  assert.deepEqual(ready.point, { x: 140, y: 70 });
  assert.deepEqual(ready.rect, { x: 100, y: 50, width: 80, height: 40 });
  assert.deepEqual(ready.info, { role: 'button', name: 'Save', tag: 'button', description: 'button "Save"' });
  assert.match(ready.ref, /^d1e\d+$/);
  assert.equal(ready.attempts, 1);
  assert.equal(ready.scrolled, false);
  assert.equal((await page.call('resolve', { target: { handle: ready.handle } })).ref, ready.ref);
});

test('waits for the element to appear, become visible and enabled', async () => {
  const page = await browser.page('<div id=root></div>');

  const pending = prepare(page, css('#late'));
  await page.evaluate(() => (document.querySelector('#root').innerHTML = '<button id=late hidden disabled>x</button>'));
  await page.evaluate(() => (document.querySelector('#late').hidden = false));
  await page.evaluate(() => (document.querySelector('#late').disabled = false));

  const ready = await pending;
  assert.equal(ready.info.tag, 'button');
  assert.ok(ready.attempts > 1);
});

test('sees what only a style rule reveals', async () => {
  const page = await browser.page('<style>#b{display:none}</style><button id=b>x</button>');

  const pending = prepare(page, css('#b'));
  await page.evaluate(() => document.styleSheets[0].deleteRule(0));

  assert.equal((await pending).info.tag, 'button');
});

for (const [what, html, expected] of [
  ['missing element', '<p>nothing</p>', 'target_not_found'],
  ['hidden element', '<button id=b style="display:none">x</button>', 'not_visible'],
  ['invisible element', '<button id=b style="visibility:hidden">x</button>', 'not_visible'],
  ['disabled button', '<button id=b disabled>x</button>', 'not_enabled'],
  ['icon in a disabled button', '<button disabled><i id=b>x</i></button>', 'not_enabled'],
  ['label of a disabled field', '<label id=b>Name <input disabled></label>', 'not_enabled'],
  ['covered element', '<button id=b>x</button><div id=veil style="position:fixed;inset:0"></div>', 'obscured'],
  ['element off the page', '<button id=b style="position:absolute;left:-500px">x</button>', 'outside_viewport'],
]) {
  test(`a ${what} times out with the condition that was not met`, async () => {
    const page = await browser.page(html);

    const answer = await prepare(page, css('#b'), { timeout_ms: 60 });

    assert.equal(code(answer), expected);
    assert.match(answer.error.message, /waited \d+ ms/);
    assert.equal(answer.error.retryable, true);
  });
}

test('a disabled button can be hovered', async () => {
  const page = await browser.page('<button id=b disabled>x</button>');

  assert.ok((await prepare(page, css('#b'), { action: 'hover' })).point);
});

test('what waiting cannot cure fails at once', async () => {
  const page = await browser.page('<button>One</button><button>Two</button><select><option id=o>a</select>');
  const never = { timeout_ms: 1_000_000 };

  const ambiguous = await prepare(page, css('button'), never);
  assert.equal(code(ambiguous), 'target_ambiguous');
  assert.equal(ambiguous.error.candidates.length, 2);
  assert.equal(code(await prepare(page, { ref: 'd9e1' }, never)), 'stale_ref');
  assert.equal(code(await prepare(page, css('b[['), never)), 'invalid_selector');
  assert.equal(code(await prepare(page, css('#o'), never)), 'wrong_element');
  assert.equal(code(await prepare(page, css('button'), { action: 'poke' })), 'invalid_argument');
  assert.equal(code(await prepare(page, css('button'), { timeout_ms: 'soon' })), 'invalid_argument');
  assert.equal(code(await prepare(page, undefined)), 'invalid_argument');
});

test('the interceptor and the outermost element it belongs to are named', async () => {
  const page = await browser.page(
    '<button id=b>Buy</button><div role=dialog aria-label=Cookies style="position:fixed;inset:0"><p id=p style="position:absolute;inset:0">We use</p></div>',
  );

  const { error } = await prepare(page, css('#b'), { timeout_ms: 50 });

  assert.match(error.detail.interceptor, /#"p"/);
  assert.match(error.detail.root, /dialog "Cookies"/);
  assert.match(error.message, /is covered by .*Cookies/);
});

test('goes on when the overlay goes away', async () => {
  const page = await browser.page('<button id=b>x</button><div id=veil style="position:fixed;inset:0"></div>');

  const pending = prepare(page, css('#b'));
  await page.evaluate(() => document.querySelector('#veil').remove());

  assert.ok((await pending).point);
});

test('an element whose middle is covered is pressed beside it', async () => {
  const page = await browser.page(
    '<button id=b style="position:absolute;left:0;top:0;width:200px;height:40px">x</button>' +
      '<div style="position:absolute;left:80px;top:0;width:40px;height:40px"></div>',
  );

  assert.deepEqual((await prepare(page, css('#b'))).point, { x: 50, y: 20 });
});

test('scrolls only when no part of the element can be pressed', async () => {
  const page = await browser.page(
    '<style>html{scroll-behavior:smooth}</style><div style="height:660px"></div><button id=partly style="height:80px">a</button>' +
      '<div style="height:3000px"></div><button id=far>b</button>',
  );

  const partly = await prepare(page, css('#partly'));
  assert.equal(partly.scrolled, false);
  assert.ok(partly.point.y < 700);

  const far = await prepare(page, css('#far'));
  assert.equal(far.scrolled, true);
  assert.ok(far.point.y > 0 && far.point.y < 700);
});

test('scrolls inner containers too', async () => {
  const page = await browser.page(
    '<div style="height:100px;overflow:auto"><div style="height:500px"></div><button id=b>x</button></div><p>below</p>',
  );

  const ready = await prepare(page, css('#b'));

  assert.equal(ready.scrolled, true);
  assert.ok(ready.point.y < 110);
});

test('moves an element out from under a sticky header', async () => {
  const page = await browser.page(
    '<div style="position:sticky;top:0;height:690px;background:#eee">header</div><div style="height:100px"></div><button id=b>x</button><div style="height:2000px"></div>',
  );

  const ready = await prepare(page, css('#b'), { timeout_ms: 1000 });

  assert.ok(ready.point.y > 690, JSON.stringify(ready));
});

test('a page under a modal dialog is not scrolled about', async () => {
  const page = await browser.page(
    '<div style="height:2000px"></div><button id=b>x</button><dialog id=d>Sure?</dialog><script>d.showModal(); b.scrollIntoView(); window.scrolls = 0;' +
      'addEventListener("scroll", () => ++window.scrolls)</script>',
  );

  const answer = await prepare(page, css('#b'), { timeout_ms: 100 });

  assert.equal(code(answer), 'obscured');
  assert.match(answer.error.detail.interceptor, /dialog/);
  assert.ok((await page.evaluate(() => window.scrolls)) <= 1);
});

test('the icon of a button may be pressed through the button', async () => {
  const page = await browser.page('<button><svg id=i width=20 height=20 style="pointer-events:none"><rect width=20 height=20 /></svg></button>');

  assert.ok((await prepare(page, css('#i'))).point);
});

test('label and control stand for each other', async () => {
  const page = await browser.page(
    '<label id=l>Agree <input id=c type=checkbox style="opacity:0"><span style="position:absolute;left:0;top:0;width:200px;height:40px"></span></label>',
  );

  assert.ok((await prepare(page, css('#c'))).point);
  assert.ok((await prepare(page, css('#l'))).point);
});

test('a link inside the label does not stand for the checkbox', async () => {
  const page = await browser.page(
    '<label style="position:absolute;left:0;top:0;width:100px;height:20px"><input id=c type=checkbox style="position:absolute;margin:0;left:0;top:0;width:100px;height:20px">' +
      '<a href="#x" style="position:absolute;left:0;top:0;width:100px;height:20px">terms</a></label>',
  );

  assert.equal(code(await prepare(page, css('#c'), { timeout_ms: 50 })), 'obscured');
});

test('a hidden native checkbox is pressed through its visible label', async () => {
  const page = await browser.page('<input id=c type=checkbox style="display:none"><label for=c id=l>Agree</label>');

  const ready = await prepare(page, css('#c'));
  await page.mouse.click(ready.point.x, ready.point.y);

  assert.equal(ready.info.tag, 'input');
  assert.equal(await page.evaluate(() => document.querySelector('#c').checked), true);
});

test('works through shadow roots and slots', async () => {
  const page = await browser.page(
    '<x-card><span id=light>text</span></x-card><script>customElements.define("x-card", class extends HTMLElement {' +
      'constructor() { super(); this.attachShadow({mode:"open"}).innerHTML = "<button id=inner><slot></slot></button>"; } })</script>',
  );

  assert.ok((await prepare(page, css('#light'))).point);
  assert.equal((await prepare(page, css('#inner'))).info.tag, 'button');
});

test('a wrapped link is pressed on one of its lines', async () => {
  const page = await browser.page(
    '<div style="width:120px;font:16px monospace"><span>aaaaaaaa </span><a id=a href="#">bbb cccccccccccc</a></div>',
  );

  const { point } = await prepare(page, css('#a'));

  const hit = await page.evaluate(({ x, y }) => document.elementFromPoint(x, y).id, point);
  assert.equal(hit, 'a');
});

test('an element without a box of its own is pressed through its content', async () => {
  const page = await browser.page('<div id=d style="display:contents"><button id=b>x</button></div>');

  const { point } = await prepare(page, css('#d'));

  assert.equal(await page.evaluate(({ x, y }) => document.elementFromPoint(x, y).id, point), 'b');
});

test('a position is relative to the padding box and scrolled to', async () => {
  const page = await browser.page('<div id=d style="position:absolute;left:10px;top:20px;width:300px;height:5000px;border:5px solid"></div>');

  assert.deepEqual((await prepare(page, css('#d'), { position: { x: 7, y: 9 } })).point, { x: 22, y: 34 });
  const deep = await prepare(page, css('#d'), { position: { x: 7, y: 4500 } });
  assert.ok(deep.point.y >= 0 && deep.point.y < 700, JSON.stringify(deep));
  assert.equal(deep.scrolled, true);
});

test('a point is its own target', async () => {
  const page = await browser.page('<button style="position:absolute;left:0;top:0;width:100px;height:40px">x</button>');

  const ready = await prepare(page, { point: { x: 30, y: 10 } });

  assert.deepEqual(ready.point, { x: 30, y: 10 });
  assert.equal(ready.info.tag, 'button');
  assert.equal(code(await prepare(page, { point: { x: 5000, y: 10 } }, { timeout_ms: 0 })), 'outside_viewport');
});

test('force skips state and cover but not visibility', async () => {
  const page = await browser.page(
    '<button id=b disabled>x</button><button id=h hidden>y</button><div style="position:fixed;inset:0"></div>',
  );

  assert.ok((await prepare(page, css('#b'), { force: true })).point);
  assert.equal((await page.call('hit_result', { token: 't', disarm: true })).armed, false);
  assert.equal(code(await prepare(page, css('#h'), { force: true, timeout_ms: 1_000_000 })), 'not_visible');
});

test('an animation that moves the element is waited out, one that colours it is not', async () => {
  const page = await browser.page(
    '<style>@keyframes slide{from{transform:translateX(300px)}}@keyframes glow{from{color:red}}' +
      '#a{animation:slide 100s linear}#b{animation:glow 100s linear}</style><div id=a><button id=inner>a</button></div><button id=b>b</button>',
  );

  assert.equal((await prepare(page, css('#b'))).attempts, 1);
  assert.equal(code(await prepare(page, css('#inner'), { timeout_ms: 80 })), 'not_stable');
  const pending = prepare(page, css('#inner'));
  await page.evaluate(() => document.querySelector('#a').getAnimations()[0].finish());
  assert.ok((await pending).point.x < 100);
});

test('strict stability sees movement by script', async () => {
  const page = await browser.page('<button id=b style="position:absolute;left:0;top:0">x</button>');
  await page.evaluate(() => {
    const button = document.querySelector('#b');
    let left = 0;
    const step = () => {
      button.style.left = `${(left += 1)}px`;
      if (left < 20) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });

  const ready = await prepare(page, css('#b'), { stable: 'strict' });

  assert.equal(ready.rect.x, 20);
});

test('an element replaced while waiting is found again', async () => {
  const page = await browser.page('<div id=root><button id=b disabled>x</button></div>');

  const pending = prepare(page, css('#b'));
  await page.evaluate(() => (document.querySelector('#root').innerHTML = '<button id=b>y</button>'));

  assert.equal((await pending).info.name, 'y');
});

test('a wait for readiness can be cancelled by its token', async () => {
  const page = await browser.page('<button id=b disabled>x</button>');

  const pending = prepare(page, css('#b'), { token: 'abc', timeout_ms: 1_000_000 });
  assert.deepEqual(await page.call('cancel_wait', { id: 'abc' }), { cancelled: true });

  assert.equal(code(await pending), 'cancelled');
});
