// Each kind of element as markdown, and what never gets into it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { css, useBrowser } from './harness.mjs';

const browser = useBrowser();

const read = async (html, options = {}) => {
  const page = await browser.page(html);
  const answer = await page.call('extract', { what: 'markdown', ...options });
  await page.close();
  return answer;
};
const FILLER = 'This sentence is only here so that the page has enough of a text to be taken for one with content, and nothing more than that.';

// [what, html, markdown]
const CASES = [
  ['headings', '<h1>One</h1><h2>Two <b>bold</b></h2><h6>Six</h6><div role=heading aria-level=3>Role</div>', '# One\n\n## Two bold\n\n###### Six\n\n### Role\n\nx'],
  ['the sign beside a heading', '<h2 id=a>Use <a class=headerlink href="#a">¶</a></h2><h3><a href="#b">Linked</a></h3>', '## Use\n\n### Linked\n\nx'],
  ['paragraphs and breaks', '<p>one\n  two<br>three</p>four<br><br>five', 'one two\\\nthree\n\nfour\n\nfive'],
  ['emphasis', '<p>a <b>bold </b>and <em>soft</em>, <b><strong>once</strong></b>, <del>gone</del></p>', 'a **bold** and *soft*, **once**, ~~gone~~'],
  ['marked words side by side', '<p><b>a</b><b>b</b></p>', '**ab**'],
  ['marks beside full-width signs', '<p><b>注意：</b>請先備份。</p>', '**注意**：請先備份。'],
  ['lists', '<ul><li>a<li>b<ul><li>c<li>d</ul></ul><ol start=3><li>x<li value=9>y<li>z</ol>', '- a\n- b\n  - c\n  - d\n\n3. x\n9. y\n10. z'],
  ['items of several paragraphs', '<ol><li><p>a</p><p>b</p><li>c</ol>', '1. a\n\n   b\n\n2. c'],
  ['tasks', '<ul><li><input type=checkbox checked disabled> done<li><input type=checkbox disabled> open</ul>', '- [x] done\n- [ ] open'],
  ['definitions', '<dl><dt>Term<dd>Told<dt>Two<dd>First<dd>Second</dl>', '- **Term**: Told\n\n- **Two**: First\n\n  Second'],
  ['quotations', '<blockquote><p>said</p><p>more</p><footer>— who</footer></blockquote>', '> said\n>\n> more\n>\n> — who'],
  ['rules', '<p>a</p><hr><hr><p>b</p><hr>', 'a\n\n---\n\nb'],
  ['inline code', '<p>run <code>a | b</code>, <kbd>`x`</kbd>, <code>f(*p)</code></p>', 'run `a | b`, `` `x` ``, `f(*p)`'],
  ['code with its language', '<pre><code class="language-js">let a = 1;\n\n  b();\n</code></pre>', '```js\nlet a = 1;\n\n  b();\n```'],
  ['code of lines with numbers', '<div class="highlight" data-lang=py><pre><span class=lineno>1</span>a = 1\n<span class=lineno>2</span>b = 2<button>Copy</button></pre></div>', '```py\na = 1\nb = 2\n```'],
  ['code in a table of line numbers', '<table class=highlight><tr><td class=gutter><pre>1\n2</pre><td class=code><pre class="lang-c">int a;\nint b;</pre></table>', '```c\nint a;\nint b;\n```'],
  ['code that holds a fence', '<pre>```\nx\n```</pre>', '````\n```\nx\n```\n````'],
  ['code of one element per line', '<pre><div>a</div><div>b</div></pre>', '```\na\nb\n```'],
  ['sup, sub and quotes', '<p>x<sup>2</sup> H<sub>2</sub>O <q>so</q></p>', 'x<sup>2</sup> H<sub>2</sub>O “so”'],
  ['ruby', '<p><ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>を読む</p>', '漢字(かんじ)を読む'],
  ['formulas', '<p>so <math><semantics><mi>a</mi><annotation encoding="application/x-tex">a^2</annotation></semantics></math></p>', 'so $a^2$'],
  ['a table', '<table><caption>Prices</caption><thead><tr><th>Item<th>Price</thead><tr><td>Tea | black<td><b>1</b><tr><td>Milk<br>fresh<td>2</table>', 'Prices\n\n| Item | Price |\n| --- | --- |\n| Tea \\| black | **1** |\n| Milk<br>fresh | 2 |'],
  ['a table with spans', '<table><tr><th rowspan=2>Item<th colspan=2>Price<tr><th>Net<th>Gross<tr><td rowspan=2>Tea<td>1<td>2<tr><td colspan=2>sold out</table>', '| Item | Price / Net | Price / Gross |\n| --- | --- | --- |\n| Tea | 1 | 2 |\n| Tea | sold out |  |'],
  ['a table without a header', '<table><tr><td>a<td>b<tr><td>c<td>d</table>', '|  |  |\n| --- | --- |\n| a | b |\n| c | d |'],
  ['row headers', '<table><tr><th>a<td>1<tr><th>b<td>2</table>', '|  |  |\n| --- | --- |\n| a | 1 |\n| b | 2 |'],
  ['a table for layout', '<table role=presentation><tr><td><p>left</p><td><p>right</p></table>', 'left\n\nright'],
  ['details', '<details open><summary>More</summary><p>inside</p></details><details><summary>Shut</summary><p>folded</p></details>', '**More**\n\ninside\n\n**Shut**'],
  ['what would be markup', '<p>1. no list</p><p># no heading</p><p>a *b* _c_ snake_case &lt;b> 2 * 3</p><p>- x</p><p>[a](b)</p>', '1\\. no list\n\n\\# no heading\n\na \\*b\\* \\_c\\_ snake_case \\<b> 2 * 3\n\n\\- x\n\n[a\\](b)'],
  ['source broken between CJK letters', '<p>春は\n  あけぼの</p>', '春はあけぼの'],
  ['right to left', '<p dir=rtl>سلام دنیا می‌خواهم</p>', 'سلام دنیا می‌خواهم'],
  ['lines that are kept', '<p style="white-space:pre-line">a\nb</p>', 'a\\\nb'],
  ['a callout', '<aside class="note"><p>Mind this.</p></aside>', 'Mind this.'],
];

