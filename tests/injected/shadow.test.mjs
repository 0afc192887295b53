// Open shadow roots are part of the page; closed ones are not reachable.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { css, role, steps, text, useBrowser } from './harness.mjs';

const browser = useBrowser();
let page;

// <x-card id=one> holds a shadow root with a nested <x-menu> and a slot for its light children.
const PAGE = `
<script>
  customElements.define('x-menu', class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: 'open' }).innerHTML = '<ul class=items><li><button class=deep>Deep</button></li></ul>';
    }
  });
  customElements.define('x-card', class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: 'open' }).innerHTML =
        '<section class=frame><h2>Card</h2><x-menu></x-menu><slot></slot><label>Field <input></label></section>';
    }
  });
  customElements.define('x-closed', class extends HTMLElement {
    constructor() {
      super();
      this.attachShadow({ mode: 'closed' }).innerHTML = '<button class=closed>Closed</button>';
    }
  });
</script>
<body style="margin:0"><button class=before>Before</button>
<div class=outer><x-card id=one><button class=light>Light</button></x-card></div>
<x-closed></x-closed>
<div id=plain></div>
<button class=after>After</button>`;

before(async () => {
  page = await browser.page(PAGE);
});

async function names(target) {
  const answer = await page.call('query', { target, limit: 100 });
  return answer.error ? answer.error.code : answer.elements.map((el) => el.name).join(' ');
}

const ROWS = [
  ['css enters shadow roots, in composed order', css('button'), 'Before Deep Light After'],
  ['css class in nested shadow root', css('.deep'), 'Deep'],
  ['css whole selector inside one shadow tree', css('ul.items > li > button'), 'Deep'],
  ['css descendant combinator crosses one border', css('x-menu button'), 'Deep'],
  ['css descendant combinator crosses two borders', css('#one .deep'), 'Deep'],
  ['css descendant combinators cross at several places', css('div.outer section x-menu li > .deep'), 'Deep'],
  ['css lists mix light and shadow matches', css('.deep, .after, x-card .light'), 'Deep Light After'],
  ['css does not make up ancestors', css('.after .deep'), ''],
  ['css with brackets is not split', css('div:is(.outer, .x y) .deep'), 'Deep'],
  ['css with quoted blanks is not split', css('x-menu[title="a b"] .deep'), ''],
  ['css checks the whole selector', css('x-menu button, ['), 'invalid_selector'],
  ['closed shadow roots stay closed', css('.closed'), ''],
  ['role', role('button', 'deep'), 'Deep'],
  ['heading role', role('heading'), 'Card'],
  ['text', text('deep', 'substring'), 'Deep'],
  ['text of slotted light children', text('Light', 'exact'), 'Light'],
  ['label inside a shadow tree', steps({ engine: 'label', body: 'Field', mode: 'exact' }), 'Field'],
  ['chained from the host', steps({ engine: 'css', body: '#one' }, { engine: 'role', role: 'button' }), 'Deep Light'],
  ['xpath does not enter', steps({ engine: 'xpath', body: '//button' }), 'Before Light After'],
  ['has looks inside shadow roots', steps({ engine: 'css', body: 'button, h2, x-card' }, { engine: 'has', steps: [{ engine: 'css', body: '.deep' }] }), ''],
];

for (const [title, target, expected] of ROWS) {
  test(`shadow: ${title}`, async () => {
    assert.equal(await names(target), expected);
  });
}

test('shadow: has finds the host by what its shadow root holds', async () => {
  const target = steps({ engine: 'css', body: 'div' }, { engine: 'has', steps: [{ engine: 'css', body: '.deep' }] });
  const { elements } = await page.call('query', { target });
  assert.equal(elements.length, 1);
});

test('shadow: element_at finds the innermost element', async () => {
  const { rect } = (await page.call('resolve', { target: css('.deep') })).info;
  const hit = await page.call('element_at', { x: rect.x + rect.width / 2, y: rect.y + rect.height / 2 });
  assert.equal(hit.name, 'Deep');
});

test('shadow: a generated selector leads back to the element', async () => {
  const { selectors } = await page.call('describe', { target: css('.deep') });
  assert.equal(selectors[0].selector, 'role=button[name="Deep"]');
  const path = selectors.at(-1);
  assert.equal(path.kind, 'path');
  const chain = path.selector.split(' >> ').map((part) => ({ engine: 'css', body: part.replace(/^css=/, '') }));
  assert.equal(await names({ steps: chain }), 'Deep');
});

test('shadow: a root attached later is seen', async () => {
  await page.evaluate(() => {
    document.getElementById('plain').attachShadow({ mode: 'open' }).innerHTML = '<button>Late</button>';
  });
  assert.equal(await names(css('button')), 'Before Deep Light Late After');
});

test('shadow: refs of elements in shadow roots resolve', async () => {
  const { ref } = await page.call('resolve', { target: css('.deep') });
  assert.equal((await page.call('resolve', { target: { ref } })).info.name, 'Deep');
});
