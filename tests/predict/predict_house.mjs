// The demo's shop behind a front, and the server beside it, for learned workflows.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { startShop } from '../agent/shop.mjs';
import { newFolder, startServer, startServerAgain } from '../mcp/harness.mjs';
import { clientOf } from '../serve/client.mjs';
import { Buyer } from './buyer.mjs';
import { startFront } from './front.mjs';

const kFields = { account: 'account', full_name: 'name', e_mail: 'email', street_and_number: 'street', postcode_and_town: 'town', how_to_settle: 'settle' };

export class PredictHouse {
  static async open(...more) {
    const house = new PredictHouse();
    house.shop = await startShop();
    house.front = await startFront(house.shop);
    house.home = newFolder();
    process.env.FALCONER_SECRET_DEMO_SHOP = house.shop.password;
    process.env.FALCONER_SECRET_DEMO_SHOP_HOSTS = '127.0.0.1';
    house.server = await startServer(house.home.folder, ...house.settings(more));
    house.ask = clientOf(() => house.server);
    return house;
  }

  settings(more) {
    return [`policy.allow_domains=${this.front.host}`, ...more];
  }

  async restart(...more) {
    assert.equal(await this.server.stop(), 0);
    this.server = await startServerAgain(this.home.folder, this.server.keys, ...this.settings(more));
  }

  async close() {
    const code = await this.server.stop();
    this.shop.stop();
    await this.front.stop();
    this.home.remove();
    assert.equal(code, 0);
  }

  async must(method, path, body) {
    const answer = await this.ask(method, path, body === undefined ? {} : { body });
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }

  /** One recording of a purchase that a person makes by hand; answers with the workflow as it is then. */
  async record(workflow, session, coffee, who) {
    const buyer = new Buyer(this.ask, session);
    await buyer.open('about:blank');
    await buyer.takeOver();
    const { id } = await this.must('POST', '/v1/recordings', { workflow, session });
    await buyer.buy(this.front, coffee, who);
    const learned = await this.must('POST', `/v1/recordings/${id}/end`);
    await buyer.handBack();
    return learned;
  }

  workflow = (name) => this.must('GET', `/v1/workflows/${name}`);
  run = (name, wish) => this.must('POST', `/v1/workflows/${name}/run`, wish);

  /** What a person does after recording: says which of his secrets a password is. */
  async nameSecret(workflow, secret) {
    const text = JSON.stringify(workflow).replaceAll(/\{"secret":"[^"]+"/g, `{"secret":"${secret}"`);
    return this.must('PUT', `/v1/workflows/${workflow.name}`, JSON.parse(text));
  }

  /** A value for each parameter that a field asks for. */
  valuesFor(workflow, who) {
    const known = workflow.parameters.filter(({ name }) => kFields[name]);
    return Object.fromEntries(known.map(({ name }) => [name, who[kFields[name]]]));
  }

  /** Everything that is on disk about what was learnt. */
  async everythingKept() {
    await this.restart();
    const files = readdirSync(this.home.folder).filter((name) => name.startsWith('control.db'));
    return files.map((name) => readFileSync(join(this.home.folder, name)).toString('latin1')).join('\n');
  }

  async pageText(session) {
    const state = await this.must('GET', `/v1/sessions/${session}/state`);
    return JSON.stringify(state);
  }

  async approval() {
    for (let tries = 0; tries < 200; ++tries) {
      const { approvals } = await this.must('GET', '/v1/approvals');
      if (approvals.length > 0) return approvals[0].request_id;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('nobody was asked');
  }

  decide = (approval, approved) => this.must('POST', `/v1/approvals/${approval}/decision`, { approved, approver: 'bob', reason: 'seen' });
}
