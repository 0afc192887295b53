// What is in sight, what lies on top, and what is chosen when not everything fits.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './harness.mjs';

const browser = useBrowser();
const names = (state) => state.elements.map(({ name }) => name);

async function stateOf(html, args = {}) {
  const page = await browser.page(html);
  const state = await page.call('state', args);
  assert.equal(state.error, undefined, JSON.stringify(state.error));
  return state;
}

test('leaves out what is not shown', async () => {
  const state = await stateOf(`
    <div style="display:none"><button>None</button></div><div style="visibility:hidden"><button>Hidden</button>
    <button style="visibility:visible">Shown again</button></div><div style="opacity:0"><button>Transparent</button></div>
    <div style="height:0;overflow:hidden"><button>Collapsed</button></div><div style="content-visibility:hidden"><button>Skipped</button></div>
    <button style="width:0;height:0;padding:0;border:0">Empty</button><button>Seen</button>`);
  assert.deepEqual(names(state), ['Shown again', 'Seen']);
});

test('lists the viewport, a margin around it, or the whole page', async () => {
  const html = '<button>Top</button><div style="height:800px"></div><button>Near</button><div style="height:5000px"></div><button>Far</button>';
  const page = await browser.page(html);
  assert.deepEqual(names(await page.call('state')), ['Top']);
  assert.deepEqual(names(await page.call('state', { margin_px: 300 })), ['Top', 'Near']);
  const whole = await page.call('state', { mode: 'page' });
  assert.deepEqual(names(whole), ['Top', 'Near', 'Far']);
  assert.deepEqual(whole.elements.map(({ in_viewport }) => in_viewport), [true, false, false]);
  await page.evaluate(() => scrollTo(0, 1e6));
  const scrolled = await page.call('state');
  assert.deepEqual(names(scrolled), ['Far']);
  assert.equal(scrolled.scroll.y, scrolled.scroll.max_y);
  assert.deepEqual(scrolled.viewport, { width: 1000, height: 700 });
});

test('content scrolled out of an inner box is out of sight but on the page; content cut off is neither', async () => {
  const html = `
    <div style="height:100px;overflow:auto"><button>In</button><div style="height:500px"></div><button>Scrolled</button></div>
    <div style="height:100px;overflow:hidden"><div style="height:500px"></div><button>Cut</button></div>`;
  assert.deepEqual(names(await stateOf(html)), ['In']);
  assert.deepEqual(names(await stateOf(html, { mode: 'page' })), ['In', 'Scrolled']);
});

test('finds what escapes a box that is out of sight', async () => {
  const fill = '<div style="height:3000px"></div>';
  const state = await stateOf(`
    <body style="height:100%">${fill}
    <footer><div><a href="#" style="position:fixed;right:5px;bottom:5px">To top</a></div></footer>
    <div style="height:0"><div style="position:absolute;top:50px">${'<button>Anchored</button>'}</div></div>
    <table>${'<tr><td>x</td></tr>'.repeat(100)}<tr><td><div role="dialog" style="position:fixed;inset:200px"><button>In a row</button></div></td></tr></table>`);
  assert.deepEqual(names(state), ['To top', 'Anchored', 'In a row']);
});

test('a box as high as the window does not hide what overflows it after scrolling', async () => {
  const page = await browser.page(`<style>html,body,#app{height:100%;margin:0}</style>
    <div id="app">${Array.from({ length: 60 }, (_, i) => `<p><button>Button ${i}</button></p>`).join('')}</div>`);
  await page.evaluate(() => scrollTo(0, 1e6));
  assert.equal(names(await page.call('state')).at(-1), 'Button 59');
});

