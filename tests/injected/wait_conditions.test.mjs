// wait: every kind of condition, met at once, met later, and not met.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, role, useBrowser } from './harness.mjs';

const browser = useBrowser();

const wait = (page, condition, timeout_ms = 5000) => page.call('wait', { id: 'w', condition, timeout_ms });
const selector = (target, state, more = {}) => ({ kind: 'selector', target, state, ...more });
const code = (answer) => answer.error?.code ?? `no failure: ${JSON.stringify(answer)}`;

// Waits on `html` for the condition, which must not hold; then runs `change` in the page, which must fulfil it.
async function becomes(html, condition, change) {
  const page = await browser.page(html);
  assert.equal(code(await wait(page, condition, 0)), 'timeout', 'the condition must not hold yet');
  const pending = wait(page, condition);
  await page.evaluate(change);
  const answer = await pending;
  assert.equal(answer.satisfied, true, JSON.stringify(answer));
  return answer;
}

for (const [state, html, change] of [
  ['attached', '<div id=r></div>', () => (r.innerHTML = '<p id=x></p>')],
  ['detached', '<p id=x>t</p>', () => x.remove()],
  ['visible', '<p id=x hidden>t</p>', () => (x.hidden = false)],
  ['visible', '<p id=x style="width:0">t</p><style>p{overflow:hidden}</style>', () => (x.style.width = '10px')],
  ['hidden', '<p id=x>t</p>', () => (x.style.display = 'none')],
  ['hidden', '<p id=x>t</p>', () => x.remove()],
  ['enabled', '<fieldset id=f disabled><button id=x>t</button></fieldset>', () => (f.disabled = false)],
  ['disabled', '<button id=x>t</button>', () => (x.disabled = true)],
  ['editable', '<input id=x readonly>', () => (x.readOnly = false)],
  ['checked', '<input id=x type=checkbox>', () => (x.checked = true)],
  ['unchecked', '<div id=x role=switch aria-checked=true>t</div>', () => x.setAttribute('aria-checked', 'false')],
]) {
  test(`an element becomes ${state}: ${html}`, () => becomes(html, selector(css('#x'), state), change));
}

test('a condition that holds is answered at once', async () => {
  const page = await browser.page('<p>one</p><p>two</p>');

  const answer = await wait(page, selector(css('p'), 'visible'), 0);

  assert.deepEqual(answer, { satisfied: true, observed: { count: 2 }, waited_ms: 0 });
});

test('strict refuses several matches', async () => {
  const page = await browser.page('<p>one</p><p>two</p>');

  assert.equal(code(await wait(page, selector(css('p'), 'visible', { strict: true }))), 'target_ambiguous');
});

