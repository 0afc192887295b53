// What the state says about each control.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './harness.mjs';

const browser = useBrowser();

async function elementsOf(html, args = {}) {
  const page = await browser.page(html);
  const state = await page.call('state', args);
  assert.equal(state.error, undefined, JSON.stringify(state.error));
  return state.elements;
}

const brief = (elements) => elements.map(({ role, name }) => (name ? `${role} ${name}` : role));

test('finds native controls in document order', async () => {
  const elements = await elementsOf(`
    <a href="/a">Link</a><a>no link</a><button>Push</button><input aria-label="Field"><input type="hidden">
    <select aria-label="Choice"><option>A</select><textarea aria-label="Notes"></textarea>
    <details><summary>More</summary><button>Inside</button></details>`);
  assert.deepEqual(brief(elements), [
    'link Link', 'button Push', 'textbox Field', 'combobox Choice', 'textbox Notes', 'button More',
  ]);
});

test('finds controls made by role, handler, editing and cursor', async () => {
  const elements = await elementsOf(`
    <div role="button" tabindex="0">Role</div><div onclick="1">Handler</div><div contenteditable="true" aria-label="Editor">text</div>
    <div style="cursor:pointer">Card <b>title</b></div><div role="region" tabindex="0">only scrolls</div><div tabindex="0">no role</div>`);
  assert.deepEqual(brief(elements), ['button Role', 'clickable Handler', 'textbox Editor', 'clickable Card title']);
});

test('a clickable wrapper with nothing of its own is not listed beside its control', async () => {
  const elements = await elementsOf(`
    <div style="cursor:pointer"><button>Buy</button></div>
    <div style="cursor:pointer">Red shoe <button>Buy now</button></div>`);
  assert.deepEqual(brief(elements), ['button Buy', 'clickable Red shoe Buy now', 'button Buy now']);
});

test('a page that is one pointing cursor is no control', async () => {
  assert.deepEqual(brief(await elementsOf('<body style="cursor:pointer;height:100vh"><p>text</p><a href="/x">Go</a>')), ['link Go']);
});

test('describes states, types, values and options', async () => {
  const [email, box, agree, country, range, button] = await elementsOf(`
    <input type="email" aria-label="Email" required placeholder="you@example.com" value="a@b.c" readonly>
    <input type="checkbox" aria-label="News" checked><div role="switch" aria-checked="mixed" aria-label="Agree" tabindex="0">o</div>
    <select aria-label="Country" multiple><option selected>France<option>Spain</select>
    <input type="range" aria-label="Volume" value="30"><button disabled aria-expanded="true">Open</button>`);
  assert.equal(email.type, 'email');
  assert.equal(email.required, true);
  assert.equal(email.readonly, true);
  assert.equal(email.placeholder, 'you@example.com');
  assert.equal(email.value_hint, 'a@b.c');
  assert.equal(box.checked, true);
  assert.equal(agree.checked, 'mixed');
  assert.deepEqual(country.options, [{ label: 'France', selected: true }, { label: 'Spain' }]);
  assert.equal(range.value_hint, '30');
  assert.equal(button.enabled, false);
  assert.equal(button.expanded, true);
});

test('names are cut at 80 characters, values at 40, option lists at 20 with the chosen one', async () => {
  const options = Array.from({ length: 50 }, (_, i) => `<option${i === 33 ? ' selected' : ''}>Option ${i}`).join('');
  const [button, input, select] = await elementsOf(`
    <button>${'n'.repeat(200)}</button><input aria-label="x" value="${'v'.repeat(100)}"><select aria-label="y">${options}</select>`);
  assert.equal(button.name.length, 80);
  assert.equal(input.value_hint.length, 40);
  assert.equal(select.options.length, 20);
  assert.equal(select.options_total, 50);
  assert.deepEqual(select.options.at(-1), { label: 'Option 33', selected: true });
});

test('links show origin and path, never user info, query or fragment', async () => {
  const elements = await elementsOf(`
    <a href="https://user:pass@example.com/a/b?token=1#x">a</a><a href="javascript:void('code')">b</a>
    <a href="mailto:me@example.com?subject=x">c</a><a href="https://example.com/${'p'.repeat(300)}">d</a><a href="http://[bad">e</a>`);
  const hrefs = elements.map(({ href }) => href);
  assert.deepEqual(hrefs.slice(0, 3), ['https://example.com/a/b', 'javascript:', 'mailto:me@example.com']);
  assert.equal(hrefs[3].length, 120);
  assert.ok(!JSON.stringify(elements).includes('pass'));
});

test('boxes are shares of the viewport with four digits', async () => {
  const [button] = await elementsOf('<button style="position:absolute;left:100px;top:70px;width:333px;height:35px">x</button>');
  assert.deepEqual(button.bbox, [0.1, 0.1, 0.333, 0.05]);
});

