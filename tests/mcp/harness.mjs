// The program and the test site as children, for clients of others.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after } from 'node:test';
import { fileURLToPath } from 'node:url';

const preset = process.env.FALCONER_PRESET ?? 'dev';
// The program would take it for a setting.
delete process.env.FALCONER_PRESET;
export const built = (name) => fileURLToPath(new URL(`../../build/${preset}/${name}`, import.meta.url));

export const program = built('falconer');

// The site's address, and how to end it.
export async function startSite() {
  const child = spawn(built('serve_test_site'), [], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await new Promise((resolve) => {
    createInterface(child.stdout).once('line', (text) => resolve([text]));
  });
  return { url: (path) => new URL(path, line).href, stop: () => child.stdin.end() };
}

// A folder of its own for each server, so that they share nothing.
export function newFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'falconer-mcp-test-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

// How a client starts the server.
export function server(folder, ...more) {
  return {
    command: program,
    args: ['mcp', '--set', `data.dir=${folder}`, '--set', 'policy.allow_domains=127.0.0.1', ...more],
  };
}

// Starts the server on a free port and reads its lines until it has said everything: its address and its keys, if it
// makes any.
async function launch(folder, keys, more) {
  const settings = [`data.dir=${folder}`, 'policy.allow_domains=127.0.0.1', 'serve.port=0', ...more];
  const child = spawn(program, ['serve', ...settings.flatMap((one) => ['--set', one])], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  let url;
  for await (const line of createInterface(child.stdout)) {
    url ??= /listens on (\S+)/.exec(line)?.[1];
    const [, role, key] = /^ +(\w+) +(fk_\S+)/.exec(line) ?? [];
    if (role) keys[role] = key;
    if (url && Object.keys(keys).length === 4) break;
  }
  return { url, keys, pid: child.pid, stop: () => (child.kill('SIGTERM'), ended), kill: () => (child.kill('SIGKILL'), ended) };
}

// The server with a new folder: its address, its keys by role, and how to end it; that gives the exit code.
export const startServer = (folder, ...more) => launch(folder, {}, more);

/** The server with a folder that it had before: its keys are those of then. */
export const startServerAgain = (folder, keys, ...more) => launch(folder, { ...keys }, more);

/** A site and a server for all tests of a file; they end with the last of them. */
export async function startHouse(...settings) {
  const site = await startSite();
  const home = newFolder();
  const falconer = await startServer(home.folder, ...settings);
  after(async () => {
    site.stop();
    assert.equal(await falconer.stop(), 0);
    home.remove();
  });
  return { site, home, falconer };
}

/** A text without the marks around what comes from the page. */
export const unmarked = (text) => text.replace(/^<\/?untrusted \w+[^>]*>\n?/gm, '');

export function textOf(result) {
  return result.content.filter((part) => part.type === 'text').map((part) => part.text).join('\n');
}
