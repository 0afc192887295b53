// How long the state of a page takes inside the page. Not part of the tests, since time is nothing to rely on:
//   node tests/injected/state_bench.mjs
// "cold" is the first call in a fresh document, "warm" the median of the later ones.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './harness.mjs';

const browser = useBrowser();
const WARM_CALLS = 40;
const PAGES = 5;

const range = (count, make) => Array.from({ length: count }, (_, i) => make(i)).join('');

function cell(row, column) {
  if (column === 0) return `<td><a href="/r/${row}">Row ${row}</a></td>`;
  return column === 9 ? '<td><button>Edit</button></td>' : `<td>cell ${row} ${column}</td>`;
}

function card(i) {
  return `<div class="card"><h3>Card ${i}</h3><p>Some text for <b>card</b> ${i}</p><div><span>Price</span><span>$${i}</span></div>
    <button>Add</button><a href="/c/${i}">Details</a>${i % 10 ? '' : '<x-widget></x-widget>'}</div>`;
}

const CASES = [
  {
    name: 'form',
    html: '<h1>Login</h1><form><label>Email <input type="email" required></label><label>Password <input type="password"></label><button>Sign in</button></form>',
    boundMs: 20,
  },
  { name: '2,000 x 10 table', html: `<h1>Table</h1><table>${range(2000, (row) => `<tr>${range(10, (column) => cell(row, column))}</tr>`)}</table>`, boundMs: 60 },
  {
    name: '5,000-node app with shadow roots',
    html: `<style>.card{border:1px solid;padding:8px;margin:4px;width:200px}.grid{display:flex;flex-wrap:wrap}</style>
      <nav>${range(8, (i) => `<a href="/n${i}">Nav ${i}</a> `)}</nav><main><h1>App</h1><div class="grid">${range(400, card)}</div></main>
      <script>for (const el of document.querySelectorAll('x-widget')) el.attachShadow({ mode: 'open' }).innerHTML =
        Array.from({ length: 20 }, (_, i) => '<div><span>item ' + i + '</span><button>W' + i + '</button></div>').join('');</script>`,
    boundMs: 40,
  },
];

function timed(doc, calls, mode) {
  const times = [];
  for (let i = 0; i < calls; ++i) {
    const start = performance.now();
    globalThis.__falconer.call('state', { doc, mode });
    times.push(performance.now() - start);
  }
  return times;
}

const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1];

for (const { name, html, boundMs } of CASES) {
  for (const mode of ['viewport', 'page']) {
    test(`${name}, ${mode}`, async (t) => {
      const cold = [];
      let warm = [];
      for (let i = 0; i < PAGES; ++i) {
        const page = await browser.page(html);
        cold.push(...(await page.evaluateIsolated(timed, 1, 1, mode)));
        warm = warm.concat(await page.evaluateIsolated(timed, 1, mode === 'page' ? 3 : WARM_CALLS, mode));
        await page.close();
      }
      t.diagnostic(`cold ${median(cold).toFixed(1)} ms, warm ${median(warm).toFixed(1)} ms`);
      if (mode === 'viewport') assert.ok(median(warm) < boundMs, `warm ${median(warm)} ms, bound ${boundMs} ms`);
    });
  }
}
