// Roles (explicit, HTML-AAM implicit, presentation conflicts) and states. The element asked for is #x.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { css, role, steps, useBrowser } from './harness.mjs';

const browser = useBrowser();
let page;
before(async () => {
  page = await browser.page();
});

async function roleOf(html) {
  await page.show(html);
  return (await page.call('resolve', { target: css('#x') })).info.role;
}

const CASES = [
  ['<a id=x href=#>a</a>', 'link'],
  ['<a id=x>a</a>', ''],
  ['<map name=m><area id=x href=#></map>', 'link'],
  ['<article id=x></article>', 'article'],
  ['<aside id=x></aside>', 'complementary'],
  ['<article><aside id=x></aside></article>', ''],
  ['<article><aside id=x aria-label=a></aside></article>', 'complementary'],
  ['<button id=x>a</button>', 'button'],
  ['<div id=x>a</div>', ''],
  ['<details><summary id=x>a</summary></details>', 'button'],
  ['<details id=x><summary>a</summary></details>', 'group'],
  ['<dialog id=x open></dialog>', 'dialog'],
  ['<fieldset id=x></fieldset>', 'group'],
  ['<figure id=x></figure>', 'figure'],
  ['<footer id=x></footer>', 'contentinfo'],
  ['<main><footer id=x></footer></main>', ''],
  ['<div role=region><footer id=x></footer></div>', ''],
  ['<header id=x></header>', 'banner'],
  ['<section><header id=x></header></section>', ''],
  ['<form id=x></form>', ''],
  ['<form id=x aria-label=Login></form>', 'form'],
  ['<h3 id=x>a</h3>', 'heading'],
  ['<hr id=x>', 'separator'],
  ['<img id=x alt=a src="data:,">', 'img'],
  ['<img id=x src="data:,">', 'img'],
  ['<img id=x alt="" src="data:,">', 'presentation'],
  ['<img id=x alt="" title=a src="data:,">', 'img'],
  ['<img id=x alt="" tabindex=0 src="data:,">', 'img'],
  ['<svg id=x></svg>', 'img'],
  ['<input id=x>', 'textbox'],
  ['<input id=x type=text list=l><datalist id=l></datalist>', 'combobox'],
  ['<input id=x type=button>', 'button'],
  ['<input id=x type=checkbox>', 'checkbox'],
  ['<input id=x type=checkbox role=switch>', 'switch'],
  ['<input id=x type=date>', 'textbox'],
  ['<input id=x type=email>', 'textbox'],
  ['<input id=x type=file>', 'button'],
  ['<input id=x type=hidden>', ''],
  ['<input id=x type=image>', 'button'],
  ['<input id=x type=number>', 'spinbutton'],
  ['<input id=x type=password>', 'textbox'],
  ['<input id=x type=radio>', 'radio'],
  ['<input id=x type=range>', 'slider'],
  ['<input id=x type=search>', 'searchbox'],
  ['<input id=x type=submit>', 'button'],
  ['<input id=x type=unknown>', 'textbox'],
  ['<ul><li id=x>a</ul>', 'listitem'],
  ['<div><li id=x>a</div>', ''],
  ['<div role=list><li id=x>a</div>', 'listitem'],
  ['<ul role=presentation><li id=x>a</ul>', 'presentation'],
  ['<ul role=presentation><li id=x aria-label=b>a</ul>', 'listitem'],
  ['<main id=x></main>', 'main'],
  ['<nav id=x></nav>', 'navigation'],
  ['<ol id=x></ol>', 'list'],
  ['<select><option id=x>a</select>', 'option'],
  ['<output id=x></output>', 'status'],
  ['<p id=x>a</p>', 'paragraph'],
  ['<progress id=x></progress>', 'progressbar'],
  ['<search id=x></search>', 'search'],
  ['<section id=x></section>', ''],
  ['<section id=x aria-label=a></section>', 'region'],
  ['<section id=x aria-labelledby=h><h2 id=h>a</h2></section>', 'region'],
  ['<select id=x></select>', 'combobox'],
  ['<select id=x multiple></select>', 'listbox'],
  ['<select id=x size=3></select>', 'listbox'],
  ['<table id=x><tr><td>a</table>', 'table'],
  ['<table><tr id=x><td>a</table>', 'row'],
  ['<table><tr><td id=x>a</table>', 'cell'],
  ['<table role=grid><tr><td id=x>a</table>', 'gridcell'],
  ['<table role=none><tr><td id=x>a</table>', 'presentation'],
  ['<table role=none><tr id=x><td>a</table>', 'presentation'],
  ['<table><thead id=x><tr><th>a</table>', 'rowgroup'],
  ['<table><thead><tr><th id=x>a</table>', 'columnheader'],
  ['<table><tr><th id=x>a<td>b</table>', 'rowheader'],
  ['<table><tr><th id=x>a<th>b</table>', 'columnheader'],
  ['<table><tr><th id=x scope=row>a<th>b</table>', 'rowheader'],
  ['<table><tr><th id=x scope=col>a<td>b</table>', 'columnheader'],
  ['<textarea id=x></textarea>', 'textbox'],
  ['<x-thing id=x></x-thing>', ''],
  // explicit
  ['<div id=x role=button>a</div>', 'button'],
  ['<div id=x role=BUTTON>a</div>', 'button'],
  ['<div id=x role="nope tab button">a</div>', 'tab'],
  ['<button id=x role=nope>a</button>', 'button'],
  ['<button id=x role="">a</button>', 'button'],
  ['<div id=x role=image>a</div>', 'img'],
  // presentation conflicts
  ['<h1 id=x role=none>a</h1>', 'presentation'],
  ['<h1 id=x role=none aria-label=b>a</h1>', 'heading'],
  ['<h1 id=x role=presentation tabindex=0>a</h1>', 'heading'],
  ['<button id=x role=none>a</button>', 'button'],
  ['<button id=x role=none disabled>a</button>', 'presentation'],
  ['<a id=x role=presentation href=#>a</a>', 'link'],
  ['<svg><a id=x href=#></a></svg>', 'link'],
];

