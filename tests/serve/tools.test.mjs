// The same tools over MCP and over plain HTTP: one contract, one trace.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { program, startHouse } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';

const { site, home, falconer } = await startHouse();
const ask = clientOf(() => falconer);

async function mcpClient(role = 'agent') {
  const client = new Client({ name: 'tools-test', version: '1' });
  const requestInit = { headers: { Authorization: `Bearer ${falconer.keys[role]}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', falconer.url), { requestInit }));
  return client;
}

// Steps are recorded while nobody waits for it: asks until `found` is there.
async function until(path, found) {
  for (const end = Date.now() + 60_000; ; ) {
    const { body } = await ask('GET', path, { role: 'viewer' });
    const result = found(body);
    if (result) return result;
    assert.ok(Date.now() < end, `not on record: ${JSON.stringify(body)}`);
  }
}

const stepsOf = (run, count) => until(`/v1/runs/${run}/steps`, ({ steps }) => steps.length >= count && steps);
const stepOf = ({ run_id, step_id }) => until(`/v1/runs/${run_id}/steps`, ({ steps }) => steps.find((step) => step.step_id === step_id));

// The run of the MCP session that called a tool with these arguments.
const mcpRun = (hash) =>
  until('/v1/ledger/records?kind=tool_step&limit=500', ({ records }) =>
    records.find(({ payload }) => payload.run.startsWith('mcp-') && payload.step.args_hash === hash)?.payload.run);

const post = (path, body, role = 'agent') => ask('POST', path, { role, body });

test('a call by HTTP and one by MCP are answered alike and leave steps of one shape', async () => {
  const url = site.url('/form.html');
  const byHttp = await post('/tools/browser_navigate', { url });
  assert.equal(byHttp.status, 200, JSON.stringify(byHttp.body));
  assert.equal(byHttp.body.ok, true);
  assert.equal(byHttp.body.error_code, null);
  assert.equal(byHttp.body.retriable, false);
  assert.equal(byHttp.body.step_id, 's1');
  assert.match(byHttp.body.run_id, /^rest-/);
  assert.ok(byHttp.body.duration_ms > 0);
  const client = await mcpClient();
  const byMcp = await client.callTool({ name: 'browser_navigate', arguments: { url } });
  const head = (text) => text.split('\n')[0];
  assert.equal(head(byHttp.body.payload.text), head(byMcp.content[0].text));

  const [rest] = await stepsOf(byHttp.body.run_id, 1);
  const [mcp] = await stepsOf(await mcpRun(rest.args_hash), 1);
  assert.deepEqual(Object.keys(rest), Object.keys(mcp));
  for (const key of ['tool_name', 'args_hash', 'status', 'error_code', 'artifacts', 'policy_flags', 'mode', 'tries'])
    assert.deepEqual(rest[key], mcp[key], key);
  assert.equal(rest.tool_name, 'browser_navigate');
  assert.equal(rest.status, 'ok');
  assert.equal(rest.mode, 'external');
  assert.match(rest.args_hash, /^[0-9a-f]{12}$/);
  assert.ok(!JSON.stringify(rest).includes('form.html'), 'arguments are not on the trace');
  await client.close();
});

test('a tool is also called by its name alone, and hides no other route', async () => {
  const found = await post('/find', { text: 'Send' });
  assert.equal(found.status, 200, JSON.stringify(found.body));
  assert.match(found.body.payload.text, /found/);
  assert.equal((await post('/health', {})).status, 405);
  assert.equal((await post('/nothing_of_the_kind', {})).status, 404);
  assert.equal((await ask('GET', '/find')).status, 405);
});

test('what is wrong is told the same way by both', async () => {
  const wrong = { target: '#name', buton: 'left' };
  const byHttp = await post('/tools/browser_click', wrong);
  assert.equal(byHttp.status, 400);
  assert.equal(byHttp.body.error_code, 'validation_error');
  assert.equal(byHttp.body.error.code, 'VALIDATION_ERROR');
  assert.match(byHttp.body.error.message, /^buton: unknown argument.*did you mean "button"\?$/);
  const client = await mcpClient();
  const byMcp = await client.callTool({ name: 'browser_click', arguments: wrong });
  assert.equal(byMcp.isError, true);
  assert.equal(byMcp.content[0].text, byHttp.body.payload.text);
  await client.close();

  const missing = await post('/tools/browser_clik', {});
  assert.equal(missing.status, 404);
  assert.match(missing.body.error.message, /did you mean "browser_click"\?/);
  const gone = await post('/tools/browser_click', { target: 'd9e99' });
  assert.equal(gone.status, 409);
  assert.equal(gone.body.error.code, 'STALE_REF');
  assert.equal(gone.body.error_code, 'execution_error');
  assert.equal((await post('/tools/browser_click', [1])).status, 400);
});

test('a file that was made is named by the answer and by the step', async () => {
  const shot = await post('/tools/browser_take_screenshot');
  assert.equal(shot.status, 200, JSON.stringify(shot.body.error));
  assert.equal(shot.body.payload.artifacts.length, 1);
  assert.equal(shot.body.payload.image.media_type, 'image/png');
  const step = await stepOf(shot.body);
  assert.deepEqual(step.artifacts, shot.body.payload.artifacts);
});

test('what is refused is flagged', async () => {
  const refused = await post('/tools/browser_navigate', { url: 'http://not-allowed.example/', session: 'refused' });
  assert.equal(refused.body.ok, false);
  const step = await stepOf(refused.body);
  assert.equal(step.status, 'error');
  assert.equal(step.error, refused.body.error.code);
  assert.equal(refused.body.error_code, 'policy_denied');
  assert.deepEqual(step.policy_flags, [step.error]);
});

test('a run can be read as lines, by the command, and not by agents', async () => {
  const { body } = await post('/tools/browser_tabs', { action: 'list' });
  const last = await stepOf(body);
  const lines = await fetch(new URL(`/v1/runs/${body.run_id}/steps?format=jsonl`, falconer.url), {
    headers: { Authorization: `Bearer ${falconer.keys.viewer}` },
  });
  assert.match(lines.headers.get('content-type'), /jsonl/);
  const steps = (await lines.text()).trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.deepEqual(steps.find(({ step_id }) => step_id === body.step_id), last);
  const first = await ask('GET', `/v1/runs/${body.run_id}/steps?limit=1`, { role: 'viewer' });
  assert.equal(first.body.steps.length, 1);
  const rest = await ask('GET', `/v1/runs/${body.run_id}/steps?cursor=${first.body.next}`, { role: 'viewer' });
  assert.deepEqual([...first.body.steps, ...rest.body.steps], steps);
  assert.equal((await ask('GET', `/v1/runs/${body.run_id}/steps`, { role: 'agent' })).status, 403);
  assert.equal((await post('/tools/find', { text: 'x' }, 'viewer')).status, 403);
  const args = ['audit', 'query', '--json', '--kind', 'tool_step', '--run', body.run_id, '--set', `data.dir=${home.folder}`];
  const { stdout } = await promisify(execFile)(program, args);
  assert.ok(stdout.includes(last.args_hash), stdout);
});

test('the list of tools says on which terms each is called', async () => {
  const { body } = await ask('GET', '/tools', { role: 'agent' });
  const snapshot = body.tools.find(({ name }) => name === 'browser_snapshot');
  assert.equal(snapshot.side_effect_class, 'read');
  assert.equal(snapshot.timeout_ms, 30000);
  assert.deepEqual(snapshot.retry_profile, { retries: 1, pause_ms: 250 });
  assert.equal(snapshot.capability, 'READ');
  assert.deepEqual(snapshot.args_schema, snapshot.inputSchema);
  const client = await mcpClient();
  const { tools } = await client.listTools();
  assert.deepEqual(Object.keys(tools[0]).sort(), ['annotations', 'description', 'inputSchema', 'name', 'title']);
  await client.close();
});