test('a hidden checkbox drawn by its label is listed at the place of the label', async () => {
  const elements = await elementsOf(`
    <label style="position:absolute;left:100px;top:70px;width:200px;height:70px"><input type="checkbox" checked style="display:none">None</label>
    <label style="position:absolute;left:100px;top:210px;width:200px;height:70px"><input type="radio" style="opacity:0;position:absolute">Clear</label>
    <input id="far" type="checkbox" style="position:absolute;left:-9999px"><label for="far" style="position:absolute;left:100px;top:350px;width:200px;height:70px">Far</label>`);
  assert.deepEqual(brief(elements), ['checkbox None', 'radio Clear', 'checkbox Far']);
  assert.deepEqual(elements.map(({ bbox }) => bbox), [[0.1, 0.1, 0.2, 0.1], [0.1, 0.3, 0.2, 0.1], [0.1, 0.5, 0.2, 0.1]]);
  assert.ok(elements.every(({ obscured }) => !obscured));
});

test('enters open shadow roots and follows slots', async () => {
  const page = await browser.page('<x-card><button>Slotted</button><button slot="none">Unassigned</button></x-card>');
  await page.evaluate(() => {
    const root = document.querySelector('x-card').attachShadow({ mode: 'open' });
    root.innerHTML = '<p>Shadow text</p><button>First</button><slot></slot><button>Last</button>';
  });
  const state = await page.call('state');
  assert.deepEqual(brief(state.elements), ['button First', 'button Slotted', 'button Last']);
  assert.deepEqual(state.texts.map(({ text }) => text), ['Shadow text']);
});

test('equal names are told apart by their row, item or section', async () => {
  const elements = await elementsOf(`
    <table><tr><td>Anna</td><td><button>Edit</button></td></tr><tr><td>Ben</td><td><button>Edit</button></td></tr></table>
    <section aria-label="News"><a href="/n">More</a></section><section><h2>Sport</h2><a href="/s">More</a></section><button>Save</button>`);
  assert.deepEqual(elements.map(({ group }) => group), ['Anna', 'Ben', 'News', 'Sport', undefined]);
});

test('what is inert, or takes no clicks, is not enabled', async () => {
  const elements = await elementsOf(`
    <div inert><button>Inert</button></div><a href="/x" style="pointer-events:none">Dead</a><button>Live</button>
    <div inert aria-hidden="true"><button>Gone</button></div>`);
  assert.deepEqual(elements.map(({ name, enabled }) => `${name} ${enabled}`), ['Inert false', 'Dead false', 'Live true']);
});

test('the focused element is marked, also inside a shadow root, and listed even when out of sight', async () => {
  const page = await browser.page('<x-box></x-box><div style="height:3000px"></div><button>Below</button><input id="far" aria-label="Far">');
  await page.evaluate(() => {
    const root = document.querySelector('x-box').attachShadow({ mode: 'open' });
    root.innerHTML = '<input aria-label="Inner">';
    root.firstChild.focus();
  });
  const inner = await page.call('state');
  assert.equal(inner.elements[0].focused, true);
  assert.equal(inner.focus, inner.elements[0].ref);
  await page.evaluate(() => document.querySelector('#far').focus({ preventScroll: true }));
  const far = await page.call('state');
  assert.deepEqual(brief(far.elements), ['textbox Inner', 'textbox Far']);
  assert.equal(far.elements[1].in_viewport, false);
});

test('refs stay the same from call to call', async () => {
  const page = await browser.page('<button>One</button><button>Two</button>');
  const before = await page.call('state');
  await page.evaluate(() => document.body.prepend(Object.assign(document.createElement('button'), { textContent: 'Zero' })));
  const after = await page.call('state');
  assert.deepEqual(after.elements.slice(1).map(({ ref }) => ref), before.elements.map(({ ref }) => ref));
});

test('refuses bad arguments by name', async () => {
  const page = await browser.page('<p>x</p>');
  for (const [args, name] of [
    [{ mode: 'all' }, 'mode'], [{ margin_px: -1 }, 'margin_px'], [{ offset: 1.5 }, 'offset'],
    [{ limits: { elements: 1e9 } }, 'elements'], [{ limits: 3 }, 'limits'], [{ doc: null }, 'doc'],
  ]) {
    const { error } = await page.call('state', args);
    assert.equal(error?.code, 'invalid_argument', name);
    assert.match(error.message, new RegExp(`^${name}:`));
  }
});

test('a page that names its fields like built-ins does not mislead', async () => {
  const page = await browser.page(`
    <form name="body"><input name="id" aria-label="A"><input name="localName" aria-label="B"><input name="attributes" aria-label="C">
    <input name="hasAttributes" aria-label="D"><input name="firstChild" aria-label="E"><input name="elements" aria-label="F" required></form>
    <img name="documentElement" alt=""><img name="elementFromPoint" alt=""><img name="activeElement" alt=""><img name="readyState" alt="">
    <img name="scrollingElement" alt=""><img name="createTreeWalker" alt=""><img name="querySelectorAll" alt="">`);
  const state = await page.call('state');
  assert.equal(state.error, undefined, JSON.stringify(state.error));
  assert.deepEqual(state.elements.map(({ name }) => name), ['A', 'B', 'C', 'D', 'E', 'F']);
  assert.equal(state.forms[0].required_missing, 1);
  assert.equal(state.phase, 'complete');
});
