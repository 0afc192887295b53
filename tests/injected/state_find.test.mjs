// Looking for words in the whole page.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { useBrowser } from './harness.mjs';

const browser = useBrowser();

async function findIn(html, text, args = {}) {
  const page = await browser.page(html);
  return page.call('find', { text, ...args });
}

const brief = ({ matches }) => matches.map(({ role, name, text }) => `${role} ${name || text}`);

test('finds controls and texts anywhere, controls and closer matches first', async () => {
  const found = await findIn(`
    <p>You can delete your account here.</p><button>Delete</button><div style="height:5000px"></div><button>Delete account</button>`, 'delete');
  assert.deepEqual(brief(found), ['button Delete', 'button Delete account', 'paragraph You can delete your account here.']);
  assert.deepEqual(found.matches.map(({ in_viewport }) => in_viewport), [true, false, true]);
});

test('all words must be there, in any order', async () => {
  const found = await findIn('<button>Red shoe</button><button>Red hat</button><p>A shoe that is red</p>', 'shoe RED');
  assert.deepEqual(brief(found), ['button Red shoe', 'paragraph A shoe that is red']);
});

test('looks at names, placeholders and pictures, and leads to the control', async () => {
  const html = `<input placeholder="Search books"><button aria-label="Close books"><svg></svg></button><label>My books <input id="b"></label>
    <a href="/x"><img alt="Old books"></a><button><span>New <b>books</b></span></button>`;
  const found = await findIn(html, 'books');
  assert.deepEqual(brief(found).sort(), ['button Close books', 'button New books', 'link Old books', 'textbox My books', 'textbox Search books']);
  assert.ok(found.matches.every(({ interactive, ref }) => interactive && /^d\d+e\d+$/.test(ref)));
});

test('looks inside shadow roots, not at what is hidden', async () => {
  const page = await browser.page('<x-a></x-a><p hidden>needle</p><p style="opacity:0">needle</p><script>"needle"</script>');
  await page.evaluate(() => (document.querySelector('x-a').attachShadow({ mode: 'open' }).innerHTML = '<p>The needle</p>'));
  assert.deepEqual(brief(await page.call('find', { text: 'needle' })), ['paragraph The needle']);
});

test('says how many there are when it shows only some', async () => {
  const found = await findIn('<button>x</button>'.repeat(30), 'x', { limit: 5 });
  assert.equal(found.matches.length, 5);
  assert.equal(found.total, 30);
});

test('refuses an empty or endless text', async () => {
  for (const text of ['', '  ', 'x'.repeat(1000), undefined, 5]) {
    assert.equal((await findIn('<p>x</p>', text)).error?.code, 'invalid_argument');
  }
});
