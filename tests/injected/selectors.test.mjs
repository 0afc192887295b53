// Every selector engine, chaining, filters and the errors of bad steps.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { css, role, steps, text, useBrowser } from './harness.mjs';

const browser = useBrowser();
let page;
before(async () => {
  page = await browser.page();
});

// The ids of all matches, in the order in which they came.
async function ids(target) {
  const answer = await page.call('query', { target, limit: 1000 });
  if (answer.error) return answer.error.code;
  const found = [];
  for (const { ref } of answer.elements) {
    const { description } = await page.callForObject('element', { target: { ref } });
    found.push(/#([\w-]+)/.exec(description)?.[1] ?? description);
  }
  return found.join(' ');
}

async function check(html, rows) {
  await page.show(html);
  for (const [target, expected] of rows) assert.equal(await ids(target), expected, JSON.stringify(target));
}

const by = (engine, body, mode, flags) => steps({ engine, body, ...(mode && { mode }), ...(flags && { flags }) });

test('css', () =>
  check('<div id=a class=k><p id=b class="k m">x</p></div><p id=c title="a, b > c">y</p>', [
    [css('p'), 'b c'],
    [css('.k > .m'), 'b'],
    [css('#c, #a'), 'a c'],
    [css('p[title="a, b > c"]'), 'c'],
    [css(':is(#a, #c)'), 'a c'],
    [css('#nope'), ''],
    [css('p::before'), ''],
    [css('p:['), 'invalid_selector'],
    [css(''), 'invalid_selector'],
  ]));

test('xpath', () =>
  check('<div id=a><p id=b>x</p></div><p id=c>y</p>', [
    [by('xpath', '//p'), 'b c'],
    [by('xpath', '//p[text()="y"]'), 'c'],
    [by('xpath', '//p/text()'), ''],
    [by('xpath', 'count(//p)'), 'invalid_selector'],
    [by('xpath', '//p['), 'invalid_selector'],
    [steps({ engine: 'css', body: '#a' }, { engine: 'xpath', body: '//p' }), 'b'],
    [steps({ engine: 'css', body: '#a' }, { engine: 'xpath', body: './p' }), 'b'],
  ]));

test('text finds the smallest elements', () =>
  check('<div id=a><p id=b>Sign <b id=c>in</b> now</p><p id=d>SIGN   IN</p></div>', [
    [text('sign in'), 'b d'],
    [text('  sign \n in '), 'b d'],
    [text('in'), 'c d'],
    [text('Sign in now', 'exact'), 'b'],
    [text('sign in now', 'exact'), ''],
    [text('in', 'exact'), 'c'],
    [by('text', '^sign\\s', 'regex', 'i'), 'b d'],
    [by('text', '^Sign', 'regex'), 'b'],
    [by('text', '(', 'regex'), 'invalid_selector'],
    [text(' '), 'invalid_selector'],
  ]));

test('text joins inline parts and sets blocks apart', () =>
  check('<p id=a>auto<i id=b>mobile</i></p><div id=c><div id=d>left</div><div id=e>right</div></div><p id=f>one<br>two</p>', [
    [text('automobile'), 'a'],
    [text('left right'), 'c'],
    [text('leftright'), ''],
    [text('one two', 'exact'), 'f'],
  ]));

test('text skips what is not text and reads buttons made of inputs', () =>
  check('<script>Save()</script><style>Save{}</style><input id=a type=submit value="Save it"><input id=b value=Save><textarea id=c>Save</textarea>', [
    [text('save'), 'a'],
  ]));

test('text is found beside inputs that are buttons', () =>
  check('<p id=a>Other</p><input id=b type=button value=Other>', [[text('other'), 'a b']]));

test('role with name', () =>
  check('<button id=a>Save</button><button id=b>Save as</button><a id=c href=#>Save</a><button id=d hidden>Save</button>', [
    [role('button'), 'a b'],
    [role('button', 'save'), 'a b'],
    [role('button', 'Save', 'exact'), 'a'],
    [role('button', 'save', 'exact'), ''],
    [role('BUTTON', 'Save', 'exact'), 'a'],
    [steps({ engine: 'role', role: 'button', name: '^save$', mode: 'regex', flags: 'i' }), 'a'],
    [steps({ engine: 'role', role: 'button', name: 'Save', mode: 'exact', includeHidden: true }), 'a d'],
    [role('nonsense'), 'invalid_selector'],
    [steps({ engine: 'role' }), 'invalid_selector'],
  ]));

test('label', () =>
  check(
    '<label for=a>Email address</label><input id=a><label>Age <input id=b></label><input id=c aria-label=Email><i id=l>Phone</i><input id=d aria-labelledby=l>' +
      '<label>Size <select id=e><option>Email</select></label><button id=f aria-label="Email us">x</button><label for=g>Hidden</label><input id=g type=hidden>',
    [
      [by('label', 'email'), 'a c f'],
      [by('label', 'Email', 'exact'), 'c'],
      [by('label', 'Age', 'exact'), 'b'],
      [by('label', 'Phone', 'exact'), 'd'],
      [by('label', 'Size', 'exact'), 'e'],
      [by('label', '^Email', 'regex'), 'a c f'],
      [by('label', 'Hidden'), ''],
    ],
  ));

test('placeholder, alt and title', () =>
  check('<input id=a placeholder="Your name"><img id=b alt="A dog" src="data:,"><img id=c alt="dog" src="data:,"><p id=d title="Dog tag">x</p>', [
    [by('placeholder', 'name'), 'a'],
    [by('placeholder', 'name', 'exact'), ''],
    [by('alt', 'dog'), 'b c'],
    [by('alt', 'dog', 'exact'), 'c'],
    [by('title', 'dog'), 'd'],
    [by('title', 'TAG$', 'regex', 'i'), 'd'],
  ]));

test('test ids of every habit, and ids', () =>
  check('<i id=a data-testid=t></i><i id=b data-test-id=t></i><i id=c data-test=t></i><i id=d data-qa=t></i><i id=e data-cy=t></i><i id=f data-testid=T></i>', [
    [by('testid', 't'), 'a b c d e'],
    [by('testid', 'T'), 'f'],
    [by('testid', 'say "x"\\'), ''],
    [by('id', 'c'), 'c'],
    [by('id', '1.5:x'), ''],
  ]));

test('nth counts from both ends', () =>
  check('<i id=a></i><i id=b></i><i id=c></i>', [
    [steps({ engine: 'css', body: 'i' }, { engine: 'nth', index: 0 }), 'a'],
    [steps({ engine: 'css', body: 'i' }, { engine: 'nth', index: -1 }), 'c'],
    [steps({ engine: 'css', body: 'i' }, { engine: 'nth', index: 3 }), ''],
    [steps({ engine: 'css', body: 'i' }, { engine: 'nth' }), 'invalid_selector'],
    [steps({ engine: 'css', body: 'i' }, { engine: 'nth', index: 1.5 }), 'invalid_selector'],
    [steps({ engine: 'nth', index: 0 }), 'invalid_selector'],
  ]));

test('visible', () =>
  check('<p id=a>x</p><p id=b hidden>x</p>', [
    [steps({ engine: 'css', body: 'p' }, { engine: 'visible', value: true }), 'a'],
    [steps({ engine: 'css', body: 'p' }, { engine: 'visible', value: false }), 'b'],
  ]));

test('has, has-not and has-text filter', async () => {
  const rows = { engine: 'css', body: 'li' };
  const inner = [{ engine: 'role', role: 'button', name: 'Delete', mode: 'exact' }];
  await check('<ul><li id=a>Alice <button>Delete</button></li><li id=b>Bob</li><li id=c>Bob <button>Delete</button></li></ul>', [
    [steps(rows, { engine: 'has', steps: inner }), 'a c'],
    [steps(rows, { engine: 'has-not', steps: inner }), 'b'],
    [steps(rows, { engine: 'has-text', body: 'bob' }), 'b c'],
    [steps(rows, { engine: 'has-text', body: 'Bob', mode: 'exact' }), 'b'],
    [steps(rows, { engine: 'has-text', body: 'bob' }, { engine: 'has', steps: inner }), 'c'],
    [steps(rows, { engine: 'has' }), 'invalid_selector'],
  ]);
});

test('a step queries inside the results of the one before, each match once and in document order', () =>
  check('<div class=k id=a><div class=k id=b><p id=c>x</p></div><p id=d>x</p></div><p id=e>x</p>', [
    [steps({ engine: 'css', body: '.k' }, { engine: 'css', body: 'p' }), 'c d'],
    [steps({ engine: 'css', body: '#b' }, { engine: 'text', body: 'x' }), 'c'],
    [steps({ engine: 'text', body: 'x' }, { engine: 'nth', index: 2 }), 'e'],
    [steps({ engine: 'css', body: '#e' }, { engine: 'css', body: 'p' }), ''],
  ]));

test('steps that make no sense say which one', async () => {
  await page.show('<p>x</p>');
  const target = steps({ engine: 'css', body: 'p' }, { engine: 'teleport', body: 'x' });
  const { error } = await page.call('resolve', { target });
  assert.equal(error.code, 'invalid_selector');
  assert.match(error.message, /step 2.*teleport/);

  for (const bad of [undefined, null, 7, {}, { steps: [] }, { steps: 'css=p' }, { steps: [null] }, { steps: [{}] }, { ref: 'e1' }, { ref: 5 }]) {
    assert.equal((await page.call('resolve', { target: bad })).error.code, 'invalid_selector', JSON.stringify(bad));
  }
  assert.equal((await page.call('resolve', { target: { steps: [{ engine: 'constructor', body: 'x' }] } })).error.code, 'invalid_selector');
});

test('exactly one match resolves, and every way of naming it leads to the same element', async () => {
  await page.show('<button id=a style="position:absolute;left:0;top:0;width:50px;height:50px">Save</button>');
  const { handle, ref, info } = await page.call('resolve', { target: role('button') });
  assert.equal(info.ref, ref);
  for (const target of [{ ref }, { handle }, { point: { x: 10, y: 10 } }, css('#a')]) {
    assert.equal((await page.call('resolve', { target })).ref, ref);
  }
});

test('several matches fail with candidates that are told apart', async () => {
  await page.show('<main><button>Save</button></main><dialog open aria-label=Profile><button>Save</button></dialog>');
  const { error } = await page.call('resolve', { target: role('button', 'Save') });
  assert.equal(error.code, 'target_ambiguous');
  assert.equal(error.retryable, false);
  assert.match(error.message, /2 elements/);
  assert.deepEqual(error.candidates.map((c) => c.description), ['button "Save"', 'button "Save"']);
  assert.equal(new Set(error.candidates.map((c) => c.selector)).size, 2);
});

test('no more than ten candidates are listed', async () => {
  await page.show('<button>Go</button>'.repeat(25));
  const { error } = await page.call('resolve', { target: role('button') });
  assert.match(error.message, /25 elements/);
  assert.equal(error.candidates.length, 10);
});

test('no match, a point outside and a vanished element have codes of their own', async () => {
  await page.show('<button id=a>Save</button>');
  assert.equal((await page.call('resolve', { target: css('#nope') })).error.code, 'target_not_found');
  assert.equal((await page.call('resolve', { target: { point: { x: -5, y: 5 } } })).error.code, 'outside_viewport');
  assert.equal((await page.call('resolve', { target: { point: { x: 'a' } } })).error.code, 'invalid_argument');
  assert.equal((await page.call('resolve', { target: { handle: 99_999 } })).error.code, 'detached');

  const { handle, ref } = await page.call('resolve', { target: css('#a') });
  await page.evaluate(() => document.getElementById('a').remove());
  assert.equal((await page.call('resolve', { target: { handle } })).error.code, 'detached');
  assert.equal((await page.call('resolve', { target: { ref } })).error.code, 'stale_ref');
});

test('query counts all and returns no more than the limit', async () => {
  await page.show('<i>x</i>'.repeat(30));
  const answer = await page.call('query', { target: css('i'), limit: 4 });
  assert.equal(answer.count, 30);
  assert.equal(answer.elements.length, 4);
  assert.deepEqual(await page.call('query', { target: css('#nope') }), { count: 0, elements: [] });
});

test('element_at names the deepest element', async () => {
  await page.show('<div style="position:absolute;left:0;top:0;width:80px;height:80px"><button id=a style="width:80px;height:80px">Hit</button></div>');
  assert.equal((await page.call('element_at', { x: 40, y: 40 })).description, 'button "Hit" #"a"');
  assert.equal((await page.call('element_at', { x: 99_999, y: 0 })).error.code, 'outside_viewport');
  assert.equal((await page.call('element_at', {})).error.code, 'invalid_argument');
});

test('an element is described in one line and never with what was typed', async () => {
  await page.show(
    '<button id=a>Save</button><input id=b type=password aria-label=Secret value=hunter2><textarea id=c>draft</textarea><div id=d contenteditable>draft</div>' +
      '<p id=e>Some text</p><button id=f data-testid=go></button><select id=g aria-label=Size><option>S</select>',
  );
  const described = async (id) => (await page.call('resolve', { target: css(`#${id}`) })).info;
  assert.equal((await described('a')).description, 'button "Save" #"a"');
  assert.equal((await described('b')).description, 'textbox "Secret" #"b"');
  assert.equal((await described('c')).description, 'textbox #"c"');
  assert.equal((await described('d')).description, 'div #"d"');
  assert.equal((await described('e')).description, 'paragraph "Some text" #"e"');
  assert.equal((await described('e')).text, 'Some text');
  assert.equal((await described('g')).description, 'combobox "Size" #"g"');
  for (const id of ['b', 'c', 'd']) assert.doesNotMatch(JSON.stringify(await described(id)), /hunter2|draft/);
});

test('an unknown function is a failure, not a crash', async () => {
  for (const name of ['nope', 'constructor', '__proto__', '']) assert.equal((await page.call(name)).error.code, 'invalid_argument');
});
