// Refs: an element keeps its ref, an equal one takes it over after a re-render, nothing else ever does.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, role, useBrowser } from './harness.mjs';

const browser = useBrowser();

async function refs(page, target = role('button')) {
  return (await page.call('query', { target, limit: 500 })).elements.map((el) => el.ref);
}

async function nameOf(page, ref) {
  const answer = await page.call('resolve', { target: { ref } });
  return answer.error ? answer.error.code : answer.info.name;
}

async function render(page, html) {
  await page.evaluate((content) => {
    document.getElementById('app').innerHTML = content;
  }, html);
}

async function app(html) {
  return browser.page(`<body><div id=app>${html}</div>`);
}

const row = (name) => `<li>${name} <button>Delete</button></li>`;
const rows = (...names) => `<ul>${names.map(row).join('')}</ul>`;
const card = (name) => `<div class=card><span>${name}</span><button>Delete</button></div>`;

test('refs carry the number of the document', async () => {
  const page = await app('<button>A</button>');
  assert.deepEqual(await refs(page), ['d1e1']);
});

test('an element keeps its ref while others come and go around it', async () => {
  const page = await app('<button>B</button>');
  const [before] = await refs(page);
  await page.evaluate(() => {
    const app = document.getElementById('app');
    app.insertAdjacentHTML('afterbegin', '<button>A</button>');
    app.insertAdjacentHTML('beforeend', '<button>C</button>');
  });
  const after = await refs(page);
  assert.equal(after[1], before);
  assert.equal(new Set(after).size, 3);
});

test('an element keeps its ref when its name changes', async () => {
  const page = await app('<button>Follow</button>');
  const [before] = await refs(page);
  await page.evaluate(() => {
    document.querySelector('button').textContent = 'Following';
  });
  assert.deepEqual(await refs(page), [before]);
  assert.equal(await nameOf(page, before), 'Following');
});

test('an element keeps its ref when it moves', async () => {
  const page = await app('<p id=p></p><button>A</button>');
  const [before] = await refs(page);
  await page.evaluate(() => document.getElementById('p').append(document.querySelector('button')));
  assert.deepEqual(await refs(page), [before]);
});

test('a re-render hands the refs on', async () => {
  const html = '<form aria-label=Login><label>Email <input name=email></label><label>Code <input name=code></label><button>Sign in</button></form>';
  const page = await app(html);
  const before = await refs(page, css('form, input, button'));
  await render(page, html);
  assert.deepEqual(await refs(page, css('form, input, button')), before);
});

test('a re-render that adds an element names only that one anew', async () => {
  const page = await app('<button>Save</button><button>Cancel</button>');
  const [save, cancel] = await refs(page);
  await render(page, '<button>New</button><button>Save</button><button>Cancel</button>');
  const after = await refs(page);
  assert.deepEqual(after.slice(1), [save, cancel]);
  assert.ok(![save, cancel].includes(after[0]));
});

test('before the new element is looked at, the ref of the old one is stale', async () => {
  const page = await app('<button>Save</button>');
  const [before] = await refs(page);
  await render(page, '<button>Save</button>');
  assert.equal(await nameOf(page, before), 'stale_ref');
  assert.deepEqual(await refs(page), [before]);
  assert.equal(await nameOf(page, before), 'Save');
});

test('equal rows keep their refs by what the row says when one of them goes', async () => {
  const page = await app(rows('Alice', 'Bob', 'Carol'));
  const [alice, bob, carol] = await refs(page);
  await render(page, rows('Bob', 'Carol'));
  assert.deepEqual(await refs(page), [bob, carol]);
  assert.equal(await nameOf(page, alice), 'stale_ref');
});

test('equal rows keep their refs when they are sorted', async () => {
  const page = await app(rows('Alice', 'Bob', 'Carol'));
  const [alice, bob, carol] = await refs(page);
  await render(page, rows('Carol', 'Alice', 'Bob'));
  assert.deepEqual(await refs(page), [carol, alice, bob]);
});

test('equal cards made of plain elements are told apart too', async () => {
  const page = await app(['Alice', 'Bob', 'Carol'].map(card).join(''));
  const [alice, bob, carol] = await refs(page);
  await render(page, ['Bob', 'Carol'].map(card).join(''));
  assert.deepEqual(await refs(page), [bob, carol]);
  assert.equal(await nameOf(page, alice), 'stale_ref');
});

test('the only row is not mistaken for another only row', async () => {
  const page = await app(rows('Alice'));
  const [alice] = await refs(page);
  await render(page, rows('Bob'));
  assert.notDeepEqual(await refs(page), [alice]);
  assert.equal(await nameOf(page, alice), 'stale_ref');
});

