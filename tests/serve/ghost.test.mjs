// Pages that are read from their pictures, asked for over HTTP.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { after, test } from 'node:test';
import { newFolder, startServer } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';

const DRAWN = `<!doctype html><title>Report</title><div id=root><canvas id=c width=900 height=160></canvas></div><script type=module>
const c = document.getElementById('c').getContext('2d'); c.font = '28px sans-serif';
c.fillText('Quarterly report: revenue rose by twelve percent', 20, 60);</script><!--${'x'.repeat(500)}-->`;
const WALL = '<!doctype html><title>Check</title><h1>Please confirm you are human</h1><div class=h-captcha style="width:300px;height:80px;border:1px solid"></div>';
const PAGES = { '/drawn': DRAWN, '/wall': WALL, '/page': `<!doctype html><title>Page</title><main><h1>Bridge</h1><p>${'The council has approved the plan. '.repeat(8)}</main>` };

const pages = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGES[request.url] ?? '');
});
pages.listen(0, '127.0.0.1');
await once(pages, 'listening');
const page = (path) => `http://127.0.0.1:${pages.address().port}${path}`;

const homes = [newFolder(), newFolder()];
const open = await startServer(homes[0].folder, 'agent.ghost.enabled=true');
const shut = await startServer(homes[1].folder);
after(async () => {
  assert.deepEqual(await Promise.all([open.stop(), shut.stop()]), [0, 0]);
  pages.close();
  homes.forEach((home) => home.remove());
});
const ask = clientOf(() => open);
const ghost = (body, more = {}) => ask('POST', '/api/agent/ghost', { role: 'agent', body, ...more });

test('what is only drawn is read from the picture, with the places of its words', async () => {
  const { status, body } = await ghost({ url: page('/drawn'), words: true });
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body.success, true, JSON.stringify(body));
  assert.equal(body.render_mode, 'ghost');
  assert.equal(body.block_signal, 'empty_spa_shell');
  assert.match(body.content, /revenue rose by twelve percent/);
  assert.equal(body.provider, 'tesseract');
  assert.match(body.screenshot, /./);
  const word = body.words.find(({ text }) => text === 'revenue');
  assert.ok(word.x > 20 && word.y > 20 && word.width > 20 && word.height > 5, JSON.stringify(word));
  assert.deepEqual((await ask('GET', '/v1/sessions')).body.sessions, [], 'nothing is left open');
});

test('a wall is a wall, and its session stays for a person', async () => {
  const { body } = await ghost({ url: page('/wall'), session: 'mine' });
  assert.equal(body.success, false);
  assert.equal(body.blocked_content, true);
  assert.equal(body.block_signal, 'captcha');
  assert.equal(body.session, 'mine');
  assert.match(body.error, /a person can take over the session mine/);
  assert.ok((await ask('GET', '/v1/sessions')).body.sessions.length === 1);
});

test('a page that can be read needs no picture unless one is asked for', async () => {
  const { body } = await ghost({ url: page('/page'), trigger: 'when_blocked' });
  assert.equal(body.render_mode, 'dom');
  assert.equal(body.screenshot, undefined);
  assert.match(body.content, /approved the plan/);
});

test('a crawl of such a page goes on to its picture where both gates are open', async () => {
  const crawl = (path, more = {}) => ask('POST', '/markdown', { role: 'agent', body: { url: page(path), options: { allow_ghost: true, ...more } } });
  const drawn = await crawl('/drawn');
  assert.equal(drawn.status, 200, JSON.stringify(drawn.body));
  assert.equal(drawn.body.render_mode, 'ghost');
  assert.match(drawn.body.markdown, /revenue rose by twelve percent/);
  assert.equal((await crawl('/drawn', { allow_ghost: false })).body.render_mode, 'browser');
  assert.equal((await crawl('/page')).body.render_mode, 'browser');
  const wall = await crawl('/wall');
  assert.equal(wall.status, 502, JSON.stringify(wall.body));
  assert.equal(wall.body.code, 'EXECUTION_ERROR');
});

test('both gates have to be open', async () => {
  const closed = await ghost({ url: page('/drawn'), allow_ghost: false });
  assert.equal(closed.status, 403);
  assert.equal(closed.body.code, 'POLICY_DENIED');
  const off = await clientOf(() => shut)('POST', '/api/agent/ghost', { role: 'agent', body: { url: page('/drawn') } });
  assert.equal(off.status, 403);
  assert.match(off.body.detail, /agent\.ghost\.enabled/);
});

test('what is asked for wrongly is named', async () => {
  for (const [body, named] of [[{}, /url/], [{ url: 'ftp://x/' }, /url/], [{ url: page('/page'), method: 'magic' }, /method/], [{ url: page('/page'), more: 1 }, /more/]]) {
    const answer = await ghost(body);
    assert.equal(answer.status, 400, JSON.stringify(answer.body));
    assert.match(answer.body.detail, named);
  }
});

test('a viewer may not', async () => {
  assert.equal((await ghost({ url: page('/page') }, { role: 'viewer' })).status, 403);
});
