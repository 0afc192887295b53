// scroll, viewport and rect.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();
const TALL = '<style>body{margin:0}html{scroll-behavior:smooth}</style><div style="height:3000px"><p id=p style="position:absolute;top:2000px;margin:0">x</p></div>';

test('the page scrolls by a distance, at once, and reports where it is', async () => {
  const page = await browser.page(TALL);

  const report = await page.call('scroll', { dx: 0, dy: 400 });

  assert.deepEqual(report, { container: 'page', x: 0, y: 400, max_x: 0, max_y: 2300, moved: { x: 0, y: 400 } });
});

test('to the bottom, to the top, into view', async () => {
  const page = await browser.page(TALL);

  assert.equal((await page.call('scroll', { to: 'bottom' })).y, 2300);
  assert.equal((await page.call('scroll', { to: 'top' })).y, 0);
  const shown = await page.call('scroll', { target: css('#p'), to: 'into_view' });
  assert.ok(shown.rect.y > 0 && shown.rect.y < 700);
  assert.equal((await page.call('scroll', { to: 'into_view' })).error.code, 'invalid_argument');
  assert.equal((await page.call('scroll', { to: 'away' })).error.code, 'invalid_argument');
});

test('a target scrolls its container, and the page when that is at its end', async () => {
  const page = await browser.page(`${TALL}<div id=box style="position:absolute;top:0;height:100px;overflow:auto"><div id=in style="height:300px">x</div></div>`);

  const inner = await page.call('scroll', { target: css('#in'), dy: 500 });
  assert.match(inner.container, /#"box"/);
  assert.equal(inner.y, 200);
  const outer = await page.call('scroll', { target: css('#in'), dy: 50 });
  assert.equal(outer.container, 'page');
  assert.equal(outer.y, 50);
});

test('an application that scrolls inside is scrolled there', async () => {
  const page = await browser.page('<style>body{margin:0}</style><main id=m style="height:100vh;overflow:auto"><div style="height:2000px">x</div></main>');

  const report = await page.call('scroll', { dy: 300 });

  assert.match(report.container, /#"m"/);
  assert.equal(report.y, 300);
});

test('the viewport and its content', async () => {
  const page = await browser.page(TALL);

  assert.deepEqual(await page.call('viewport'), {
    width: 1000,
    height: 700,
    scroll: { x: 0, y: 0 },
    max_scroll: { x: 0, y: 2300 },
    dpr: 1,
    content: { width: 1000, height: 3000 },
  });
});

test('the rectangle of an element', async () => {
  const page = await browser.page('<div id=d style="position:absolute;left:1.5px;top:2px;width:30px;height:40px"></div>');

  assert.deepEqual((await page.call('rect', { target: css('#d') })).rect, { x: 1.5, y: 2, width: 30, height: 40 });
});