for (const [html, expected] of CASES) {
  test(`role: ${html} is ${expected || 'nothing'}`, async () => {
    assert.equal(await roleOf(html), expected);
  });
}

test('role queries find every element that has the role', async () => {
  await page.show(CASES.map(([html]) => html.replace(/ id=x/, '')).join('\n'));
  const { elements } = await page.call('query', { target: css('*'), limit: 10_000 });
  const expected = groupByRole(elements);
  expected.delete('');

  for (const [name, members] of expected) {
    const target = steps({ engine: 'role', role: name, includeHidden: true });
    const found = await page.call('query', { target, limit: 10_000 });
    assert.deepEqual(found.elements.map((el) => el.ref), members.map((el) => el.ref), `role ${name}`);
  }
});

function groupByRole(elements) {
  const groups = new Map();
  for (const el of elements) groups.set(el.role, [...(groups.get(el.role) ?? []), el]);
  return groups;
}

const STATE_CASES = [
  ['<input id=x type=checkbox checked>', 'checkbox', { checked: true }, true],
  ['<input id=x type=checkbox>', 'checkbox', { checked: true }, false],
  ['<input id=x type=checkbox>', 'checkbox', { checked: false }, true],
  ['<div id=x role=checkbox aria-checked=mixed>', 'checkbox', { checked: 'mixed' }, true],
  ['<div id=x role=switch>', 'switch', { checked: false }, true],
  ['<button id=x aria-pressed=true>a</button>', 'button', { pressed: true }, true],
  ['<button id=x>a</button>', 'button', { pressed: false }, true],
  ['<select><option>a<option id=x selected>b</select>', 'option', { selected: true }, true],
  ['<div id=x role=tab aria-selected=true>a</div>', 'tab', { selected: true }, true],
  ['<div id=x role=tab>a</div>', 'tab', { selected: false }, true],
  ['<button id=x aria-expanded=false>a</button>', 'button', { expanded: false }, true],
  ['<button id=x>a</button>', 'button', { expanded: false }, false],
  ['<details open><summary id=x>a</summary></details>', 'button', { expanded: true }, true],
  ['<button id=x popovertarget=p>a</button><div id=p popover>b</div>', 'button', { expanded: false }, true],
  ['<h2 id=x>a</h2>', 'heading', { level: 2 }, true],
  ['<h2 id=x aria-level=5>a</h2>', 'heading', { level: 5 }, true],
  ['<div id=x role=heading>a</div>', 'heading', { level: 2 }, true],
  ['<h2 id=x>a</h2>', 'heading', { level: 3 }, false],
  ['<button id=x disabled>a</button>', 'button', { disabled: true }, true],
  ['<fieldset disabled><button id=x>a</button></fieldset>', 'button', { disabled: true }, true],
  ['<fieldset disabled><legend><button id=x>a</button></legend></fieldset>', 'button', { disabled: true }, false],
  ['<div role=toolbar aria-disabled=true><button id=x>a</button></div>', 'button', { disabled: true }, true],
  ['<div role=toolbar aria-disabled=true><button id=x aria-disabled=false>a</button></div>', 'button', { disabled: true }, false],
  ['<select disabled><option id=x>a</select>', 'option', { disabled: true }, true],
  ['<select><optgroup disabled><option id=x>a</optgroup></select>', 'option', { disabled: true }, true],
  ['<button id=x>a</button>', 'button', { disabled: false }, true],
];

