// Learned workflows from the command line: recorded, moved, edited, planned and done again. Each command is a program of its own
// that shares the data folder with those before it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { newFolder, program, startSite } from '../mcp/harness.mjs';
import { clientOf } from './client.mjs';

const site = await startSite();
const home = newFolder();
after(() => {
  site.stop();
  home.remove();
});
const file = (name) => join(home.folder, name);
const settings = ['--set', `data.dir=${file('data')}`, '--set', 'policy.allow_domains=127.0.0.1'];

function start(words, { input, environment = {} } = {}) {
  const child = spawn(program, [...words, ...settings], {
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    cwd: home.folder,
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', ...environment },
  });
  child.stdin?.end(input);
  return child;
}

async function run(words, options = {}) {
  const child = start(words, options);
  const told = { out: '', err: '' };
  child.stdout.on('data', (piece) => (told.out += piece));
  child.stderr.on('data', (piece) => (told.err += piece));
  const code = await new Promise((resolve) => child.once('close', resolve));
  return { code, ...told };
}

async function good(words, options) {
  const told = await run(words, options);
  assert.equal(told.code, 0, `${words.join(' ')}: ${told.out}${told.err}`);
  return told.out;
}

const kDocument = `
name: greet
about: Say a name
parameters:
  - name: who
steps:
  - id: open
    intent: open the form
    contract:
      action_spec: {action_type: navigate, url: "${site.url('/form.html')}"}
  - id: name
    intent: type {who} into textbox "Name"
    contract:
      action_spec: {action_type: fill, selector: 'label="Name"', text: "{who}"}
      verification_rules:
        - {rule_type: property_state, selector: 'label="Name"', property: value.length, matches: "^[1-9]"}
`;

test('a document goes in, is listed and shown, and comes out again', async () => {
  assert.match(await good(['workflows', 'list']), /no workflows yet/);
  writeFileSync(file('greet.yaml'), kDocument);
  await good(['workflows', 'import', file('greet.yaml')]);
  assert.match(await good(['workflows', 'list']), /^greet +v1 +2 steps, 0 recordings +needs who$/m);
  const shown = await good(['workflows', 'show', 'greet']);
  assert.match(shown, /Say a name\nparameters\n +who/);
  assert.match(shown, /2 .* type \{who\} into textbox "Name"/);
  await good(['workflows', 'export', 'greet', '--output', file('out.yaml')]);
  assert.equal(readFileSync(file('out.yaml'), 'utf8'), await good(['workflows', 'show', 'greet', '--yaml']));
});

test('an import never puts an older document over a newer one unless it is told to', async () => {
  const stale = await run(['workflows', 'import', file('greet.yaml')]);
  assert.equal(stale.code, 1);
  assert.match(stale.err, /ALREADY_EXISTS/);
  await good(['workflows', 'import', '-', '--replace'], { input: kDocument });
  assert.match(await good(['workflows', 'list']), /^greet +v2/m);
  const wrong = await run(['workflows', 'import', '-'], { input: 'name: greet\nsteps: [' });
  assert.equal(wrong.code, 2);
});

test('what an editor saves is the next version, and nothing is put that is wrong', async () => {
  const edit = (command) => run(['workflows', 'edit', 'greet'], { environment: { VISUAL: '', EDITOR: command } });
  assert.match((await edit('true')).out, /nothing was changed/);
  assert.match((await edit("sed -i 's/Say a name/Say it/'")).out, /greet v3, .*Say it/);
  const failed = await edit('false');
  assert.equal(failed.code, 1);
  assert.match(failed.err, /set EDITOR/);
  const wrong = await edit("sed -i 's/steps:/stops:/'");
  assert.equal(wrong.code, 2);
  assert.match(wrong.err, /what you wrote is in greet\.yaml\.rejected/);
  assert.match(readFileSync(file('greet.yaml.rejected'), 'utf8'), /stops:/);
  const { out } = await run(['workflows', 'list', '--json']);
  assert.equal(JSON.parse(out).workflows[0].version, 3);
});

test('a workflow is done again with a value that no list of processes shows', async () => {
  writeFileSync(file('who.txt'), 'Ada Private\n');
  const told = await good(['replay', '--act', 'greet', '--param', `who=@${file('who.txt')}`, '--report', file('report.json')]);
  assert.match(told, /executed open the form/);
  assert.match(told, /completed greet in greet/);
  assert.doesNotMatch(told, /Ada Private/);
  const report = readFileSync(file('report.json'), 'utf8');
  assert.equal(JSON.parse(report).outcome, 'completed');
  assert.doesNotMatch(report, /Ada Private/);
  const dry = JSON.parse(await good(['replay', '--act', 'greet', '--param', 'who=-', '--dry-run', '--json'], { input: 'From Input\n' }));
  assert.equal(dry.ok, true);
  assert.ok(dry.steps.every((step) => !step.action_id));
});

