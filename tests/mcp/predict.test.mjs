// Tools that learn from what a model does, and do it again without one.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newFolder, server, startSite, textOf, unmarked } from './harness.mjs';

const site = await startSite();
const home = newFolder();
const client = new Client({ name: 'falconer-tests', version: '1' });
await client.connect(new StdioClientTransport(server(home.folder, '--tools', 'predict')));
after(async () => {
  await client.close();
  site.stop();
  home.remove();
});
const call = (name, args = {}) => client.callTool({ name, arguments: args });
const said = async (name, args) => unmarked(textOf(await call(name, args)));

test('the group is offered beside the core', async () => {
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  for (const name of ['browser_navigate', 'predict_next', 'list_workflows', 'run_workflow', 'record_workflow', 'do_intent'])
    assert.ok(names.includes(name), name);
});

test('what is done between begin and end is a workflow that runs with another value', async () => {
  assert.match(await said('list_workflows'), /^ok 0 workflows/);
  assert.match(await said('record_workflow', { workflow: 'fill-in', step: 'begin' }), /^ok recording /);
  assert.match(await said('record_workflow', { workflow: 'fill-in', step: 'begin' }), /^error ALREADY_EXISTS/);
  await call('browser_navigate', { url: site.url('/form.html') });
  await call('browser_type', { target: 'label="Name"', text: 'Never Kept' });
  const learnt = await said('record_workflow', { workflow: 'fill-in', step: 'end' });
  assert.match(learnt, /^ok learnt\nfill-in v1: \d+ steps; parameters name/);
  assert.doesNotMatch(learnt, /Never Kept/);
  assert.match(await said('list_workflows'), /^ok 1 workflows\nfill-in v1: /);

  const run = await call('run_workflow', { workflow: 'fill-in', parameters: { name: 'Grace Example' }, session: 'other' });
  assert.match(unmarked(textOf(run)), /^ok completed, \d+ steps\ncompleted fill-in in other/, textOf(run));
  assert.equal(run.structuredContent.outcome, 'completed');
  assert.match(await said('browser_snapshot', { session: 'other' }), /Grace Example/);
});

test('what is wrong with a call is told by its name, and what was given is not told again', async () => {
  const lacks = await call('run_workflow', { workflow: 'fill-in' });
  assert.equal(lacks.isError, true);
  assert.match(textOf(lacks), /^error INVALID_ARGUMENT: .*name/);
  const unknown = await call('run_workflow', { workflow: 'fill-in', parameters: { name: 'a', nobody: 'hidden words' } });
  assert.match(textOf(unknown), /^error INVALID_ARGUMENT: .*nobody/);
  assert.doesNotMatch(textOf(unknown), /hidden words/);
  assert.match(await said('run_workflow', { workflow: 'nothing' }), /^error NOT_FOUND/);
  assert.match(await said('record_workflow', { workflow: 'fill-in', step: 'end' }), /^error NOT_FOUND/);
});

test('a dry run tells what it would do', async () => {
  const run = await call('run_workflow', { workflow: 'fill-in', parameters: { name: 'x' }, dry_run: true, session: 'dry' });
  assert.match(unmarked(textOf(run)), /would_execute/);
  assert.ok(run.structuredContent.steps.every((step) => !step.action_id));
});

test('what comes next is told with how sure it is', async () => {
  await call('browser_navigate', { url: site.url('/form.html') });
  const next = await call('predict_next', { k: 3 });
  assert.match(unmarked(textOf(next)), /^ok \d predictions, would do (the first|nothing): /);
  assert.ok(next.structuredContent.predictions.length <= 3);
  assert.ok(next.structuredContent.predictions.every(({ confidence }) => confidence >= 0 && confidence <= 1));
});

test('one thing is done that is said in words', async () => {
  await call('browser_navigate', { url: site.url('/form.html') });
  const told = await call('do_intent', { instruction: 'click the button "Save"', dry_run: true });
  assert.match(unmarked(textOf(told)), /perception|cache/, textOf(told));
  const done = await call('do_intent', { instruction: 'click the button "Save"' });
  assert.match(unmarked(textOf(done)), /^ok (perception|cache)/, textOf(done));
  const none = await call('do_intent', { instruction: 'click the button "Nobody has this"' });
  assert.equal(none.isError, true);
});
