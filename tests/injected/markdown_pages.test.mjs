// The content of whole pages against what a person would copy out of them: markdown/pages/*.html with the truth beside
// it in *.md. Every page has what usually stands around an article, so that reading everything does not pass.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { useBrowser } from './harness.mjs';

const FOLDER = new URL('./markdown/pages/', import.meta.url);
const EACH = 0.9;
const ALL = 0.95;

const browser = useBrowser();
const file = (name) => readFileSync(new URL(name, FOLDER), 'utf8');
const names = readdirSync(FOLDER).filter((name) => name.endsWith('.html')).map((name) => name.slice(0, -'.html'.length)).sort();

// Words, and letters of scripts that are written without spaces; where links lead is no word.
function wordsOf(markdown) {
  const text = markdown.replace(/\]\([^)\s]*\)/g, ']').replace(/<br>|\\$|\\(?=[!-/:-@[-`{-~])/gm, ' ').toLowerCase();
  return text.match(/[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]|[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

// How many words of the one are in the other, each as often as it is there.
function shared(words, others) {
  const left = new Map();
  for (const word of others) left.set(word, (left.get(word) ?? 0) + 1);
  return words.filter((word) => left.get(word) > 0 && left.set(word, left.get(word) - 1)).length;
}

function score(found, truth) {
  const both = shared(found, truth);
  const precision = both / Math.max(1, found.length);
  const recall = both / Math.max(1, truth.length);
  return { precision, recall, f1: precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall), both, found: found.length, truth: truth.length };
}

// What is kept of the form: every heading, and how many of the rest.
function formOf(markdown) {
  const fences = markdown.match(/^ *```\S*$/gm) ?? [];
  const prose = markdown.replace(/^ *```[^]*?^ *```$/gm, '');
  const count = (pattern) => prose.match(pattern)?.length ?? 0;
  return {
    headings: prose.match(/^#{1,6} .*$/gm)?.map((line) => line.replace(/\]\([^)]*\)/g, ']')) ?? [],
    fences: fences.map((fence) => fence.trim()),
    items: count(/^ *(-|\d+\.) /gm),
    rows: count(/^\|.*\|$/gm),
    quoted: count(/^>/gm),
    links: count(/(?<!!)\[[^\]]*\]\(/g),
    images: count(/!\[[^\]]*\]\(/g),
    notes: count(/^\[\^\d+\]: /gm),
  };
}

const found = new Map();
let page;

async function read(name, what) {
  page ??= await browser.blank();
  await page.goto(browser.site.add(file(`${name}.html`)));
  return page.call('extract', { what, max_chars: 100_000 });
}

test('there are enough pages of every sort', () => {
  assert.ok(names.length >= 12, String(names.length));
  for (const sort of ['news', 'docs', 'forum', 'table', 'code', 'script']) assert.ok(names.some((name) => name.startsWith(`${sort}_`)), sort);
});

for (const name of names) {
  test(`the content of ${name}`, async (t) => {
    const truth = file(`${name}.md`);
    const { markdown, quality } = await read(name, 'markdown');
    const own = score(wordsOf(markdown), wordsOf(truth));
    found.set(name, own);
    const { text } = await page.call('extract', { what: 'text', max_chars: 100_000 });
    const plain = score(wordsOf(text), wordsOf(truth));
    t.diagnostic(`${name}: F1 ${own.f1.toFixed(4)} (precision ${own.precision.toFixed(4)}, recall ${own.recall.toFixed(4)}); all text of the page: ${plain.f1.toFixed(4)}`);
    assert.ok(own.f1 >= EACH, `F1 ${own.f1}\n${markdown}`);
    assert.ok(plain.f1 < EACH, 'the page has too little around its content to tell anything');
    assert.deepEqual(formOf(markdown), formOf(truth));
    assert.match(quality, /^(minimal|sufficient)$/);
  });
}

test('all pages together', (t) => {
  const sum = (key) => [...found.values()].reduce((total, one) => total + one[key], 0);
  const f1 = (2 * sum('both')) / (sum('found') + sum('truth'));
  const mean = sum('f1') / found.size;
  t.diagnostic(`${found.size} pages: F1 ${f1.toFixed(4)} over all words, ${mean.toFixed(4)} on average`);
  assert.equal(found.size, names.length);
  assert.ok(f1 >= ALL && mean >= ALL, `${f1}, ${mean}`);
});

after(() => found.clear());
