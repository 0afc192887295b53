// The program and the test site as children, for clients of others.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const preset = process.env.FALCONER_PRESET ?? 'dev';
// The program would take it for a setting.
delete process.env.FALCONER_PRESET;
const built = (name) => fileURLToPath(new URL(`../../build/${preset}/${name}`, import.meta.url));

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

/** A text without the marks around what comes from the page. */
export const unmarked = (text) => text.replace(/^<\/?untrusted \w+[^>]*>\n?/gm, '');

export function textOf(result) {
  return result.content.filter((part) => part.type === 'text').map((part) => part.text).join('\n');
}
