// Facts by which walls are told from pages, read from saved pages of both kinds (blocks/pages). What follows from the
// facts is judged elsewhere; here it is asked that what a page has is found, and what it only mentions is not.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { useBrowser } from './harness.mjs';

const FOLDER = new URL('./blocks/pages/', import.meta.url);
const browser = useBrowser();
const names = readdirSync(FOLDER).map((file) => file.replace(/\.html$/, '')).sort();

let page;
async function factsOf(name) {
  page ??= await browser.blank();
  const html = readFileSync(new URL(`${name}.html`, FOLDER), 'utf8');
  const status = Number(/status: (\d+)/.exec(html)[1]);
  const path = browser.site.add((_, response) => {
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' });
    response.end(html);
  });
  await page.goto(path);
  return page.call('extract', { what: 'block_facts' });
}

test('there are enough pages of both kinds', () => {
  assert.ok(names.filter((name) => name.startsWith('wall_')).length >= 20);
  assert.ok(names.filter((name) => name.startsWith('ok_')).length >= 20);
});

// [page, names of marks, further facts]
const CASES = [
  ['wall_cf_managed', ['challenge form', 'Turnstile'], { status: 403, fields: 0, hidden_form: true }],
  ['wall_cf_script_only', ['challenge options'], { status: 403 }],
  ['wall_hcaptcha_question', ['hCaptcha question', 'hCaptcha'], { fields: 1 }],
  ['wall_datadome', ['DataDome frame', 'DataDome script'], { words: 0 }],
  ['wall_shell_loading', [], { mount: 'empty', says: ['loading'] }],
  ['wall_shell_canvas', [], { mount: 'empty' }],
  ['wall_session_refresh', [], { refresh: true, says: ['verifying'], says_in_title: ['verifying'] }],
  ['ok_article_cdn', [], { mount: 'none', status: 200, links: 10 }],
  ['ok_cf_js_detection_thin', [], {}],
  ['ok_login_recaptcha_badge', [], { fields: 2, hidden_form: false }],
  ['ok_login_turnstile', ['Turnstile'], { fields: 2 }],
  ['ok_short_static_app', [], { mount: 'filled' }],
  ['ok_photo_app', [], { mount: 'filled' }],
  ['ok_incapsula_script', [], {}],
];

for (const [name, marks, more] of CASES) {
  test(`facts of ${name}`, async () => {
    const facts = await factsOf(name);

    assert.deepEqual(facts.marks.map((mark) => mark.name), marks);
    for (const [key, value] of Object.entries(more)) assert.deepEqual(facts[key], value, key);
  });
}

test('quality is blocked by a wall, and not by a form with a check in it', async () => {
  await factsOf('wall_cf_turnstile_alone');
  assert.equal((await page.call('extract', { what: 'markdown' })).quality, 'blocked');
  await factsOf('ok_login_turnstile');
  assert.notEqual((await page.call('extract', { what: 'markdown' })).quality, 'blocked');
});

