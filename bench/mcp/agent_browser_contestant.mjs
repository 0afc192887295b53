// agent-browser by its command line: a daemon that each command talks to. Commands may be sent one by one, or as a
// batch where a model needs no answer in between; both ways are measured.

import { execFile } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';

import { Contestant, kNeedsNoSandbox, refIn } from '../common/contestant.mjs';
import { StdioMcpClient } from '../common/stdio_mcp_client.mjs';
import { kCounter, kFields, kReview, kSubmit } from './site.mjs';

const run = promisify(execFile);

// The program itself: the script of the package would start Node for every command.
const kProgram = join(dirname(createRequire(import.meta.url).resolve('agent-browser/package.json')), 'bin',
    `agent-browser-linux-${process.arch}`);
// The package leaves this to a script that is not run at installation.
chmodSync(kProgram, 0o755);

const kCallMillis = 60_000;
const kIdleMillis = 120_000;  // the daemon's own end, should this process be killed
// The only wait after which a page that a click leads to is there every time: all others, and none, were seen to
// return the page before it.
const kSettled = 'wait --load networkidle';
const kVerbs = { textbox: 'fill', combobox: 'select', checkbox: 'check' };

const refPattern = label => new RegExp(`"${label}".*?ref=(\\w+)\\]`);

function fillCommand({ label, kind, value }, page) {
  const target = `${kVerbs[kind]} @${refIn(page, refPattern, label)}`;
  if (kind === 'checkbox') return target;
  return `${target} ${value.includes(' ') ? `'${value}'` : value}`;
}

class AgentBrowser extends Contestant {
  #env;
  #counter = '';

  constructor(name, { chromium }) {
    super(name, basename(kProgram));
    this.#env = this.environment({
      AGENT_BROWSER_EXECUTABLE_PATH: chromium,
      AGENT_BROWSER_IDLE_TIMEOUT_MS: String(kIdleMillis),
      ...(kNeedsNoSandbox ? { AGENT_BROWSER_ARGS: '--no-sandbox' } : {}),
    });
  }

  // There is nothing to start: the first command starts the daemon.
  async start() {}

  // One call of a model: one command, or several in order.
  async call(commands, transcript) {
    const args = commands.length === 1 ? commands[0].split(' ') : ['batch', '--bail', ...commands];
    const quoted = commands.length === 1 ? args : ['batch', '--bail', ...commands.map(text => `"${text}"`)];
    const { stdout } = await run(kProgram, args, { cwd: this.folder, env: this.#env, timeout: kCallMillis });
    transcript?.add(['agent-browser', ...quoted].join(' '), stdout);
    return stdout;
  }

  async navigate(url) {
    return this.call([`open ${url}`]);
  }

  async look() {
    return this.call(['snapshot']);
  }

  async fill(page, transcript) {
    return this.call(kFields.map(field => fillCommand(field, page)), transcript);
  }

  async prepareClicks(url) {
    this.#counter = refIn(await this.call([`open ${url}`, 'snapshot']), refPattern, kCounter);
  }

  async clickAndSee() {
    return this.call([`click @${this.#counter}`, 'snapshot -c']);
  }

  // Its MCP server, ready for calls; it starts neither daemon nor browser.
  async openProtocol() {
    const client = new StdioMcpClient({ command: kProgram, args: ['mcp'], cwd: this.folder, env: this.#env });
    await client.initialize();
    return client;
  }

  async shut() {
    await this.call(['close']);
  }
}

// One command per call; only the fields are sent together.
export class AgentBrowserContestant extends AgentBrowser {
  constructor(settings) {
    super('agent-browser', settings);
  }

  async order(url, transcript) {
    await this.call([`open ${url}`], transcript);
    const page = await this.call(['snapshot'], transcript);
    await this.fill(page, transcript);
    await this.call([`click @${refIn(page, refPattern, kReview)}`], transcript);
    const review = await this.call(['snapshot'], transcript);
    await this.call([`click @${refIn(review, refPattern, kSubmit)}`], transcript);
    return this.call([kSettled, 'snapshot'], transcript);
  }
}

// Every look in the same call as what it looks at, and at the least that shows enough.
export class AgentBrowserBatchContestant extends AgentBrowser {
  constructor(settings) {
    super('agent-browser-batch', settings);
  }

  async order(url, transcript) {
    const page = await this.call([`open ${url}`, 'snapshot -i'], transcript);
    await this.fill(page, transcript);
    const review = await this.call([`click @${refIn(page, refPattern, kReview)}`, 'snapshot -i'], transcript);
    return this.call([`click @${refIn(review, refPattern, kSubmit)}`, kSettled, 'snapshot'], transcript);
  }
}
