// Generated selectors: best first, each finds its element and no other.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();
let page;
before(async () => {
  page = await browser.page();
});

async function selectors(html, id = 'x') {
  await page.show(html);
  return (await page.call('describe', { target: css(`[data-want=${id}]`) })).selectors;
}

async function best(html) {
  return (await selectors(html))[0].selector;
}

const CASES = [
  ['test id before all', '<button data-want=x data-testid=save>Save</button>', 'testid=save'],
  ['test id with odd characters is quoted', '<button data-want=x data-testid="a b&quot;c">Save</button>', 'testid="a b\\"c"'],
  ['role and name', '<button data-want=x>Save</button>', 'role=button[name="Save"]'],
  ['quotes in names are escaped', '<button data-want=x>Say "hi" \\o/</button>', 'role=button[name="Say \\"hi\\" \\\\o/"]'],
  ['placeholder where the role has no name of its own', '<div data-want=x placeholder=Search></div>', 'placeholder="Search"'],
  ['text of what has no role', '<div data-want=x>Hello there</div>', 'text="Hello there"'],
  ['title', '<div data-want=x title=Tip><i>a</i><i>a</i></div><i>aa</i><div>aa</div>', 'title="Tip"'],
  ['id', '<div><div data-want=x id=main-box></div><div></div></div>', 'css=#main-box'],
  ['made-up ids are not used', '<ul><li data-want=x id=":r1:"></li></ul>', 'role=listitem'],
  ['bare role when it is the only one', '<button data-want=x></button>', 'role=button'],
  ['attributes', '<input><input data-want=x name=q type=search><input type=search>', 'css=input[name="q"][type="search"]'],
  ['icon glyphs are not a name', '<button data-want=x>\ue001</button>', 'role=button'],
  ['an ancestor tells equal ones apart', '<section aria-label=A><button>Go</button></section><section aria-label=B><button data-want=x>Go</button></section>', 'role=region[name="B"] >> role=button[name="Go"]'],
  ['a row tells equal ones apart', '<table><tr><td>Alice<td><button>Edit</button><tr><td>Bob<td><button data-want=x>Edit</button></table>', 'role=row[name="Bob Edit"] >> role=button[name="Edit"]'],
  ['position when nothing else helps', '<button>Go</button><button data-want=x>Go</button>', 'role=button[name="Go"] >> nth=1'],
  ['a path far down', `${'<button>Go</button>'.repeat(8)}<button data-want=x>Go</button>`, 'css=button:nth-of-type(9)'],
  ['hidden elements have no role selector', '<button data-want=x hidden>Save</button>', 'text="Save"'],
  ['names beyond eighty characters are not used', `<button data-want=x>${'long '.repeat(30)}</button>`, 'role=button'],
];

for (const [title, html, expected] of CASES) {
  test(`generator: ${title}`, async () => {
    assert.equal(await best(html), expected);
  });
}

test('generator: the set is sorted and without doubles', async () => {
  const set = await selectors('<form><label>Email <input data-want=x id=email name=email placeholder="you@x.de" data-testid=mail title=Mail></label></form>');
  const scores = set.map((s) => s.score);
  assert.deepEqual(scores, [...scores].sort((a, b) => a - b));
  assert.equal(new Set(set.map((s) => s.selector)).size, set.length);
  assert.deepEqual(set.map((s) => s.kind), ['testid', 'role', 'placeholder', 'label', 'title', 'id', 'role', 'css']);
});

// Reads back the grammar the generator writes, as far as it writes it.
function parse(selector) {
  return selector.split(' >> ').map((part) => {
    const [, engine, rest] = /^([\w-]+)=(.*)$/s.exec(part);
    const unquote = (textValue) => textValue.slice(1, -1).replace(/\\(.)/g, '$1');
    if (engine === 'role') {
      const [, name, quoted] = /^(\w+)(?:\[name=(".*")\])?$/s.exec(rest);
      return { engine, role: name, ...(quoted && { name: unquote(quoted), mode: 'exact' }) };
    }
    if (engine === 'nth') return { engine, index: Number(rest) };
    if (engine === 'css') return { engine, body: rest };
    return rest.startsWith('"') ? { engine, body: unquote(rest), mode: 'exact' } : { engine, body: rest };
  });
}

test('generator: every selector of every element of a page finds that element alone', async () => {
  await page.evaluate(() => {
    document.body.innerHTML = `
      <header><nav aria-label=Main><ul><li><a href=/a>Home</a></li><li><a href=/b>Shop</a></li><li><a href=/b>Shop</a></li></ul></nav></header>
      <main><h1>Products</h1><table>${['Tea', 'Rum', 'Tea'].map((n, i) => `<tr><td>${n}</td><td><input type=checkbox name=c${i}></td><td><button>Buy</button></td></tr>`).join('')}</table>
      <form><label>Name <input name=n></label><label>Name <input name=m></label><select><option>a</option><option>b</option></select></form>
      <div><div></div><div><span>x</span><span>x</span></div></div><x-a></x-a></main>`;
    document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<div><button>Buy</button><button>Sell</button><p><b>x</b></p></div>';
  });
  const { elements } = await page.call('query', { target: css('*'), limit: 500 });
  assert.ok(elements.length > 50);

  for (const { ref, description } of elements) {
    const { selectors: set } = await page.call('describe', { target: { ref } });
    assert.ok(set.length > 0, description);
    for (const { selector } of set) {
      const back = await page.call('resolve', { target: { steps: parse(selector) } });
      assert.equal(back.ref, ref, `${description}: ${selector}`);
    }
  }
});
