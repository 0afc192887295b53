// Secrets: which fields hold one, that they are never told, and where they are on the screen.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();
const SECRET = 'correct horse battery';

const fill = (page, selector, value, more = {}) => page.call('fill', { target: css(selector), value, timeout_ms: 1000, ...more });

async function places(page, during = async () => {}) {
  await page.call('watch_secrets', { token: 'w' });
  await during();
  return page.call('secret_places', { token: 'w' });
}

const field = (id, style, more = '') => `<input id=${id} ${more} style="position:absolute;width:100px;height:30px;box-sizing:border-box;${style}">`;
const box = (x, y) => ({ x: x - 1, y: y - 1, width: 102, height: 32 });

test('filled secret fields are found, in view and beyond', async () => {
  const page = await browser.page(`<body style="margin:0">${field('a', 'left:10px;top:20px', 'type=password value=x')}
    ${field('b', 'left:10px;top:2000px', 'type=password value=x')}${field('c', 'left:10px;top:80px', 'type=password')}
    ${field('d', 'display:none', 'type=password value=x')}${field('e', 'left:300px;top:20px', 'autocomplete=cc-number value=4111')}<input aria-label="Name" value=x>`);

  const { in_view, on_page } = await places(page);

  assert.deepEqual(in_view, [box(10, 20), box(10, 2000), box(300, 20)]);
  assert.deepEqual(on_page, in_view);
});

test('a field that moves is told with all its places', async () => {
  const page = await browser.page(`<body style="margin:0;height:5000px">${field('a', 'left:10px;top:500px', 'type=password value=x')}`);

  const { in_view, on_page, scroll } = await places(page, () => page.evaluate(async () => {
    scrollTo(0, 100);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    document.querySelector('#a').style.left = '400px';
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }));

  assert.deepEqual(in_view, [{ x: 9, y: 399, width: 492, height: 132 }]);
  assert.deepEqual(on_page, [{ x: 9, y: 499, width: 492, height: 32 }]);
  assert.deepEqual(scroll, { x: 0, y: 0, width: 0, height: 100 });
});

// In the page's own order: what one animation frame shows, the next takes away before anybody else can look.
const flash = (page) => page.evaluate(() => new Promise((resolve) => {
  const value = document.querySelector('#a').value;
  requestAnimationFrame(() => {
    document.body.insertAdjacentHTML('beforeend', `<p id=flash style="position:absolute;left:50px;top:300px;margin:0">${value}</p>`);
    requestAnimationFrame(() => {
      document.querySelector('#flash').remove();
      resolve();
    });
  });
}));

test('for a stream counts what is shown for one frame only, too', async () => {
  const page = await browser.page(`<body style="margin:0">${field('a', 'left:10px;top:20px', 'type=password')}`);
  await fill(page, '#a', SECRET, { secret: true });
  await page.call('watch_secrets', { token: 's', follow: 'stream' });
  await flash(page);
  const { in_view } = await page.call('secret_places', { token: 's' });

  assert.equal(in_view.length, 2);
  assert.deepEqual(in_view[0], box(10, 20));
  assert.equal(in_view[1].x, 49);
});

test('what the page repeats of a secret while it is typed is found', async () => {
  const page = await browser.page(`<body style="margin:0">${field('a', 'left:10px;top:20px', 'type=password')}
    ${field('b', 'left:10px;top:80px')}<p id=c style="position:absolute;left:10px;top:140px;margin:0">none</p>`);
  await fill(page, '#a', SECRET, { secret: true });
  await page.evaluate((part) => {
    for (const id of ['a', 'b']) document.getElementById(id).value = part;
    document.getElementById('c').textContent = `so far: ${part}`;
  }, SECRET.slice(0, 6));

  const { in_view } = await places(page);

  assert.deepEqual(in_view.map(({ y }) => y).sort((one, other) => one - other), [19, 79, 139]);
});

test('redrawn answers after frames, not after time', async () => {
  const page = await browser.page('<p>x');
  const frames = page.evaluate(() => new Promise((resolve) => {
    let count = 0;
    window.stop = () => resolve(count);
    (function step() { count++; requestAnimationFrame(step); })();
  }));
  await page.call('redrawn');
  await page.evaluate(() => window.stop());
  assert.ok(await frames >= 4);
});

test('for a stream one watch begins before the other ends', async () => {
  const page = await browser.page(`<body style="margin:0">${field('a', 'left:10px;top:20px', 'type=password value=x')}`);
  await page.call('watch_secrets', { token: 'one', follow: 'stream' });
  await page.call('watch_secrets', { token: 'two', follow: 'stream' });
  const one = await page.call('secret_places', { token: 'one' });
  await page.evaluate(() => document.querySelector('#a').remove());
  const two = await page.call('secret_places', { token: 'two' });

  assert.deepEqual(one.in_view, [box(10, 20)]);
  assert.deepEqual(two.in_view, [box(10, 20)], 'gone by now, but it was there');
  assert.equal((await page.call('secret_places', { token: 'one' })).error.code, 'invalid_argument');
});

