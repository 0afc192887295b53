// The parts of the benchmark that need no browser: what is counted, what is believed, what is reported.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Figures } from '../common/figures.mjs';
import { isMet } from '../common/report.mjs';
import { makeRows } from './rows.mjs';
import { readSettings } from './settings.mjs';
import { kFields, Site } from './site.mjs';
import { Transcript } from './transcript.mjs';

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

test('settings that are unknown or out of range are refused by name', () => {
  const base = ['--falconer', '/bin/true'];
  assert.throws(() => readSettings([...base, '--only', 'form,tea'], {}), /--only: there is no part "tea"/);
  assert.throws(() => readSettings(base, { BENCH_SAMPLES: '0' }), /BENCH_SAMPLES/);
  assert.throws(() => readSettings([...base, '--colour'], {}), /--colour/);
  assert.throws(() => readSettings([], {}), /--falconer/);
  assert.deepEqual(readSettings([...base, '--only', 'click'], {}).parts, ['click']);
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
