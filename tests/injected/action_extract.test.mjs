// extract: what can be read, in which form, and what is refused.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();

const extract = (page, what, target, options = {}) => page.call('extract', { what, ...(target && { target: css(target) }), ...options });
const code = (answer) => answer.error?.code ?? `no failure: ${JSON.stringify(answer)}`;

test('text is what a person reads, line by line', async () => {
  const page = await browser.page(
    '<main id=m><h1>Title  of</h1><p>Some <b>bold</b>\n text<br>next line</p><script>no()</script><style>x{}</style>' +
      '<p hidden>hidden</p><p style="visibility:hidden">invisible</p><p style="opacity:0">transparent</p>' +
      '<ul><li>one<li>two</ul><pre>a\n  b</pre><textarea>draft</textarea><input value=typed>' +
      '<select><option>A<option selected>B</select><details><summary>More</summary>folded</details></main>',
  );

  const { text, truncated } = await extract(page, 'text', '#m');

  assert.equal(text, 'Title of\nSome bold text\nnext line\none\ntwo\na\nb\nB\nMore');
  assert.equal(truncated, false);
});

test('text includes shadow trees and slots', async () => {
  const page = await browser.page(
    '<x-t id=x>light</x-t><script>customElements.define("x-t", class extends HTMLElement { connectedCallback() {' +
      'this.attachShadow({mode:"open"}).innerHTML = "<p>before</p><slot></slot><p>after</p>"; } })</script>',
  );

  assert.equal((await extract(page, 'text', '#x')).text, 'before\nlight\nafter');
});

test('text is bounded and never cuts a character in half', async () => {
  const page = await browser.page(`<p id=p>${'\u{1F426}'.repeat(1000)}</p>`);

  const { text, truncated } = await extract(page, 'text', '#p', { max_chars: 11 });

  assert.equal(text, '\u{1F426}'.repeat(5));
  assert.equal(truncated, true);
});

test('without a target the page is read', async () => {
  const page = await browser.page('<p>all of it</p>');

  assert.equal((await extract(page, 'text')).text, 'all of it');
});

test('attributes and values', async () => {
  const page = await browser.page(
    '<a id=a href="/x" data-id=7>x</a><input id=i value=abc><textarea id=t>def</textarea><select id=s multiple><option selected>1<option selected>2</select><div id=d contenteditable>rich</div><p id=p>x</p>',
  );

  assert.equal((await extract(page, 'attribute', '#a', { name: 'data-id' })).value, '7');
  assert.equal((await extract(page, 'attribute', '#a', { name: 'none' })).value, null);
  assert.equal((await extract(page, 'value', '#i')).value, 'abc');
  assert.equal((await extract(page, 'value', '#t')).value, 'def');
  assert.deepEqual((await extract(page, 'value', '#s')).value, ['1', '2']);
  assert.equal((await extract(page, 'value', '#d')).value, 'rich');
  assert.equal(code(await extract(page, 'value', '#p')), 'wrong_element');
  assert.equal(code(await extract(page, 'attribute', '#a')), 'invalid_argument');
});

for (const field of [
  '<input id=f type=password value=hunter2>',
  '<input id=f autocomplete=one-time-code value=hunter2>',
  '<input id=f autocomplete="billing cc-number" value=hunter2>',
  '<input id=f autocomplete=current-password value=hunter2>',
  '<input id=f autocomplete=new-password value=hunter2>',
]) {
  test(`the value of ${field} is refused`, async () => {
    const page = await browser.page(field);

    for (const answer of [
      await extract(page, 'value', '#f'),
      await extract(page, 'attribute', '#f', { name: 'VALUE' }),
      await extract(page, 'text'),
      await extract(page, 'value', 'input', { many: true }),
      await page.call('wait', { condition: { kind: 'element_state', target: css('#f'), property: 'value', equals: 'x' }, timeout_ms: 10 }),
    ]) {
      assert.doesNotMatch(JSON.stringify(answer), /hunter2/);
    }
    assert.equal(code(await extract(page, 'value', '#f')), 'secret_field');
  });
}