test('a field that a secret was typed into stays secret', async () => {
  const page = await browser.page('<input id=a aria-label=Motto>');
  assert.equal((await fill(page, '#a', SECRET, { secret: true })).value_matches, true);

  const [element] = (await page.call('state')).elements;
  const { in_view } = await places(page);

  assert.equal(element.secret, true);
  assert.equal(element.value_hint, undefined);
  assert.equal(in_view.length, 1);
  assert.equal((await page.call('extract', { target: css('#a'), what: 'value' })).error.code, 'secret_field');
});

test('so does whatever else shows it', async () => {
  const page = await browser.page('<input id=a type=password><input id=b><p id=p style="width:fit-content"></p><div id=s></div>');
  await fill(page, '#a', SECRET, { secret: true });
  await page.evaluate(() => {
    const value = document.querySelector('#a').value;
    document.querySelector('#b').value = value;
    document.querySelector('#p').textContent = `Your password is ${value}`;
    document.querySelector('#s').attachShadow({ mode: 'open' }).innerHTML = `<b>${value}</b>`;
    document.querySelector('#a').outerHTML = `<input id=a type=text value="${value}">`;
  });

  const { in_view } = await places(page);
  const state = await page.call('state');

  assert.equal(in_view.length, 4);
  assert.deepEqual(state.elements.map(({ secret }) => secret), [true, true]);
});

test('a secret is in no text, name or extract', async () => {
  const page = await browser.page(`<input id=a><p id=p>x</p><div id=e contenteditable aria-label=Note></div><h2 id=h>y</h2>
    <label>Count <input type=number id=n> items <button>Order</button></label>`);
  await fill(page, '#a', '98765432109', { secret: true });
  await page.evaluate(() => {
    const { value } = document.querySelector('#a');
    for (const id of ['#p', '#e', '#h']) document.querySelector(id).textContent = value;
    document.querySelector('#n').value = value;
  });

  const told = [
    await page.call('state'), await page.call('state', { mode: 'page' }), await page.call('extract', { what: 'text', timeout_ms: 100 }),
    await page.call('find', { text: 'order' }), await page.call('resolve', { target: css('button') }),
  ];

  assert.ok(!JSON.stringify(told).includes('98765432109'), JSON.stringify(told));
});

test('a password that is shown before anybody looked stays secret', async () => {
  const page = await browser.page('<input id=a type=password>');
  await page.evaluate(() => {
    const field = document.querySelector('#a');
    field.focus();
    field.value = 'hunter2hunter2';
    field.type = 'text';
  });

  assert.equal((await places(page)).in_view.length, 1);
  assert.equal((await page.call('state')).elements[0].secret, true);
});

test('short secrets are not found in other values', async () => {
  const page = await browser.page('<input id=a type=password><input id=b value=41234><input id=c value=1234>');
  await fill(page, '#a', '1234', { secret: true });

  const state = await page.call('state');

  assert.deepEqual(state.elements.map(({ secret }) => secret ?? false), [true, false, true]);
});

test('frames that move are told', async () => {
  const page = await browser.page('<body style="margin:0"><iframe style="position:absolute;left:0;top:0;width:100px;height:50px;border:0"></iframe>');

  const still = await places(page);
  const { moved_frames } = await places(page, () => page.evaluate(() => {
    document.querySelector('iframe').style.left = '300px';
  }));

  assert.deepEqual(still.moved_frames, { in_view: [], on_page: [] });
  assert.deepEqual(moved_frames.in_view, [{ x: -1, y: -1, width: 402, height: 52 }]);
});

test('printing shows dots, and afterwards everything is as it was', async () => {
  const page = await browser.page(`<input id=a style="color:red"><p id=p>x</p><div id=e contenteditable></div>
    <select id=s autocomplete=cc-exp-month><option>01<option selected>02</select>`);
  await fill(page, '#a', SECRET, { secret: true });
  await page.evaluate((secret) => {
    document.querySelector('#p').textContent = secret;
    document.querySelector('#e').textContent = secret;
  }, SECRET);
  const looks = () => page.evaluate(() => ['#a', '#p', '#e', '#s'].map((id) => {
    const style = getComputedStyle(document.querySelector(id));
    return `${style.webkitTextSecurity} ${style.visibility}`;
  }));
  const before = await looks();

  assert.ok((await page.call('cover_secrets')).covered >= 4);
  const covered = await looks();
  await page.call('uncover_secrets');

  assert.deepEqual(covered, ['disc visible', 'disc visible', 'disc visible', 'none hidden']);
  assert.deepEqual(await looks(), before);
  assert.equal(await page.evaluate(() => document.querySelector('#a').getAttribute('style')), 'color: red;');
});

