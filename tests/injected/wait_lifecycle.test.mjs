// Waits together: cancelling, many at once, shadow roots that come late, and the load they put on the page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();

const attached = (target, state = 'attached') => ({ kind: 'selector', target: css(target), state });
const wait = (page, id, condition, timeout_ms = 5000) => page.call('wait', { id, condition, timeout_ms });

test('a cancelled wait answers, an unknown one is no error', async () => {
  const page = await browser.page('');

  const pending = wait(page, 'a', attached('#never'), 1_000_000);
  assert.deepEqual(await page.call('cancel_wait', { id: 'a' }), { cancelled: true });

  assert.equal((await pending).error.code, 'cancelled');
  assert.deepEqual(await page.call('cancel_wait', { id: 'a' }), { cancelled: false });
});

test('a second wait with the same id takes the place of the first', async () => {
  const page = await browser.page('');

  const first = wait(page, 'a', attached('#never'), 1_000_000);
  const second = wait(page, 'a', attached('#x'), 1_000_000);
  assert.equal((await first).error.code, 'cancelled');
  await page.evaluate(() => (document.body.innerHTML = '<p id=x></p>'));

  assert.equal((await second).satisfied, true);
});

test('many waits share the page and end each on its own', async () => {
  const page = await browser.page('<div id=r></div>');
  const ids = Array.from({ length: 20 }, (_, i) => `x${i}`);

  const pending = ids.map((id) => wait(page, id, attached(`#${id}`, 'visible')));
  for (const id of ids) await page.evaluate((name) => r.insertAdjacentHTML('beforeend', `<p id=${name}>t</p>`), id);

  for (const answer of await Promise.all(pending)) assert.equal(answer.satisfied, true);
});

test('changes inside a shadow root are seen', async () => {
  const page = await browser.page('<div id=h></div><script>h.attachShadow({mode:"open"}).innerHTML = "<p id=p></p>"</script>');

  const pending = wait(page, 'a', attached('#deep'));
  await page.evaluate(() => (h.shadowRoot.querySelector('#p').innerHTML = '<i id=deep></i>'));

  assert.equal((await pending).satisfied, true);
});

test('a shadow root that is added with its host is watched', async () => {
  const page = await browser.page('<div id=r></div>');

  const pending = wait(page, 'a', attached('#deep'));
  await page.evaluate(() => {
    const host = document.createElement('div');
    window.shadow = host.attachShadow({ mode: 'open' });
    r.append(host);
  });
  await page.evaluate(() => (window.shadow.innerHTML = '<i id=deep></i>'));

  assert.equal((await pending).satisfied, true);
});

test('an element that is upgraded while waiting is watched', async () => {
  const page = await browser.page('<x-late></x-late>');

  const pending = wait(page, 'a', attached('#deep'));
  await page.evaluate(() => {
    customElements.define('x-late', class extends HTMLElement {
      connectedCallback() {
        this.attachShadow({ mode: 'open' });
      }
    });
  });
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  await page.evaluate(() => (document.querySelector('x-late').shadowRoot.innerHTML = '<i id=deep></i>'));

  assert.equal((await pending).satisfied, true);
});

test('a wait in a frame that is never painted still ends', async () => {
  const page = await browser.page(
    '<div style="height:5000px"></div><iframe id=f style="width:100px;height:100px" srcdoc="<p id=x hidden>t</p>"></iframe>',
  );
  const { frameTree } = await page.send('Page.getFrameTree');
  const frameId = frameTree.childFrames[0].frame.id;
  await page.inject(frameId);

  const pending = page.call('wait', { id: 'a', condition: attached('#x', 'stable'), timeout_ms: 5000 }, frameId);
  await page.evaluate(() => (f.contentDocument.querySelector('#x').hidden = false));

  assert.equal((await pending).satisfied, true);
});

test('nothing is observed when nobody waits', async () => {
  const page = await browser.page('<p id=x hidden>t</p>');
  const pending = wait(page, 'a', attached('#x', 'visible'));
  await page.evaluate(() => (x.hidden = false));
  await pending;

  const frames = await page.evaluateIsolated(
    () =>
      new Promise((done) => {
        const own = globalThis.requestAnimationFrame;
        let asked = 0;
        globalThis.requestAnimationFrame = (then) => (++asked, own(then));
        document.body.append('change');
        own(() => own(() => {
          globalThis.requestAnimationFrame = own;
          done(asked);
        }));
      }),
  );

  assert.equal(frames, 0);
});

test('a storm of changes does not multiply the cost of an expensive wait', async () => {
  const page = await browser.page(`<div id=r>${'<p>word</p>'.repeat(3000)}</div><i id=i></i>`);

  const pending = wait(page, 'a', { kind: 'text', text: 'finished' }, 20_000);
  const took = await page.evaluate(async () => {
    const began = performance.now();
    for (let n = 0; n < 300; ++n) {
      i.textContent = String(n);
      await new Promise((next) => {
        const channel = new MessageChannel();
        channel.port1.onmessage = next;
        channel.port2.postMessage(0);
      });
    }
    i.textContent = 'finished';
    return performance.now() - began;
  });

  assert.equal((await pending).satisfied, true);
  assert.ok(took < 2000, `300 changes took ${took} ms`);
});
