// The official conformance suite of MCP against our endpoint, for both revisions: every scenario that
// a revision requires of servers must pass. What else the suite runs is reported, and must not get
// worse.
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const preset = process.env.FALCONER_PRESET ?? 'dev';
const fixture = fileURLToPath(new URL(`../../build/${preset}/serve_mcp_fixture`, import.meta.url));
const olderNode = new URL('older_node.mjs', import.meta.url).href;
const suite = dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json'));

// Scenarios that no revision requires, and that do not pass.
const notOffered = {
  '2025-11-25': [],
  '2026-07-28': [],
};

let server;
let url;

before(async () => {
  server = spawn(fixture, [], { stdio: ['pipe', 'pipe', 'inherit'] });
  url = await new Promise((resolve, reject) => {
    createInterface(server.stdout).once('line', resolve);
    server.once('exit', (code) => reject(new Error(`the fixture ended with ${code}`)));
  });
});
after(() => server.stdin.end());

// The names under `server:`.
function requiredBy(revision) {
  const text = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8');
  const [, list] = /^server:\n((?: {2}- \S+\n)+)/m.exec(text);
  return [...list.matchAll(/- (\S+)/g)].map(([, name]) => name);
}

// The exit code, all that was printed, and by scenario how many checks passed and failed.
async function run(revision) {
  const command = ['--import', olderNode, join(suite, 'dist', 'index.js'), 'server', '--url', url, '--requirements', revision];
  const { code, output } = await new Promise((resolve) => {
    execFile(process.execPath, command, { maxBuffer: 1 << 26 }, (error, out, err) =>
      resolve({ code: error?.code ?? 0, output: out + err }));
  });
  const lines = output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm);
  const scenarios = new Map([...lines].map(([, name, passed, failed]) => [name, { passed: +passed, failed: +failed }]));
  return { code, output, scenarios };
}

for (const revision of Object.keys(notOffered)) {
  test(`revision ${revision}`, async (t) => {
    const { code, output, scenarios } = await run(revision);
    for (const name of requiredBy(revision)) {
      await t.test(`${revision} ${name}`, () => {
        const { passed, failed } = scenarios.get(name) ?? { passed: 0, failed: 0 };
        assert.ok(passed > 0 && failed === 0, output);
      });
    }
    const failing = [...scenarios].filter(([, { failed }]) => failed > 0).map(([name]) => name);
    assert.deepEqual(failing.sort(), [...notOffered[revision]].sort(), output);
    assert.equal(code, 0, output);
  });
}