// One document for all of them: a new one for each takes most of the time.
let shared;
for (const [what, html, expected] of CASES) {
  test(`markdown of ${what}`, async () => {
    shared ??= await browser.page();
    await shared.show(`<main>${html}${/\n\nx$/.test(expected) ? '<p>x' : ''}</main>`);

    assert.equal((await shared.call('extract', { what: 'markdown' })).markdown, expected);
  });
}

test('links and pictures are absolute, and listed once', async () => {
  const dot = 'data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  const { markdown, links, images } = await read(
    `<main><p>See <a href="/a(1)">the  docs</a>, <a href="/a(1)">again</a>, <a href="javascript:x()">script</a> and <a>nothing</a>.` +
      `<p><img src="/p.png" alt="A [cat]" width=200 height=100><img src="${dot}" alt=dot><img src=/deco.png alt=""><img data-src="/late.png" src="${dot}" alt=Late width=50 height=50></p>` +
      '<a href="/card"><h3>Card</h3><p>told</p></a></main>',
  );

  const plain = markdown.replace(/http:\/\/127\.0\.0\.1:\d+/g, '');
  assert.equal(plain, 'See [the docs](/a%281%29), [again](/a%281%29), script and nothing.\n\n![A \\[cat\\]](/p.png)![Late](/late.png)\n\n### [Card](/card)\n\ntold');
  assert.deepEqual(links.map(({ text }) => text), ['the docs', 'Card']);
  assert.deepEqual(images.map(({ alt }) => alt), ['A [cat]', 'Late']);
  assert.ok([...links, ...images].every(({ url }) => url.startsWith('http://127.0.0.1:')));
});

test('footnotes', async () => {
  const { markdown } = await read(
    '<article><p>One<sup id=r1><a href="#fn1">1</a></sup> and two<sup><a href="#fn2">[2]</a></sup>, 10<sup>3</sup>.</p>' +
      '<ol><li id=fn1><p>First note <a href="#r1">↩</a></p><li id=fn2>Second note</ol></article>',
  );

  assert.equal(markdown, 'One[^1] and two[^2], 10<sup>3</sup>.\n\n[^1]: First note\n\n[^2]: Second note');
});

test('what people cannot see is not read', async () => {
  const { markdown } = await read(
    `<main><p>${FILLER}</p><p hidden>h1</p><p style="visibility:hidden">h2</p><p style="opacity:0">h3</p><p style="font-size:1px">h4</p>` +
      '<p style="color:#fff;background:#fff">h5</p><p style="position:absolute;left:-9999px">h6</p>' +
      '<span style="position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)">h7</span>' +
      '<template>h8</template><noscript>h9</noscript><script>h10</script><pre hidden>h11</pre><table hidden><tr><td>h12<td>h13</table></main>',
  );

  assert.equal(markdown, FILLER);
});

