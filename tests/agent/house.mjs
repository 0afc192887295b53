// A house for the built-in agent: the demo's shop, a model that plays a part, and the program between them.
import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Model } from '../../bench/common/scripted_model.mjs';
import { newFolder, program, startServer } from '../mcp/harness.mjs';
import { clientOf } from '../serve/client.mjs';
import { startShop } from './shop.mjs';

const policy = readFileSync(fileURLToPath(new URL('../../src/app/demo/demo_policy.yaml', import.meta.url)), 'utf8');

export class House {
  tests = 0;

  static async open() {
    const house = new House();
    house.shop = await startShop();
    house.home = newFolder();
    house.policy = join(house.home.folder, 'policy.yaml');
    writeFileSync(house.policy, policy.replaceAll('{{shop}}', house.shop.host));
    process.env.FALCONER_SECRET_DEMO_SHOP = house.shop.password;
    process.env.FALCONER_SECRET_DEMO_SHOP_HOSTS = house.shop.host;
    return house;
  }

  /** What the program is told; the agent is on and asks the model. */
  settings(model, more = []) {
    return [
      `policy.allow_domains=${this.shop.host}`,
      `policy.file=${this.policy}`,
      'agent.internal.enabled=true',
      'agent.internal.max_steps=40',
      'agent.internal.max_wall_time=300s',
      `agent.providers=${JSON.stringify([model.row])}`,
      ...more,
    ];
  }

  /** Data of its own for each test: keys are told only with the first start. */
  get data() {
    return join(this.home.folder, `data${this.tests}`);
  }

  /** The server with a model that plays this part. */
  async serve(part, more = []) {
    ++this.tests;
    this.model = await Model.start(part);
    this.server = await startServer(this.data, ...this.settings(this.model, more));
    this.ask = clientOf(() => this.server);
  }

  /** `falconer run` as a child, and what it came to: {code, out, errors}. */
  async run(args, model, more = []) {
    const settings = [`data.dir=${this.data}`, ...this.settings(model, more)].flatMap((one) => ['--set', one]);
    const child = spawn(program, ['run', ...args, ...settings], { stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    let errors = '';
    child.stdout.on('data', (piece) => (out += piece));
    child.stderr.on('data', (piece) => (errors += piece));
    const code = new Promise((resolve) => child.once('close', resolve));
    return { child, ended: code.then((number) => ({ code: number, out, errors })) };
  }

  /** The answer of the program to a command about the same data. */
  async command(...args) {
    const child = spawn(program, [...args, '--set', `data.dir=${this.data}`], { stdio: ['ignore', 'pipe', 'inherit'] });
    let out = '';
    child.stdout.on('data', (piece) => (out += piece));
    const code = await new Promise((resolve) => child.once('close', resolve));
    return { code, out };
  }

  async rest() {
    this.model?.stop();
    const code = await this.server?.stop();
    this.server = undefined;
    return code ?? 0;
  }

  async close() {
    await this.rest();
    this.shop.stop();
    this.home.remove();
  }
}
