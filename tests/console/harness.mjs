// The console as people meet it: the real server, a shop that really sells, and Chromium.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { newFolder, startServer } from '../mcp/harness.mjs';

// A machine under load may be slow; a test that waits this long has failed.
export const kPatience = 40_000;

const kPolicy = `
policy: {name: shop, version: "1"}
rules:
  - name: work
    when: {capability: [READ, NAVIGATE, INTERACT, WRITE, SUBMIT]}
    then: allow
  - name: buying
    when: {capability: PURCHASE}
    then: {require_approval: {who: human, message: "\${agent} buys for \${amount} at \${domain}"}}
`;

const kCheckout = `<!doctype html><title>Checkout</title><h1>Checkout</h1>
<form method=post action=/checkout/pay>
<label>Name <input name=name value=Ann></label>
<label>Card number <input name=card autocomplete=cc-number value=4111111111111111></label>
<label>Total <input name=total value="49.90 EUR"></label>
<input type=hidden name=gift value="wrapped">
<button id=buy>Buy now</button></form>`;

// Where purchases arrive, if they do.
async function startShop() {
  const sold = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += piece));
    request.on('end', () => {
      if (request.method === 'POST') sold.push(body);
      response.setHeader('content-type', 'text/html');
      response.end(request.method === 'POST' ? '<title>Done</title><h1>Thank you</h1>' : kCheckout);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${server.address().port}/`, sold, stop: () => (server.closeAllConnections(), server.close()) };
}

/** The house: server (with more settings), shop and browser. `stop` ends all. */
export async function openHouse(...more) {
  const { folder, remove } = newFolder();
  const policy = join(folder, 'policy.yaml');
  writeFileSync(policy, kPolicy);
  const data = join(folder, 'data');
  const [server, shop] = await Promise.all([startServer(data, `policy.file=${policy}`, ...more), startShop()]);
  const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
  return {
    server, shop, browser, data, policy,
    stop: async () => {
      await browser.close();
      await server.stop();
      shop.stop();
      remove();
    },
  };
}

/** What an agent sends, and what comes of it. */
export async function act(house, workflow, spec, more = {}) {
  const response = await fetch(`${house.server.url}/v1/actions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${house.server.keys.agent}` },
    body: JSON.stringify({ workflow_id: workflow, action_spec: spec, ...more }),
  });
  return response.json();
}

/** A purchase that waits for people: the promise of its result. */
export async function holdPurchase(house, workflow) {
  await act(house, workflow, { action_type: 'navigate', url: house.shop.url });
  return { result: act(house, workflow, { action_type: 'click', selector: '#buy' }) };
}

/**
 * A tab of its own in which everything is noted that must not happen: errors of the page, on its console, and
 * of its security policy. `check` gives them.
 */
export async function openTab(house, options = {}) {
  const context = await house.browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(kPatience);
  const troubles = [];
  page.on('pageerror', (error) => troubles.push(`page error: ${error.message}`));
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && troubles.push(`console: ${message.text()} ${message.location().url}`));
  await context.exposeFunction('noteViolation', (text) => troubles.push(`policy: ${text}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => window.noteViolation(`${event.violatedDirective} ${event.blockedURI}`));
  });
  return { page, troubles, close: () => context.close() };
}

/** A tab in which somebody has signed in. `prepare` is given the page before it is opened. */
export async function signedIn(house, role, options = {}, place = '#/overview', prepare = async () => {}) {
  const tab = await openTab(house, options);
  await prepare(tab.page);
  await tab.page.goto(`${house.server.url}/#key=${house.server.keys[role]}`);
  await tab.page.getByRole('heading', { name: 'Overview' }).waitFor();
  if (place !== '#/overview') await tab.page.evaluate((hash) => (location.hash = hash), place);
  return tab;
}

/** The question about a purchase of that workflow. */
export function cardOf(page, workflow) {
  return page.getByRole('article').filter({ has: page.getByRole('link', { name: workflow, exact: true }) });
}

export async function deny(card) {
  await card.getByLabel('Your name').fill('ann');
  await card.getByLabel('Reason').fill('no');
  await card.getByRole('button', { name: 'Deny' }).click();
  await card.waitFor({ state: 'detached' });
}