for (const [html, name, states, matches] of STATE_CASES) {
  test(`state: ${html} ${matches ? 'is' : 'is not'} ${JSON.stringify(states)}`, async () => {
    await page.show(html);
    const found = await page.call('query', { target: steps({ engine: 'role', role: name, ...states }) });
    const ids = await Promise.all(found.elements.map((el) => page.callForObject('element', { target: { ref: el.ref } })));
    const hit = ids.some((object) => object.description.includes('#x'));
    assert.equal(hit, matches);
  });
}

const HIDDEN_CASES = [
  ['<div style="display:none"><button id=x>a</button></div>', true],
  ['<div style="visibility:hidden"><button id=x>a</button></div>', true],
  ['<div style="visibility:hidden"><button id=x style="visibility:visible">a</button></div>', false],
  ['<div aria-hidden=true><button id=x>a</button></div>', true],
  ['<div aria-hidden=false><button id=x>a</button></div>', false],
  ['<div inert><button id=x>a</button></div>', true],
  ['<details><summary>s</summary><button id=x>a</button></details>', true],
  ['<details open><summary>s</summary><button id=x>a</button></details>', false],
  ['<div style="content-visibility:hidden"><button id=x>a</button></div>', true],
  ['<div style="display:contents"><button id=x>a</button></div>', false],
  ['<button id=x style="display:contents">a</button>', false],
  ['<div hidden><button id=x style="display:contents">a</button></div>', true],
  ['<div style="opacity:0"><button id=x>a</button></div>', false],
];

for (const [html, hidden] of HIDDEN_CASES) {
  test(`role query ${hidden ? 'skips' : 'finds'} the button in ${html}`, async () => {
    await page.show(html);
    assert.equal((await page.call('query', { target: role('button', 'a') })).count, hidden ? 0 : 1);
    const all = await page.call('query', { target: steps({ engine: 'role', role: 'button', name: 'a', mode: 'exact', includeHidden: true }) });
    assert.equal(all.count, 1);
  });
}

const VISIBLE_CASES = [
  ['<button id=x>a</button>', true],
  ['<button id=x hidden>a</button>', false],
  ['<div id=x></div>', false],
  ['<div id=x style="width:10px;height:0">a</div>', false],
  ['<button id=x style="opacity:0">a</button>', true],
  ['<button id=x style="visibility:hidden">a</button>', false],
  ['<span id=x style="display:contents">text</span>', true],
  ['<span id=x style="display:contents"><b>text</b></span>', true],
  ['<span id=x style="display:contents"> <b hidden>text</b></span>', false],
  ['<button id=x style="position:absolute;left:-9999px">a</button>', true],
  ['<details><summary>s</summary><p id=x>a</p></details>', false],
  ['<div style="height:0;overflow:hidden"><p id=x>a</p></div>', true],
];

for (const [html, visible] of VISIBLE_CASES) {
  test(`visible: ${html} ${visible ? 'is' : 'is not'}`, async () => {
    await page.show(html);
    assert.equal((await page.call('resolve', { target: css('#x') })).info.visible, visible);
  });
}
