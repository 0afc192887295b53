// The inspector's command line against the program.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newFolder, server, unmarked } from './harness.mjs';

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

// The command line looks for the package.json of the whole inspector, two folders up; installed alone, without
// the inspector's web pages, it has none there. So it runs from a copy that has.
const { folder: home, remove: removeHome } = newFolder();
after(removeHome);
cpSync(join(modules, '@modelcontextprotocol/inspector-cli/build'), join(home, 'cli/build'), { recursive: true });
writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'inspector', version: '1.0.3', type: 'module' }));
symlinkSync(modules, join(home, 'node_modules'));

async function inspect(...words) {
  const { folder, remove } = newFolder();
  const { command, args } = server(folder);
  try {
    const run = [join(home, 'cli/build/cli.js'), '--cli', command, ...args, ...words];
    const { stdout } = await promisify(execFile)(process.execPath, run, { timeout: 60_000 });
    return JSON.parse(stdout);
  } finally {
    remove();
  }
}

test('the inspector lists the tools', async () => {
  const { tools } = await inspect('--method', 'tools/list');
  assert.equal(tools[0].name, 'browser_navigate');
  assert.equal(tools.length, 22);
});

test('the inspector calls a tool', async () => {
  const result = await inspect('--method', 'tools/call', '--tool-name', 'browser_tabs', '--tool-arg', 'action=list');
  assert.match(unmarked(result.content[0].text), /^tab t1\* /);
});