test('looks at few rows of a long table, whichever are in sight and even if some are filtered out', async () => {
  const rows = Array.from({ length: 2000 }, (_, i) => `<tr${i % 3 ? '' : ' style="display:none"'}><td><button>Row ${i}</button></td></tr>`);
  const page = await browser.page(`<style>td{height:30px;padding:0}table{border-spacing:0}body{margin:0}</style><table>${rows.join('')}</table>`);
  const state = await page.call('state');
  assert.equal(names(state)[0], 'Row 1');
  assert.equal(state.elements.length, 24);
  assert.ok(state.counts.nodes_visited < 500, `visited ${state.counts.nodes_visited}`);
  await page.evaluate(() => scrollTo(0, 30 * 600));
  assert.equal(names(await page.call('state'))[0], 'Row 901');
});

test('a long list that runs upwards is searched as well', async () => {
  const items = Array.from({ length: 300 }, (_, i) => `<div style="height:30px"><button>Item ${i}</button></div>`).join('');
  const page = await browser.page(`<body style="margin:0"><div style="display:flex;flex-direction:column-reverse">${items}</div>`);
  assert.equal(names(await page.call('state')).at(-1), 'Item 299');
});

test('a very deep tree ends the walk, not the call', async () => {
  const page = await browser.page('<button>Top</button><div id="deep"></div>');
  await page.evaluate(() => {
    let at = document.querySelector('#deep');
    for (let i = 0; i < 1900; ++i) at = at.appendChild(document.createElement('div'));
  });
  assert.deepEqual(names(await page.call('state')), ['Top']);
});

for (const [what, layer] of [
  ['an element with the role of a dialog', '<div role="dialog" aria-label="L" style="position:fixed;top:200px;left:200px;width:300px;height:200px;background:white"><button>OK</button></div>'],
  ['an open dialog', '<dialog open><button>OK</button></dialog>'],
  ['a floating banner', '<div style="position:fixed;bottom:0;left:0;right:0;height:100px;z-index:9999;background:white"><button>OK</button></div>'],
  ['an open menu', '<div role="menu" style="position:absolute;top:300px;background:white"><div role="menuitem">OK</div></div>'],
]) {
  test(`${what} is an overlay`, async () => {
    const state = await stateOf(`<button>Page</button>${layer}`);
    assert.deepEqual(state.elements.map(({ name, in_overlay }) => `${name} ${in_overlay}`), ['Page undefined', 'OK true']);
  });
}

test('modal dialogs and popovers are overlays, and what they cover is obscured', async () => {
  const page = await browser.page('<button>Page</button><dialog><button>OK</button></dialog><div popover><button>Tip</button></div>');
  await page.evaluate(() => document.querySelector('[popover]').showPopover());
  assert.deepEqual((await page.call('state')).elements.map(({ name, in_overlay }) => [name, in_overlay]), [['Page', undefined], ['Tip', true]]);
  await page.evaluate(() => document.querySelector('dialog').showModal());
  const state = await page.call('state');
  assert.equal(state.elements.find(({ name }) => name === 'Page').obscured, true);
  assert.equal(state.elements.find(({ name }) => name === 'OK').in_overlay, true);
});

test('a bar along the top and fixed navigation are no overlays', async () => {
  const state = await stateOf(`
    <div style="position:fixed;top:0;left:0;right:0;height:60px;z-index:9999"><a href="/">Home</a></div>
    <nav style="position:fixed;top:60px;left:0;width:200px;bottom:0;z-index:9999"><a href="/a">Side</a></nav>`);
  assert.deepEqual(state.elements.map(({ in_overlay }) => in_overlay), [undefined, undefined]);
});

test('obscured says that something else would take the click', async () => {
  const state = await stateOf(`
    <button style="position:absolute;left:10px;top:10px;width:100px;height:40px"><span>Covered</span></button>
    <div style="position:absolute;left:0;top:0;width:200px;height:100px;background:red"></div>
    <button style="position:absolute;left:10px;top:200px;width:100px;height:40px;z-index:2"><span style="position:relative">Free</span></button>
    <div style="position:absolute;left:0;top:190px;width:200px;height:100px;z-index:1"></div>`);
  assert.deepEqual(state.elements.map(({ name, obscured }) => `${name} ${obscured}`), ['Covered true', 'Free undefined']);
});

