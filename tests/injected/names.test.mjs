// Accessible names and descriptions (accname 1.2). The element asked for is #x.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();
let page;
before(async () => {
  page = await browser.page();
});

async function nameOf(html) {
  await page.show(html);
  const { info } = await page.call('resolve', { target: css('#x') });
  return info.name;
}

const CASES = [
  // aria-labelledby
  ['labelledby joins the referenced texts in order', '<button id=x aria-labelledby="b a">no</button><i id=a>one</i><i id=b>two</i>', 'two one'],
  ['labelledby may include the element itself', '<button id=x aria-label=Delete aria-labelledby="x f">no</button><i id=f>Report.pdf</i>', 'Delete Report.pdf'],
  ['labelledby beats aria-label', '<button id=x aria-label=no aria-labelledby=a>no</button><i id=a>yes</i>', 'yes'],
  ['labelledby with unknown ids is ignored', '<button id=x aria-labelledby="nope">yes</button>', 'yes'],
  ['labelledby reads hidden text', '<button id=x aria-labelledby=a>no</button><span id=a hidden>hid<b>den</b></span>', 'hidden'],
  ['labelledby skips hidden parts of visible text', '<button id=x aria-labelledby=a></button><span id=a>seen<b hidden>no</b></span>', 'seen'],
  ['labelledby is followed once', '<button id=x aria-labelledby=a></button><i id=a aria-labelledby=b>first</i><i id=b>second</i>', 'first'],
  ['labelledby that refers in a circle ends', '<button id=x aria-labelledby=y>X</button><button id=y aria-labelledby=x>Y</button>', 'Y'],
  ['labelledby reads the value of a textbox', '<button id=x aria-labelledby=t>no</button><input id=t value=typed>', 'typed'],
  ['labelledby never reads a password', '<button id=x aria-labelledby=t>Go</button><input id=t type=password value=hunter2>', 'Go'],
  ['labelledby reads the chosen option', '<button id=x aria-labelledby=t></button><select id=t><option>a<option selected>b</select>', 'b'],
  ['labelledby reads aria-label of the referenced', '<button id=x aria-labelledby=a></button><i id=a aria-label=spoken>seen</i>', 'spoken'],
  // aria-label
  ['aria-label beats content', '<button id=x aria-label=Close>X</button>', 'Close'],
  ['blank aria-label does not count', '<button id=x aria-label=" ">Text</button>', 'Text'],
  ['aria-label is prohibited on a generic role', '<div id=x role=generic aria-label=no>text</div>', ''],
  // native labels
  ['label for', '<label for=x>Email</label><input id=x>', 'Email'],
  ['label around', '<label>Email <input id=x></label>', 'Email'],
  ['label around does not count the value of its own control', '<label>Email <input id=x value=me@x.de> here</label>', 'Email here'],
  ['several labels', '<label for=x>A</label><label for=x>B</label><input id=x>', 'A B'],
  ['label counts embedded controls', '<label><input type=checkbox id=x> Flash <input value=3 size=2> times</label>', 'Flash 3 times'],
  ['label counts an embedded select', '<label><input type=checkbox id=x> in <select><option>s<option selected>min</select></label>', 'in min'],
  ['label does not take the options of its own select', '<label>Size <select id=x><option>S<option>M</select></label>', 'Size'],
  ['label counts a range by its value', '<label><input type=checkbox id=x>Vol <input type=range value=7 max=10></label>', 'Vol 7'],
  ['hidden label still labels', '<label for=x style="display:none">Search</label><input id=x>', 'Search'],
  ['labels that hold each other end', '<label for=x>A<input type=checkbox id=y></label><label for=y>B<input type=checkbox id=x></label>', 'A B'],
  ['aria-label beats label', '<label for=x>no</label><input id=x aria-label=yes>', 'yes'],
  ['title after label', '<input id=x title=Tip>', 'Tip'],
  ['placeholder is the last resort', '<input id=x placeholder="Your name">', 'Your name'],
  ['title beats placeholder', '<input id=x placeholder=no title=yes>', 'yes'],
  ['textarea label', '<label>Notes <textarea id=x>draft</textarea></label>', 'Notes'],
  ['meter label', '<label>Disk <meter id=x value=.5></meter></label>', 'Disk'],
  // buttons
  ['button content', '<button id=x>Sign <b>in</b></button>', 'Sign in'],
  ['input button value', '<input id=x type=button value="Do it">', 'Do it'],
  ['submit default', '<input id=x type=submit>', 'Submit'],
  ['reset default', '<input id=x type=reset>', 'Reset'],
  ['submit value', '<input id=x type=submit value=Send>', 'Send'],
  ['image button alt', '<input id=x type=image alt=Go src="data:,">', 'Go'],
  ['image button title', '<input id=x type=image title=Go src="data:,">', 'Go'],
  ['label beats the content of a button', '<label for=x>Label</label><button id=x>Content</button>', 'Label'],
  ['icon button by title', '<button id=x title=Settings><svg></svg></button>', 'Settings'],
  ['icon button by svg title', '<button id=x><svg><title>Gear</title></svg></button>', 'Gear'],
  ['icon button by image alt', '<button id=x><img alt=Trash src="data:,"></button>', 'Trash'],
  ['decorative image adds nothing', '<button id=x><img alt="" src="data:,">Save</button>', 'Save'],
  ['glyphs of icon fonts do not count', '<style>#x::before{content:"\\e800"}</style><button id=x>Save</button>', 'Save'],
  // content
  ['link content', '<a id=x href=#>Read <i>more</i></a>', 'Read more'],
  ['inline parts join without a blank', '<a id=x href=#>foo<span>bar</span></a>', 'foobar'],
  ['blocks are set apart', '<a id=x href=#>foo<div>bar</div>baz</a>', 'foo bar baz'],
  ['inline-blocks are set apart', '<a id=x href=#>foo<span style="display:inline-block">bar</span></a>', 'foo bar'],
  ['br is a blank', '<a id=x href=#>foo<br>bar</a>', 'foo bar'],
  ['hidden content does not count', '<a id=x href=#>foo<span hidden>no</span></a>', 'foo'],
  ['aria-hidden content does not count', '<a id=x href=#>foo<span aria-hidden=true>no</span></a>', 'foo'],
  ['visibility hidden does not count', '<a id=x href=#>foo<span style="visibility:hidden">no</span></a>', 'foo'],
  ['content inside keeps its aria-label', '<a id=x href=#>foo <span role=img aria-label=star></span></a>', 'foo star'],
  ['script and style do not count', '<a id=x href=#>foo<style>b{}</style><script>1</script></a>', 'foo'],
  ['whitespace collapses', '<a id=x href=#>  foo \n\t bar&nbsp; </a>', 'foo bar'],
  ['soft hyphens vanish', '<a id=x href=#>auto&shy;mobile</a>', 'automobile'],
  ['before and after count', '<style>#x::before{content:"<"}#x::after{content:">"}</style><a id=x href=#>foo</a>', '<foo>'],
  ['alternative text of generated content', '<style>#x::before{content:"★" / "star "}</style><a id=x href=#>foo</a>', 'star foo'],
  ['attr() in generated content', '<style>#x::after{content:attr(data-n)}</style><a id=x href=# data-n=7>No </a>', 'No 7'],
  ['aria-owns adds owned content', '<a id=x href=# aria-owns=o>foo </a><span id=o>bar</span>', 'foo bar'],
  ['heading', '<h2 id=x>Chapter <em>one</em></h2>', 'Chapter one'],
  ['cell', '<table><tr><td id=x>12 <b>EUR</b></table>', '12 EUR'],
  ['row joins its cells', '<table><tr id=x><td>a<td>b</table>', 'a b'],
  ['option label', '<select><option id=x label=Short>Long</select>', 'Short'],
  ['option text', '<select><option id=x>Long text</select>', 'Long text'],
  ['tab from content', '<div role=tablist><div id=x role=tab>General</div></div>', 'General'],
  ['summary', '<details><summary id=x>More</summary>text</details>', 'More'],
  ['an own widget inside does not count', '<a id=x href=#>Open<div role=dialog>dialog text</div></a>', 'Open'],
  ['slider inside content counts by value text', '<button id=x>Level <span role=slider aria-valuenow=3 aria-valuetext=low></span></button>', 'Level low'],
  // other native names
  ['img alt', '<img id=x alt="A dog" src="data:,">', 'A dog'],
  ['img title', '<img id=x title="A dog" src="data:,">', 'A dog'],
  ['area alt', '<map name=m><area id=x href=# alt=North shape=default></map>', 'North'],
  ['fieldset legend', '<fieldset id=x><legend>Address</legend></fieldset>', 'Address'],
  ['table caption', '<table id=x><caption>Prices</caption><tr><td>1</table>', 'Prices'],
  ['figure caption', '<figure id=x><figcaption>Fig. 1</figcaption></figure>', 'Fig. 1'],
  ['optgroup label', '<select><optgroup id=x label=Group><option>a</optgroup></select>', 'Group'],
  ['svg title', '<svg id=x><title>Chart</title></svg>', 'Chart'],
  ['iframe title', '<iframe id=x title=Map></iframe>', 'Map'],
  ['dialog is not named by its content', '<dialog id=x open>text</dialog>', ''],
  ['paragraph has no name', '<p id=x>text</p>', ''],
  ['div has no name', '<div id=x>text</div>', ''],
  ['clickable div is known by its text', '<div id=x onclick="1">Open</div>', 'Open'],
  ['presentation has no name', '<img id=x alt="" src="data:,">', ''],
  ['list has no name from content', '<ul id=x><li>a</ul>', ''],
  ['hidden element is named all the same', '<button id=x hidden>Save</button>', 'Save'],
  // shapes the page may take
  ['form fields named like properties do not confuse', '<form id=x aria-label=Yes><input name=id><input name=getAttribute><input name=childNodes></form>', 'Yes'],
];