test('a table with headers, spans and hidden rows', async () => {
  const page = await browser.page(
    '<table id=t><caption>Prices</caption><thead><tr><th rowspan=2>Item<th colspan=2>Price<tr><th>Net<th>Gross</thead>' +
      '<tbody><tr><td rowspan=2>Tea<td>1<td>2<tr><td colspan=2>sold out<tr hidden><td>x<td>y<td>z<tr><td>Milk<td>3<td>4</tbody></table>',
  );

  const { ref, ...table } = await extract(page, 'table', '#t');

  assert.ok(ref);
  assert.deepEqual(table, {
    caption: 'Prices',
    headers: ['Item', 'Price / Net', 'Price / Gross'],
    rows: [
      ['Tea', '1', '2'],
      ['Tea', 'sold out', 'sold out'],
      ['Milk', '3', '4'],
    ],
    total_rows: 3,
    truncated: false,
  });
});

test('a table without a header, and one found inside its container', async () => {
  const page = await browser.page('<div id=d><table><tr><td>a<td>b<tr><td>c<td>d</table></div>');

  const table = await extract(page, 'table', '#d');

  assert.deepEqual(table.headers, []);
  assert.deepEqual(table.rows, [['a', 'b'], ['c', 'd']]);
});

test('a table made of roles', async () => {
  const page = await browser.page(
    '<div role=grid id=g><div role=row><span role=columnheader>A</span><span role=columnheader>B</span></div>' +
      '<div role=row><span role=gridcell>1</span><span role=gridcell>2</span></div></div>',
  );

  const table = await extract(page, 'table', '#g');

  assert.deepEqual(table.headers, ['A', 'B']);
  assert.deepEqual(table.rows, [['1', '2']]);
});

test('a long table is cut at the limit and says so', async () => {
  const page = await browser.page(`<table id=t><tr><th>n</th></tr>${'<tr><td>x</td></tr>'.repeat(50)}</table>`);

  const table = await extract(page, 'table', '#t', { limit: 10 });

  assert.equal(table.rows.length, 10);
  assert.equal(table.total_rows, 50);
  assert.equal(table.truncated, true);
});

test('lists, nested lists and definition lists', async () => {
  const page = await browser.page(
    '<ul id=u><li>one<li>two <i>more</i><ul><li>inner</ul><li hidden>no</ul><dl id=d><dt>T<dd>D</dl><p id=p>x</p>',
  );

  assert.deepEqual((await extract(page, 'list', '#u')).items, ['one', 'two more', 'inner']);
  assert.deepEqual((await extract(page, 'list', '#d')).items, ['T', 'D']);
  assert.equal(code(await extract(page, 'list', '#p')), 'wrong_element');
});

test('links with text, address and ref', async () => {
  const page = await browser.page('<nav id=n><a href="/a">First</a><a href="b" aria-label="Second one">2</a><a href="/c" hidden>no</a><a>none</a></nav>');

  const { links, total } = await extract(page, 'links', '#n');

  assert.equal(total, 2);
  assert.deepEqual(links.map((link) => link.text), ['First', 'Second one']);
  assert.match(links[0].url, /^http:\/\/127\.0\.0\.1:\d+\/a$/);
  assert.equal((await page.call('rect', { target: { ref: links[0].ref } })).info.name, 'First');
});

test('count and many', async () => {
  const page = await browser.page('<i>a</i><i>b</i><i>c</i>');

  assert.deepEqual(await extract(page, 'count', 'i'), { count: 3 });
  assert.deepEqual(await extract(page, 'count', 'u'), { count: 0 });
  const many = await extract(page, 'text', 'i', { many: true, limit: 2 });
  assert.deepEqual(many.items.map((item) => item.text), ['a', 'b']);
  assert.equal(many.count, 3);
  assert.equal(many.truncated, true);
  assert.equal(code(await extract(page, 'text', 'i')), 'target_ambiguous');
});

test('markup is no state of an element', async () => {
  const page = await browser.page('<p>x</p>');

  assert.equal(code(await extract(page, 'innerHTML', 'p')), 'invalid_argument');
  assert.equal(code(await page.call('wait', { condition: { kind: 'element_state', target: css('p'), property: 'innerHTML' }, timeout_ms: 10 })), 'invalid_argument');
});