test('ranks overlay, focus, sight and strength before the cut, and answers in document order', async () => {
  const page = await browser.page(`
    <div style="cursor:pointer">Weak</div><button>One</button><button aria-label="" title=""></button><button>Two</button><input id="f" aria-label="Focus">
    <div role="dialog" style="position:fixed;top:300px;left:300px;width:200px;height:100px"><button>OK</button></div>`);
  await page.evaluate(() => document.querySelector('#f').focus());
  const limits = (elements) => ({ limits: { elements } });
  assert.deepEqual(names(await page.call('state', limits(1))), ['OK']);
  assert.deepEqual(names(await page.call('state', limits(2))), ['Focus', 'OK']);
  const state = await page.call('state', limits(4));
  assert.deepEqual(names(state), ['One', 'Two', 'Focus', 'OK']);
  assert.equal(state.counts.elements_total, 6);
  assert.equal(state.counts.elements_returned, 4);
  assert.equal(state.counts.elements_omitted, 2);
});

test('pages of the ranking cover every element exactly once', async () => {
  const page = await browser.page(Array.from({ length: 25 }, (_, i) => `<button>B${i}</button>`).join(''));
  const seen = [];
  for (let offset = 0; offset < 30; offset += 10) seen.push(...names(await page.call('state', { offset, limits: { elements: 10 } })));
  assert.equal(seen.length, 25);
  assert.equal(new Set(seen).size, 25);
});

test('fields that an error speaks of come before their equals', async () => {
  const state = await stateOf(`
    <div><input aria-label="A"></div><div><input aria-label="B"></div><div><input aria-label="C"><span class="error">C is wrong</span></div>`,
    { limits: { elements: 1 } });
  assert.deepEqual(names(state), ['C']);
});

test('lists the frames with the index under which the window knows them', async () => {
  const page = await browser.page(`
    <iframe id="a" srcdoc="<p>a" style="width:100px;height:50px"></iframe><x-host></x-host>
    <iframe src="about:blank" style="display:none"></iframe>`);
  await page.evaluate(() => {
    document.querySelector('x-host').attachShadow({ mode: 'open' }).innerHTML = '<iframe src="about:blank"></iframe>';
    document.body.prepend(Object.assign(document.createElement('iframe'), { src: 'http://example.invalid/x' }));
  });
  const { frames, counts } = await page.call('state');
  assert.deepEqual(frames.map(({ index }) => index), [0, 1, 2, null]);
  assert.deepEqual(frames.map(({ visible }) => visible), [true, false, true, true]);
  assert.equal(frames[0].rect.width, 100 + 4);
  assert.equal(frames[2].src_origin, 'http://example.invalid');
  assert.equal(counts.elements_total, 0);
});

test('the content hash follows what the page says, not where it is', async () => {
  const page = await browser.page('<button>Save</button><p>text</p><input aria-label="Name"><div style="height:3000px"></div>');
  const hash = async () => (await page.call('state')).content_hash;
  const first = await hash();
  assert.match(first, /^[0-9a-f]{16}$/);
  assert.equal(await hash(), first);
  await page.evaluate(() => (document.body.style.paddingLeft = '50px'));
  await page.evaluate(() => scrollTo(0, 5));
  assert.equal(await hash(), first);
  const hashes = new Set([first]);
  for (const change of [
    () => (document.querySelector('p').textContent = 'other'),
    () => (document.querySelector('input').value = 'Ann'),
    () => (document.querySelector('button').disabled = true),
    () => (document.title = 'New'),
    () => document.querySelector('input').focus(),
  ]) {
    await page.evaluate(change);
    hashes.add(await hash());
  }
  assert.equal(hashes.size, 6);
});