test('fields and secrets are not read', async () => {
  const page = await browser.page(
    `<main><p>${FILLER}</p><form><input id=p type=password><input value=typed><textarea>draft</textarea><select name=pin><option>1234</select></form>` +
      '<p id=echo></p><p><a id=l href="/x">go</a></p></main>',
  );
  await page.call('fill', { target: css('#p'), value: 'correct-horse-7', secret: true, timeout_ms: 1000 });
  await page.evaluate(() => {
    document.querySelector('#p').value = 'correct-horse-7';
    document.querySelector('#echo').textContent = 'you typed correct-horse-7';
    document.querySelector('#l').href = '/x?k=correct-horse-7';
    document.querySelector('#p').setAttribute('value', 'correct-horse-7');
  });

  for (const what of ['markdown', 'html']) {
    const told = JSON.stringify(await page.call('extract', { what, max_chars: 100_000 }));
    assert.match(told, /only here/);
    assert.doesNotMatch(told, /correct-horse-7|1234/, what);
  }
  assert.doesNotMatch((await page.call('extract', { what: 'markdown' })).markdown, /typed|draft|1234/);
});

test('what stands around the content is left out', async () => {
  const { markdown } = await read(
    '<header><a href=/>Site</a></header><nav><ul><li><a href=/1>One</a><li><a href=/2>Two</a></ul></nav>' +
      '<div class="cookie-consent">We use cookies on this site. <button>Accept</button></div>' +
      `<div class=content><h1>Title</h1><div class="share-bar"><a href=/t>Tweet</a></div><p>${FILLER}</p><p>${FILLER}</p><div class=ad-slot>Buy now</div>` +
      '<h3>Related stories</h3><ul><li><a href=/r1>Other one</a><li><a href=/r2>Other two</a></ul></div>' +
      '<div style="position:fixed;bottom:0">Pinned notice about the page</div><footer>© Site</footer>',
  );

  assert.equal(markdown, `# Title\n\n${FILLER}\n\n${FILLER}`);
});

test('comments are left out below an article, and read where they are the content', async () => {
  const comments = `<div class=comments>${`<p>${FILLER}</p>`.repeat(9)}</div>`;

  assert.doesNotMatch((await read(`<div><h1>Title</h1>${`<p>Own: ${FILLER}</p>`.repeat(8)}</div>${comments}`)).markdown, /^This/m);
  assert.match((await read(`<h1>Ask</h1>${comments}`)).markdown, /^This/m);
});

test('names mislead: a section about sharing and an article that ends with more to read are content', async () => {
  const { markdown } = await read(
    `<div id=sharing-with-other-people><h2>Sharing with other people</h2><p>${FILLER}</p></div>` +
      `<div><p>${FILLER} <a href=/x>A link that is somewhat longer than others</a></p><p>${FILLER}</p><h3>Related</h3><ul><li><a href=/y>Other</a></ul></div>`,
  );

  const [address] = /http:[^)]*/.exec(markdown);
  assert.equal(markdown, `## Sharing with other people\n\n${FILLER}\n\n${FILLER} [A link that is somewhat longer than others](${address})\n\n${FILLER}`);
});

test('a heading outside of the content comes first', async () => {
  const { markdown, title } = await read(`<title>T</title><header><h1>Headline</h1></header><article><p>${FILLER}</p></article>`);

  assert.equal(markdown, `# Headline\n\n${FILLER}`);
  assert.equal(title, 'T');
});

test('a part that is asked for is read as a whole', async () => {
  const { markdown } = await read('<main><p>other</p></main><div id=d class=sidebar><p>this</p></div>', { target: css('#d') });

  assert.equal(markdown, 'this');
});

test('a page of nothing but links or fields is read too', async () => {
  assert.match((await read('<nav><a href=/1>One</a> <a href=/2>Two</a></nav>')).markdown, /\[One\].*\[Two\]/);
  assert.match((await read('<form><label>Name <input></label><button>Send</button></form>')).markdown, /Name/);
});

test('shadow trees and slots are read', async () => {
  const { markdown } = await read(
    '<main><x-t><b>light</b></x-t></main><script>customElements.define("x-t", class extends HTMLElement { connectedCallback() {' +
      'this.attachShadow({mode:"open"}).innerHTML = "<h2>Head</h2><p><slot></slot></p>"; } })</script>',
  );

  assert.equal(markdown, '## Head\n\n**light**');
});