for (const [title, html, expected] of CASES) {
  test(`name: ${title}`, async () => {
    assert.equal(await nameOf(html), expected);
  });
}

// Where the browser's own accessibility tree says something else, and why we do not follow it.
const BROWSER_DIFFERS = new Set([
  'labelledby never reads a password', // tells its length
  'labelledby reads hidden text', // joins inline parts of hidden text with a blank
  'aria-label is prohibited on a generic role', // keeps the prohibited name
  'hidden label still labels', // drops it; people still know the field by it
  'glyphs of icon fonts do not count', // keeps the glyph
  'soft hyphens vanish', // keeps them
  'row joins its cells', // takes a small table for a layout table
  'area alt', // has no box without an image
  'figure caption', // treats it as a relation
  'clickable div is known by its text', // has no role, so no name
  'presentation has no name',
  'hidden element is named all the same',
]);

test('names agree with the accessibility tree of the browser', async () => {
  await page.send('Accessibility.enable');
  const different = [];
  for (const [title, html] of CASES) {
    const ours = await nameOf(html);
    const { objectId } = await page.callForObject('element', { target: css('#x') });
    const { nodes } = await page.send('Accessibility.getPartialAXTree', { objectId, fetchRelatives: false });
    const theirs = (nodes[0].name?.value ?? '').replace(/\s+/g, ' ').trim();
    if (theirs !== ours && !BROWSER_DIFFERS.has(title)) different.push({ title, ours, theirs });
  }
  await page.send('Accessibility.disable');
  assert.deepEqual(different, []);
});