test('exit codes tell what a run came to', async () => {
  const lacks = await run(['replay', '--act', 'greet']);
  assert.equal(lacks.code, 2, lacks.err);
  assert.match(lacks.err, /who/);
  assert.equal((await run(['replay', '--act', 'greet', '--param', 'who'])).code, 2);
  assert.equal((await run(['replay', '--act', 'greet', '--param', 'who=x', '--profile', 'wild'])).code, 2);
  assert.equal((await run(['replay'])).code, 2);
  assert.equal((await run(['replay', '--act', 'nothing'])).code, 1);
  const closed = kDocument.replace('name: greet', 'name: lost').replace('label="Name"\', text', 'label="No such field"\', text');
  await good(['workflows', 'import', '-'], { input: closed });
  const asks = await run(['replay', '--act', 'lost', '--param', 'who=x', '--json']);
  assert.equal(asks.code, 3, asks.out + asks.err);
  const told = JSON.parse(asks.out);
  assert.deepEqual([told.ok, told.outcome], [false, 'asks']);
});

test('a workflow with its values is a plan for act', async () => {
  const plan = await good(['workflows', 'plan', 'greet', '--param', 'who=Planned']);
  writeFileSync(file('plan.json'), plan);
  assert.match(await good(['act', file('plan.json')]), /./);
  assert.equal((await run(['workflows', 'plan', 'greet'])).code, 2);
});

test('what was learnt is told, goes out, comes in and is forgotten', async () => {
  assert.match(await good(['predict', 'top']), /->/);
  const next = await good(['predict', 'next', '--url', site.url('/form.html'), '--limit', '3']);
  assert.match(next, /would do (the first|nothing): /);
  await good(['predict', 'export', '--output', file('learnt.json')]);
  const learnt = JSON.parse(readFileSync(file('learnt.json'), 'utf8'));
  writeFileSync(file('theirs.json'), JSON.stringify({ ...learnt, node: 'another-node' }));
  assert.match(await good(['predict', 'merge', file('theirs.json')]), /merged/);
  assert.equal((await run(['predict', 'merge', '-'], { input: 'no json' })).code, 2);
  await good(['predict', 'forget']);
  assert.match(await good(['predict', 'top']), /nothing is known yet/);
  assert.match(await good(['workflows', 'list']), /^greet /m);
});

// The link into the console, and what was said besides.
async function recording(words) {
  const child = start(['record', ...words, '--live']);
  const told = { out: '', err: '' };
  const ended = new Promise((resolve) => child.once('close', resolve));
  const begun = new Promise((resolve) => child.stderr.on('data', (piece) => {
    told.err += piece;
    if (/recording |error/.test(told.err)) resolve();
  }));
  for await (const line of createInterface(child.stdout)) {
    told.out += `${line}\n`;
    const [, url, key] = /^ +(http:\S+)\/#key=(\S+)/.exec(line) ?? [];
    if (!url) continue;
    await begun;
    child.stdout.on('data', (piece) => (told.out += piece));
    return { told, ask: clientOf(() => ({ url, keys: { operator: key } })), end: () => (child.kill('SIGINT'), ended) };
  }
  throw new Error(`no link was printed: ${told.err}`);
}

test('what a person does in the live view becomes a workflow when the recording is interrupted', async () => {
  const { told, ask, end } = await recording(['by-hand', '--url', site.url('/form.html')]);
  const taken = await ask('POST', '/v1/sessions/by-hand/takeover', { body: { person: 'ann' } });
  assert.equal(taken.status, 200, JSON.stringify(taken.body));
  const spec = { action_type: 'fill', selector: 'label="Name"', text: 'Typed By Hand' };
  const done = await ask('POST', '/v1/actions', { body: { workflow_id: 'by-hand', run_id: 'r', action_spec: spec } });
  assert.equal(done.body.success, true, JSON.stringify(done.body));
  assert.equal(await end(), 0, told.err);
  const shown = await good(['workflows', 'show', 'by-hand']);
  assert.match(shown, /parameters\n +name /);
  assert.doesNotMatch(shown, /Typed By Hand/);
  assert.match(await good(['replay', '--act', 'by-hand', '--param', 'name=Somebody Else']), /completed by-hand/);
});

test('a recording in which nothing was done saves nothing', async () => {
  const { told, end } = await recording(['empty']);
  assert.equal(await end(), 1, told.err);
  assert.doesNotMatch(await good(['workflows', 'list']), /empty/);
});

test('a recording that cannot begin ends at once', async () => {
  const refused = await run(['record', 'elsewhere', '--live', '--url', 'http://nowhere.invalid/']);
  assert.equal(refused.code, 1, refused.err);
  assert.match(refused.err, /SECURITY_DOMAIN_BLOCK/);
  assert.equal((await run(['record', 'both', '--live', '--visible'])).code, 2);
  assert.equal((await run(['record', 'No Name', '--live'])).code, 2);
  const blind = await run(['record', 'blind', '--visible']);
  assert.notEqual(blind.code, 0);
  assert.match(blind.err, /DISPLAY/);
});
