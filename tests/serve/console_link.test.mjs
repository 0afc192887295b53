// The way into the console for the person at the machine.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, test } from 'node:test';
import { newFolder, program } from '../mcp/harness.mjs';

const home = newFolder();
after(() => home.remove());

// What opens pages on a desktop, writing down what it was told to open.
const told = join(home.folder, 'told');
writeFileSync(join(home.folder, 'xdg-open'), `#!/bin/sh\ncp -p "$1" '${told}.html'\necho "$1" > '${told}'\n`, { mode: 0o755 });

// The server, its link, and how to end it.
async function open(environment) {
  const data = join(home.folder, 'data');
  const child = spawn(program, ['serve', '--open', '--set', `data.dir=${data}`, '--set', 'serve.port=0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DISPLAY: '', WAYLAND_DISPLAY: '', PATH: `${home.folder}:${process.env.PATH}`, ...environment },
  });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  for await (const line of createInterface(child.stdout)) {
    const [, url, key] = /^ +(http:\S+)\/#key=(\S+)/.exec(line) ?? [];
    if (url) return { url, key, data, stop: () => (child.kill('SIGTERM'), ended) };
  }
  throw new Error('no link was printed');
}

const whoami = async ({ url }, key) => {
  const answer = await fetch(`${url}/v1/whoami`, { headers: { authorization: `Bearer ${key}` } });
  return answer.ok ? (await answer.json()).role : answer.status;
};

async function untilThere(path) {
  while (!existsSync(path)) await new Promise((resolve) => setTimeout(resolve, 20));
}

test('the link is an operator\u2019s until the server ends, and is opened where there is a display', async () => {
  const first = await open({ DISPLAY: ':9' });
  assert.equal(await whoami(first, first.key), 'operator');
  await untilThere(told);
  const page = readFileSync(told, 'utf8').trim();
  assert.equal(page, join(first.data, 'console.html'), 'the command line has no key');
  assert.ok(readFileSync(`${told}.html`, 'utf8').includes(`url=${first.url}/#key=${first.key}"`));
  assert.equal(statSync(`${told}.html`).mode & 0o777, 0o600);
  assert.equal(await first.stop(), 0);
  assert.ok(!existsSync(page), 'the page goes with the server');

  const second = await open({});
  assert.equal(await whoami(second, second.key), 'operator');
  assert.equal(await whoami(second, first.key), 401, 'the first link is over');
  assert.ok(!existsSync(page), 'without a display nothing is opened');
  assert.equal(await second.stop(), 0);
});