// A page that repeats a secret in every way that selectors can look at.
async function repeating(secret) {
  const page = await browser.page('<input id=a aria-label=Motto><p id=p></p><button id=b title=x>Go</button><div id=d></div>');
  await fill(page, '#a', secret, { secret: true });
  await page.evaluate((value) => {
    document.querySelector('#p').textContent = `You typed ${value} here`;
    document.querySelector('#b').title = value;
    document.querySelector('#b').setAttribute('aria-label', value);
    document.querySelector('#d').dataset.copy = value;
  }, secret);
  return page;
}

test('a secret cannot be guessed letter by letter', async () => {
  const page = await repeating(SECRET);
  const step = (engine, body, more = {}) => ({ target: { steps: [{ engine, body, ...more }] } });
  const guesses = [
    step('text', 'correct'), step('text', 'typed c', { mode: 'regex' }), step('title', 'correct'),
    { target: { steps: [{ engine: 'role', role: 'button', name: 'correct' }] } },
    { target: { steps: [{ engine: 'css', body: 'p' }, { engine: 'has-text', body: 'correct' }] } },
  ];

  for (const guess of guesses) assert.equal((await page.call('resolve', guess)).error.code, 'target_not_found', JSON.stringify(guess));
  assert.equal((await page.call('find', { text: 'correct' })).total, 0);
  for (const guess of [step('css', '[data-copy^="c"]'), step('css', 'button[title*="horse"] + div'), step('xpath', '//p[contains(.,"c")]')]) {
    assert.equal((await page.call('resolve', guess)).error.code, 'secret_field', JSON.stringify(guess));
    assert.equal((await page.call('extract', { ...guess, what: 'count' })).error.code, 'secret_field');
  }
  assert.ok((await page.call('resolve', step('text', 'You typed'))).ref);
  assert.ok((await page.call('resolve', step('css', '[data-copy]'))).ref);
});

test('attributes and properties are read without it', async () => {
  const page = await repeating(SECRET);

  const seen = [
    await page.call('observe', { target: css('#b'), what: 'attribute', name: 'title' }),
    await page.call('observe', { target: css('#p'), what: 'property', name: 'textContent' }),
    await page.call('extract', { target: css('#d'), what: 'attribute', name: 'data-copy' }),
  ];

  assert.ok(!JSON.stringify(seen).includes('horse'), JSON.stringify(seen));
  assert.deepEqual(seen[1].values, ['You typed \u2022\u2022\u2022 here']);
});

test('selectors look everywhere in a page that does not show it', async () => {
  const page = await browser.page('<input id=a type=password><button data-x=copy>Go</button>');
  await fill(page, '#a', SECRET, { secret: true });

  assert.ok((await page.call('resolve', { target: css('[data-x^="co"]') })).ref);
  assert.ok((await page.call('resolve', { target: { steps: [{ engine: 'xpath', body: '//button[contains(.,"G")]' }] } })).ref);
});

test('a typed secret is not edited', async () => {
  const page = await browser.page('<input id=a type=password><input id=b>');
  await fill(page, '#a', SECRET, { secret: true });
  const focus = (selector, edits) => page.call('focus', { target: css(selector), edits, token: 't', timeout_ms: 1000 });

  assert.equal((await focus('#a', true)).error.code, 'secret_field');
  assert.equal((await page.call('focused', { edits: true, token: 't' })).error.code, 'secret_field');
  assert.ok((await focus('#a', false)).ref);
  assert.ok((await focus('#b', true)).ref);
  await fill(page, '#a', '');
  assert.ok((await focus('#a', true)).ref);
});

test('it is found in pieces and in other forms', async () => {
  const forms = {
    spans: [...SECRET].map((letter) => `<span>${letter}</span>`).join(''),
    base64: btoa(`user:${SECRET}`),
    hex: Buffer.from(SECRET).toString('hex'),
    address: `?p=${encodeURIComponent(SECRET)}&q=1`,
    shorter: SECRET.slice(1),
    louder: SECRET.toUpperCase(),
    other: 'correct house',
  };
  for (const [name, html] of Object.entries(forms)) {
    const page = await browser.page(`<p>before</p><p id=p>${html}</p><p>after</p>`);
    await page.call('learn_secrets', { secrets: [{ value: SECRET }] });

    const { in_view } = await places(page);

    assert.equal(in_view.length > 0, name !== 'other', name);
    const [left, right] = [Math.min(...in_view.map(({ y }) => y)), await page.evaluate(() => document.querySelector('#p').getBoundingClientRect().y)];
    if (name !== 'other') assert.ok(left >= right - 2, `${name}: covers more than it should`);
  }
});
