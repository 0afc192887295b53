// The parts of the benchmark that need no browser: what is counted, what is believed, what is reported.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { refIn } from './contestant.mjs';
import { Figures } from './figures.mjs';
import { kMark, OwnProcesses } from './own_processes.mjs';
import { formatJson, formatTable, isMet } from './report.mjs';
import { makeRows } from './rows.mjs';
import { readSettings } from './settings.mjs';
import { kFields, Site } from './site.mjs';
import { Transcript } from './transcript.mjs';

test('a row is written the way the other benchmarks write it', () => {
  const baseline = { name: 'peer', value: 27 };
  const row = { name: 'click', value: 4.5, unit: 'ms', baseline, aim: { of: 'value', atMost: 6 } };

  assert.equal(formatJson([row]), '[\n  {"name":"click","value":4.5,"unit":"ms","baseline":27,"against":"peer",' +
      '"ratio":0.166667,"aim":"value <= 6","met":true}\n]\n');
  assert.equal(formatTable([row]).split('\n')[1], 'click   4.500    ms     27.00     peer  0.167  value <= 6  yes');
});

test('what was not measured is null and meets no aim', () => {
  const row = { name: 'click', value: undefined, unit: 'ms', aim: { of: 'value', atMost: 6 } };

  assert.equal(isMet(row), false);
  assert.equal(formatJson([row]), '[\n  {"name":"click","value":null,"unit":"ms","baseline":null,"against":null,' +
      '"ratio":null,"aim":"value <= 6","met":false}\n]\n');
});

test('an aim for the ratio is held against the best peer of the run', () => {
  const figures = new Figures();
  for (const [name, millis] of [['us', 300], ['slow', 900], ['quick', 500]]) {
    figures.add(name, 'first_navigate_ms', millis);
  }

  const rows = makeRows(figures, { subject: 'us', peers: ['slow', 'quick'], parts: ['start'] });

  const row = rows.find(({ name }) => name === 'first_navigate');
  assert.deepEqual(row.baseline, { name: 'quick', value: 500 });
  assert.equal(isMet(row), false);
});

test('the context sum counts everything so far at every call', () => {
  const transcript = new Transcript();

  transcript.add('one', 'one two');
  transcript.add('one', 'one');

  assert.deepEqual({ ...transcript }, { calls: 2, callTokens: 2, resultTokens: 3, contextSum: 3 + 5 });
});

test('percentiles lie between the closest ranks', () => {
  const figures = new Figures();
  for (const sample of [4, 1, 3, 2]) figures.add('us', 'click_ms', sample);

  assert.equal(figures.median('us', 'click_ms'), 2.5);
  assert.equal(figures.percentile('us', 'click_ms', 1), 4);
  assert.equal(figures.median('us', 'form_ms'), undefined);
});

test('settings that are unknown or out of range are refused by name', () => {
  const base = ['--falconer', '/bin/true'];
  assert.throws(() => readSettings([...base, '--only', 'form,tea'], {}), /--only: there is no part "tea"/);
  assert.throws(() => readSettings(base, { BENCH_SAMPLES: '0' }), /BENCH_SAMPLES/);
  assert.throws(() => readSettings([...base, '--colour'], {}), /--colour/);
  assert.throws(() => readSettings([], {}), /--falconer/);
  assert.deepEqual(readSettings([...base, '--only', 'click'], {}).parts, ['click']);
});

test('a label that is not in an answer is an error that shows the answer', () => {
  const pattern = label => new RegExp(`(d\\d+e\\d+) \\w+ "${label}"`);
  assert.equal(refIn('d3e4 button "Save (all)"', pattern, 'Save (all)'), 'd3e4');
  assert.throws(() => refIn('d3e4 button "Save"', pattern, 'Send'), /"Send" is not in the answer: d3e4/);
});

test('the site remembers every order and gives each a confirmation of its own', async () => {
  const site = await Site.start();
  const fields = Object.fromEntries(kFields.map(({ name, value }) => [name, value]));
  const body = new URLSearchParams({ run: 'r1', ...fields });

  const first = await (await fetch(`${site.origin}/orders`, { method: 'POST', body })).text();
  await (await fetch(`${site.origin}/orders`, { method: 'POST', body })).text();

  assert.equal(site.orders('r1').length, 2);
  assert.equal(site.orders('r1')[0].fields.name, 'Ada Lovelace');
  assert.ok(first.includes(site.orders('r1')[0].confirmation));
  assert.equal(site.orders('r2').length, 0);
  await site.stop();
});

test('the site fails when a page does not tell its clicks', async () => {
  const site = await Site.start();
  await fetch(`${site.origin}/tally?run=r1&clicks=7`, { method: 'POST' });

  assert.equal(await site.tally('r1'), 7);
  await assert.rejects(site.tally('r2', 60), /did not say/);
  await site.stop();
});

test('a process is found by its mark after it left its parent, and ended', async t => {
  const folder = mkdtempSync(join(tmpdir(), 'fbm-test-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const own = new OwnProcesses(folder, folder);
  const env = { ...process.env, [kMark]: folder };
  const child = spawn('setsid', ['--fork', 'sh', '-c', 'echo up; kill -STOP $$'], { env });
  await new Promise(resolve => child.stdout.once('data', resolve));

  assert.equal(own.list().length, 1);
  assert.notEqual(own.list()[0], child.pid);
  assert.equal(own.kill(), 1);
  assert.equal(await own.end(), 0);
});