test('what is known about the page', async () => {
  const { title, byline, language, quality } = await read(
    `<html lang=de-AT><head><title> Der  Titel </title><meta name=author content="Eva Muster"></head><main>${`<p>${FILLER}</p>`.repeat(6)}</main>`,
  );

  assert.deepEqual({ title, byline, language, quality }, { title: 'Der Titel', byline: 'Eva Muster', language: 'de-AT', quality: 'sufficient' });
});

test('how much a page gave', async () => {
  const quality = async (html) => (await read(html)).quality;

  assert.equal(await quality('<div id=root></div>'), 'empty');
  assert.equal(await quality(`<p>${FILLER}</p>`), 'minimal');
  assert.equal(await quality(`<p>${FILLER.repeat(6)}</p>`), 'sufficient');
  assert.equal(await quality(`<p>${'東京都は新しい図書館を開いた。'.repeat(24)}</p>`), 'sufficient');
  assert.equal(await quality('<h1>Just a moment</h1><form id=challenge-form></form>'), 'blocked');
  assert.equal(await quality(`<title>How CAPTCHAs work</title><p>${FILLER.repeat(8)}</p><div id=px-captcha></div>`), 'sufficient');
});

test('the status of the page counts', async () => {
  const page = await browser.blank();
  for (const [status, expected] of [[503, 'blocked'], [404, 'minimal'], [200, 'sufficient']]) {
    const path = browser.site.add((_, response) => {
      response.writeHead(status, { 'content-type': 'text/html' });
      response.end(`<!doctype html><p>${FILLER.repeat(8)}</p>`);
    });
    await page.goto(path);
    assert.equal((await page.call('extract', { what: 'markdown' })).quality, expected, String(status));
  }
});

test('what is too much is cut, between paragraphs where it can be', async () => {
  const { markdown, truncated } = await read(`<main>${`<p>${'word '.repeat(20)}</p>`.repeat(200)}</main>`, { max_chars: 1000 });

  assert.equal(truncated, true);
  assert.ok(markdown.length <= 1000 && markdown.length > 700, String(markdown.length));
  assert.ok(markdown.endsWith('word'));
});

test('a tree without end is survived', async () => {
  const { markdown, truncated } = await read(`<main><p>${FILLER}</p>${'<div>'.repeat(500)}deep</main>`);

  assert.match(markdown, /only here/);
  assert.equal(truncated, true);
});

test('pages that are made to take long, or to grow, do not', async () => {
  const long = 'x'.repeat(50_000);
  const rows = `<tr><th>h<th>i<tr><td rowspan=900>${long}<td>1${'<tr><td>2'.repeat(900)}`;
  const began = Date.now();
  const { truncated } = await read(
    `<main><p>a${'<i> </i>'.repeat(5000)}b</p><p><b>a${'。'.repeat(50_000)}b</b></p><pre>a${' '.repeat(100_000)}b</pre><table>${rows}</table></main>`,
    { max_chars: 1_000_000 },
  );

  assert.equal(truncated, false);
  assert.ok(Date.now() - began < 25_000);
});

test('the same page gives the same', async () => {
  const page = await browser.page(`<main><h1>A</h1><p>${FILLER}</p><ul><li>x<li><a href=/>y</a></ul></main>`);

  assert.deepEqual(await page.call('extract', { what: 'markdown' }), await page.call('extract', { what: 'markdown' }));
});

test('markup is had without scripts, comments and hidden values', async () => {
  const page = await browser.page(
    '<html><head><meta name="csrf-token" content=tok1><script>var s = "tok2"</script></head><body data-api-token=tok3><!-- tok4 -->' +
      '<form><input type=hidden name=k value=tok5><input type=password value=tok6><input name=q value=open></form><template><input type=hidden value=tok7></template><p>said</p></body></html>',
  );

  const { html, truncated } = await page.call('extract', { what: 'html' });

  assert.match(html, /^<html/);
  assert.match(html, /<p>said<\/p>/);
  assert.match(html, /value="open"/);
  assert.doesNotMatch(html, /tok\d/);
  assert.equal(truncated, false);
  const part = await page.call('extract', { what: 'html', target: css('p'), max_chars: 5 });
  assert.equal(part.html, '<p>sa');
  assert.equal(part.truncated, true);
});