test('name: content of a slot is what is assigned to it', async () => {
  const html = '<div id=host><span>light</span></div>';
  await page.evaluate((content) => {
    document.body.innerHTML = content;
    document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button id=x>Say <slot>fallback</slot></button>';
  }, html);
  assert.equal((await page.call('resolve', { target: css('#x') })).info.name, 'Say light');
});

test('name: an empty slot counts with its fallback', async () => {
  await page.evaluate(() => {
    document.body.innerHTML = '<div id=host></div>';
    document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button id=x>Say <slot>fallback</slot></button>';
  });
  assert.equal((await page.call('resolve', { target: css('#x') })).info.name, 'Say fallback');
});

test('name: content of an open shadow root counts', async () => {
  await page.evaluate(() => {
    document.body.innerHTML = '<button id=x><span id=host></span></button>';
    document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<b>inner</b>';
  });
  assert.equal((await page.call('resolve', { target: css('#x') })).info.name, 'inner');
});

test('name: id references stay in their shadow tree', async () => {
  await page.evaluate(() => {
    document.body.innerHTML = '<i id=l>outer</i><div id=host></div>';
    document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<i id=l>inner</i><button id=x aria-labelledby=l></button>';
  });
  assert.equal((await page.call('resolve', { target: css('#x') })).info.name, 'inner');
});