test('terms and definitions are told apart by the term', async () => {
  const list = (...names) => `<dl>${names.map((n) => `<dt>${n}</dt><dd><button>Delete</button></dd>`).join('')}</dl>`;
  const page = await app(list('Alice', 'Bob'));
  const [, bob] = await refs(page);
  await render(page, list('Bob'));
  assert.deepEqual(await refs(page), [bob]);
});

test('dialogs of different names do not share their buttons', async () => {
  const dialog = (name) => `<dialog open aria-labelledby=h><h2 id=h>Delete ${name}?</h2><button>Confirm</button></dialog>`;
  const page = await app(dialog('Alice'));
  const [alice] = await refs(page);
  await render(page, dialog('Bob'));
  assert.notDeepEqual(await refs(page), [alice]);
});

test('indistinguishable elements go by position while their number is the same', async () => {
  const page = await app('<button>X</button><button>X</button><button>X</button>');
  const before = await refs(page);
  await render(page, '<button>X</button><button>X</button><button>X</button>');
  const last = await page.call('resolve', { target: { steps: [{ engine: 'css', body: 'button' }, { engine: 'nth', index: 2 }] } });
  assert.equal(last.ref, before[2]);
  assert.deepEqual(await refs(page), before);
});

test('indistinguishable elements get new refs when their number changed', async () => {
  const page = await app('<button>X</button><button>X</button><button>X</button>');
  const before = await refs(page);
  await render(page, '<button>X</button><button>X</button>');
  const after = await refs(page);
  assert.equal(after.filter((ref) => before.includes(ref)).length, 0);
});

test('a survivor is never robbed of its ref', async () => {
  const page = await app('<button id=a>X</button><button>X</button>');
  const [first, second] = await refs(page);
  await page.evaluate(() => document.querySelectorAll('button')[1].replaceWith(Object.assign(document.createElement('button'), { textContent: 'X' })));
  assert.deepEqual(await refs(page), [first, second]);
});

test('an element that comes back after its ref was handed on gets a new one', async () => {
  const page = await app('<button>X</button>');
  const [before] = await refs(page);
  await page.evaluate(() => {
    window.old = document.querySelector('button');
    window.old.replaceWith(window.old.cloneNode(true));
  });
  assert.deepEqual(await refs(page), [before]);
  await page.evaluate(() => document.getElementById('app').append(window.old));
  const after = await refs(page);
  assert.equal(after[0], before);
  assert.notEqual(after[1], before);
});

test('refs of another document never match', async () => {
  const page = await app('<button>A</button>');
  const [before] = await refs(page);
  await page.setContent('<button>A</button>');
  assert.equal(await nameOf(page, before), 'stale_ref');
  const [after] = await refs(page);
  assert.equal(after, 'd2e1');
  assert.equal(await nameOf(page, 'd1e1'), 'stale_ref');
  assert.equal(await nameOf(page, 'd2e99'), 'stale_ref');
});

test('what was typed does not change the identity of a field', async () => {
  const html = '<ul><li>Name <input aria-label=Name> <textarea aria-label=Note></textarea></li></ul>';
  const page = await app(html);
  const before = await refs(page, css('input, textarea'));
  await page.evaluate(() => {
    document.querySelector('input').value = 'typed';
    document.querySelector('textarea').value = 'typed';
  });
  await refs(page, css('input, textarea'));
  await render(page, html);
  assert.deepEqual(await refs(page, css('input, textarea')), before);
});

test('evaluating the bundle again keeps the refs', async () => {
  const page = await app('<button>A</button>');
  const [before] = await refs(page);
  await page.inject();
  page.doc = 1;
  assert.deepEqual(await refs(page), [before]);
});

test('endless re-rendering does not grow without bound', async () => {
  const page = await app('');
  const made = await page.evaluateIsolated(async () => {
    const app = document.getElementById('app');
    let last = '';
    for (let round = 0; round < 250; ++round) {
      app.innerHTML = Array.from({ length: 100 }, (_, i) => `<button>b${round}-${i}</button>`).join('');
      const answer = __falconer.call('query', { target: { steps: [{ engine: 'css', body: 'button' }] }, doc: 1, limit: 100 });
      last = answer.elements[99].ref;
    }
    return last;
  });
  assert.equal(made, 'd1e25000');
  assert.equal(await nameOf(page, made), 'b249-99');
  assert.equal(await nameOf(page, 'd1e1'), 'stale_ref');
});
