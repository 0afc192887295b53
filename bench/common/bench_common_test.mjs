// What the Node benchmarks share, without any of them.

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

test('percentiles lie between the closest ranks', () => {
  const figures = new Figures();
  for (const sample of [4, 1, 3, 2]) figures.add('us', 'click_ms', sample);

  assert.equal(figures.median('us', 'click_ms'), 2.5);
  assert.equal(figures.percentile('us', 'click_ms', 1), 4);
  assert.equal(figures.median('us', 'form_ms'), undefined);
});

test('a label that is not in an answer is an error that shows the answer', () => {
  const pattern = label => new RegExp(`(d\\d+e\\d+) \\w+ "${label}"`);
  assert.equal(refIn('d3e4 button "Save (all)"', pattern, 'Save (all)'), 'd3e4');
  assert.throws(() => refIn('d3e4 button "Save"', pattern, 'Send'), /"Send" is not in the answer: d3e4/);
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
