// A person who takes a session over and buys a coffee by hand: real input in a real browser, by the operator's key.
import assert from 'node:assert/strict';

const named = (role, name) => `role=${role}[name=${JSON.stringify(name)}]`;

export class Buyer {
  constructor(ask, session) {
    this.ask = ask;
    this.session = session;
    this.step = 0;
  }

  async act(spec, more = {}) {
    const contract = { workflow_id: this.session, run_id: 'by-hand', step_index: this.step++, action_spec: spec, ...more };
    const { status, body } = await this.ask('POST', '/v1/actions', { body: contract });
    assert.equal(status, 200, JSON.stringify(body));
    assert.ok(body.success, JSON.stringify(body.failure ?? body));
    return body;
  }

  open = (url) => this.act({ action_type: 'navigate', url });
  click = (role, name) => this.act({ action_type: 'click', selector: named(role, name) });
  type = (label, text) => this.act({ action_type: 'type', selector: `label=${JSON.stringify(label)}`, text });
  choose = (label, option) => this.act({ action_type: 'select', selector: `label=${JSON.stringify(label)}`, select_values: [{ label: option }] });

  async takeOver() {
    const { status, body } = await this.ask('POST', `/v1/sessions/${this.session}/takeover`, { body: { person: 'ann' } });
    assert.equal(status, 200, JSON.stringify(body));
  }

  async handBack() {
    const { status, body } = await this.ask('POST', `/v1/sessions/${this.session}/handback`, { body: { person: 'ann' } });
    assert.equal(status, 200, JSON.stringify(body));
  }

  /** From the shop's first page to the order. */
  async buy(shop, coffee, who) {
    await this.open(shop.url('/login'));
    await this.type('Account', who.account);
    await this.type('Password', { secret: 'demo-shop' });
    await this.click('button', 'Log in');
    await this.open(shop.url('/'));
    await this.click('link', coffee);
    await this.click('button', 'Add to cart');
    await this.click('link', 'Go to checkout');
    await this.type('Full name', who.name);
    await this.type('E-mail', who.email);
    await this.type('Street and number', who.street);
    await this.type('Postcode and town', who.town);
    await this.choose('How to settle', who.settle);
    await this.click('button', 'Place order');
  }
}

export const people = [
  { account: 'ada', name: 'Ada Lovelace', email: 'ada@example.org', street: "St James's Square 12", town: 'SW1Y London', settle: 'Invoice, 14 days' },
  { account: 'ada', name: 'Grace Hopper', email: 'grace@example.org', street: 'Navy Road 7', town: '22202 Arlington', settle: 'Invoice, 14 days' },
  { account: 'ada', name: 'Mary Somerville', email: 'mary@example.org', street: 'Burntisland 3', town: 'KY3 Fife', settle: 'Invoice, 14 days' },
];