test('a moving element becomes stable', async () => {
  const page = await browser.page('<p id=x style="position:absolute;left:0">t</p>');
  await page.evaluate(() => {
    let left = 0;
    const step = () => {
      x.style.left = `${++left}px`;
      if (left < 15) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  });

  await wait(page, selector(css('#x'), 'stable'));

  assert.equal(await page.evaluate(() => x.style.left), '15px');
});

test('a ref that is gone is detached, and stale for every other question', async () => {
  const page = await browser.page('<button id=b>x</button>');
  const { ref } = await page.call('resolve', { target: css('#b') });

  const pending = wait(page, selector({ ref }, 'detached'));
  await page.evaluate(() => b.remove());

  assert.equal((await pending).satisfied, true);
  assert.equal((await wait(page, selector({ ref }, 'hidden'))).satisfied, true);
  assert.equal(code(await wait(page, selector({ ref }, 'visible'))), 'stale_ref');
});

for (const [what, html, condition, change] of [
  ['appears', '<p id=x>Loading</p>', { text: 'All  done' }, () => (x.textContent = 'we are all done now')],
  ['is matched exactly', '<p id=x>Done now</p>', { text: 'Done', mode: 'exact' }, () => (x.textContent = 'Done')],
  ['matches a pattern', '<p id=x>Order</p>', { text: 'Order #\\d+', mode: 'regex' }, () => (x.textContent = 'Order #42')],
  ['is shown', '<p id=x hidden>Done</p>', { text: 'Done' }, () => (x.hidden = false)],
  ['is shown by a style rule alone', '<style>#x{display:none}</style><p id=x>Done</p>', { text: 'Done' }, () => document.styleSheets[0].deleteRule(0)],
  ['goes away', '<p id=x>Loading</p>', { text: 'Loading', absent: true }, () => x.remove()],
  ['is hidden', '<p id=x>Loading</p>', { text: 'Loading', absent: true }, () => (x.style.display = 'none')],
  ['changes in a text node', '<p id=x>a</p>', { text: 'b' }, () => (x.firstChild.data = 'b')],
  ['appears inside a target', '<p>Done</p><div id=x></div>', { text: 'Done', target: css('#x') }, () => (x.textContent = 'Done')],
]) {
  test(`text ${what}`, () => becomes(html, { kind: 'text', ...condition }, change));
}

test('attributes, properties and patterns of an element', async () => {
  const state = (more) => ({ kind: 'element_state', target: css('#x'), ...more });
  const html = '<input id=x value=a data-s=idle>';

  await becomes(html, state({ attribute: 'data-s', equals: 'done' }), () => (x.dataset.s = 'done'));
  await becomes(html, state({ attribute: 'data-s', matches: '^do' }), () => (x.dataset.s = 'done'));
  await becomes(html, state({ attribute: 'data-new' }), () => (x.dataset.new = ''));
  await becomes(html, state({ property: 'value', equals: 'b' }), () => (x.value = 'b'));
  const seen = await becomes(html, state({ property: 'disabled', equals: true }), () => (x.disabled = true));
  assert.deepEqual(seen.observed, { value: true });
});

test('counts', async () => {
  const count = (op, n) => ({ kind: 'count', target: css('i'), op, n });

  await becomes('<b id=r></b>', count('gte', 2), () => (r.innerHTML = '<i></i><i></i>'));
  await becomes('<b id=r><i></i></b>', count('eq', 0), () => (r.innerHTML = ''));
  await becomes('<i></i><i id=x></i>', count('lte', 1), () => x.remove());
});

test('a page that stops changing is quiet', async () => {
  const page = await browser.page('<p id=x></p>');
  await page.evaluate(() => {
    let left = 10;
    const step = () => {
      x.textContent = String(left);
      if (--left > 0) requestAnimationFrame(step);
    };
    step();
  });

  const answer = await wait(page, { kind: 'dom_quiet', quiet_ms: 60 });

  assert.equal(await page.evaluate(() => x.textContent), '1');
  assert.ok(answer.observed.quiet_for_ms >= 60);
  assert.ok(answer.waited_ms >= 60);
});

test('a page that never stops changing is not quiet', async () => {
  const page = await browser.page('<p id=x></p><script>(function step() { x.textContent = performance.now(); requestAnimationFrame(step) })()</script>');

  const answer = await wait(page, { kind: 'dom_quiet', quiet_ms: 200 }, 250);

  assert.equal(code(answer), 'timeout');
  assert.ok(answer.error.detail.observed.quiet_for_ms < 200);
});

test('a timeout tells what was seen last', async () => {
  const page = await browser.page('<i></i>');

  const { error } = await wait(page, { kind: 'count', target: css('i'), op: 'eq', n: 3 }, 20);

  assert.equal(error.code, 'timeout');
  assert.match(error.message, /count did not hold within \d+ ms/);
  assert.deepEqual(error.detail, { observed: { count: 1 } });
});

for (const [what, condition] of [
  ['an unknown kind', { kind: 'weather' }],
  ['no target', { kind: 'selector', state: 'visible' }],
  ['an unknown state', selector(css('p'), 'happy')],
  ['a count without a number', { kind: 'count', target: css('p'), op: 'eq' }],
  ['a broken pattern', { kind: 'element_state', target: css('p'), attribute: 'a', matches: '(' }],
  ['a broken pattern in a target', { kind: 'text', target: css('p'), text: '(', mode: 'regex' }],
]) {
  test(`${what} is an invalid argument`, async () => {
    const page = await browser.page('<p>x</p>');

    assert.equal(code(await wait(page, condition)), 'invalid_argument');
  });
}

test('a broken selector fails at once', async () => {
  const page = await browser.page('<p>x</p>');

  assert.equal(code(await wait(page, selector(css('p[['), 'visible'), 1_000_000)), 'invalid_selector');
  assert.equal(code(await wait(page, { kind: 'text', text: '(', mode: 'regex' }, 1_000_000)), 'invalid_selector');
});

test('roles are waited for like anything else', () =>
  becomes('<div id=x>Save</div>', selector(role('button', 'Save'), 'visible'), () => x.setAttribute('role', 'button')));
