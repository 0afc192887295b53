// What every benchmark that runs the program knows of it.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { refIn } from './contestant.mjs';

// A line of its own: d3e4 button "Save", with a sign before it when it is news.
const refPattern = label => new RegExp(`^[ +~]*(d\\d+e\\d+) .*"${label}"`, 'm');

// The ref of what has this label in an answer.
export function falconerRef(answer, label) {
  return refIn(answer, refPattern, label);
}

// As the command line takes them. Actions are counted as always, but there may be more of them than by default.
export function falconerSettings(folder, chromium, more = []) {
  return ['policy.allow_domains=127.0.0.1', 'quota.actions_per_minute=1000000', `data.dir=${join(folder, 'data')}`,
    `browser.path=${chromium}`, ...more].flatMap(setting => ['--set', setting]);
}

// What was done must be on record: the program itself checks it.
export function verifyLedger(program, settings, env) {
  const { status, stdout, stderr, error } =
      spawnSync(program, ['audit', 'verify', ...settings], { env, encoding: 'utf8', timeout: 60_000 });
  if (status !== 0) throw new Error(`the ledger does not verify: ${error?.message ?? stderr + stdout}`);
}
