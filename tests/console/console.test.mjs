// The console against the real server, in Chromium.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { after, before } from 'node:test';
import { act, cardOf, deny, holdPurchase, kPatience, openHouse, openTab, signedIn } from './harness.mjs';

let house;
before(async () => {
  house = await openHouse();
}, { timeout: kPatience });
after(() => house?.stop(), { timeout: kPatience });

test('a key that is pasted opens the console and stays in the tab', async () => {
  const tab = await openTab(house);
  await tab.page.goto(house.server.url);
  await tab.page.getByLabel('Key').fill(` ${house.server.keys.viewer} `);
  await tab.page.getByRole('button', { name: 'Sign in' }).click();
  await tab.page.getByRole('heading', { name: 'Overview' }).waitFor();
  await tab.page.reload();
  await tab.page.getByRole('heading', { name: 'Overview' }).waitFor();
  const stored = await tab.page.evaluate(() => ({ local: JSON.stringify(localStorage), session: JSON.stringify(sessionStorage) }));
  assert.ok(stored.session.includes('fk_') && !stored.local.includes('fk_'), 'the key outlives the tab');

  await tab.page.getByRole('button', { name: 'Sign out' }).click();
  await tab.page.getByLabel('Key').waitFor();
  assert.equal(await tab.page.evaluate(() => sessionStorage.length), 0);
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('a key in the address is taken out of it at once', async () => {
  const tab = await openTab(house);
  await tab.page.goto(`${house.server.url}/#key=${house.server.keys.viewer}`);
  await tab.page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.ok(!tab.page.url().includes('fk_'), tab.page.url());
  assert.equal(await tab.page.evaluate(() => history.length), 2, 'nor is it in the history (about:blank and the console)');
  await tab.page.locator('.me').getByText('viewer').waitFor();
  await tab.close();
});

test('a wrong key is told plainly', async () => {
  const tab = await openTab(house);
  await tab.page.goto(house.server.url);
  await tab.page.getByLabel('Key').fill('fk_wrong');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('alert').getByText('This key is not one of the server’s.').waitFor();
  assert.equal(await tab.page.getByLabel('Key').getAttribute('aria-invalid'), 'true');
  await tab.page.getByLabel('Key').fill('');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByText('Paste a key first.').waitFor();
  assert.deepEqual(withoutRefusals(tab.troubles), []);
  await tab.close();
});

test('a purchase that is held is seen, approved by keyboard alone, and leaves', async () => {
  const held = await holdPurchase(house, 'buys');
  const tab = await signedIn(house, 'approver', {}, '#/approvals');
  const card = cardOf(tab.page, 'buys');
  await card.waitFor();
  await card.getByText('Buys something for 49.90 EUR').first().waitFor();
  await card.getByText('critical risk').waitFor();
  await card.getByText('****-****-****-1111').waitFor();
  assert.ok(!(await tab.page.content()).includes('4111111111111111'), 'the card is masked');
  assert.equal(house.shop.sold.length, 0, 'nothing has left yet');

  await tabTo(tab.page, 'Your name');
  await tab.page.keyboard.type('ann');
  await tab.page.keyboard.press('Tab');
  await tab.page.keyboard.type('within the budget');
  await tab.page.keyboard.press('Tab');
  await tab.page.keyboard.press('Enter');

  await card.waitFor({ state: 'detached' });
  const result = await held.result;
  assert.equal(result.success, true, JSON.stringify(result.failure));
  assert.equal(house.shop.sold.length, 1);
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('a denial holds it back, and the agent is told why', async () => {
  const sold = house.shop.sold.length;
  const held = await holdPurchase(house, 'denied');
  const tab = await signedIn(house, 'operator', {}, '#/approvals');
  const card = cardOf(tab.page, 'denied');
  await card.getByRole('button', { name: 'Deny' }).click();
  await card.getByText('Say who decides').waitFor();
  await card.getByLabel('Your name').fill('bob');
  await card.getByRole('button', { name: 'Deny' }).click();
  await card.getByText('Say why not').waitFor();
  await card.getByLabel('Reason').fill('too dear');
  await card.getByRole('button', { name: 'Deny' }).click();

  await card.waitFor({ state: 'detached' });
  const result = await held.result;
  assert.equal(result.failure.code, 'APPROVAL_DENIED');
  assert.match(result.failure.message, /too dear/);
  assert.equal(house.shop.sold.length, sold, 'nothing was sold');
  assert.deepEqual(withoutRefusals(tab.troubles), []);
  await tab.close();
});

test('a refusal of the server is told where one decides', async () => {
  const held = await holdPurchase(house, 'own');
  const tab = await signedIn(house, 'approver', {}, '#/approvals');
  const card = cardOf(tab.page, 'own');
  await card.getByLabel('Your name').fill('Local');
  await card.getByRole('button', { name: 'Approve' }).click();
  await card.getByRole('alert').getByText('whoever asked cannot approve').waitFor();
  await deny(card);
  await held.result;
  await tab.close();
});

test('who may only look decides nothing', async () => {
  const held = await holdPurchase(house, 'looked');
  const viewer = await signedIn(house, 'viewer', {}, '#/approvals');
  const seen = cardOf(viewer.page, 'looked');
  await seen.waitFor();
  await viewer.page.getByText('approvals can be seen, not decided').waitFor();
  assert.equal(await viewer.page.getByRole('button', { name: 'Approve' }).count(), 0);
  await viewer.close();
  const tab = await signedIn(house, 'approver', {}, '#/approvals');
  await deny(cardOf(tab.page, 'looked'));
  await held.result;
  await tab.close();
});

test('a session is shown with its state, and says that there is no live view', async () => {
  await act(house, 'looks', { action_type: 'navigate', url: house.shop.url });
  const tab = await signedIn(house, 'operator');
  await tab.page.getByRole('link', { name: 'looks', exact: true }).click();
  await tab.page.getByRole('heading', { name: 'Session looks' }).waitFor();
  await tab.page.getByRole('row', { name: /textbox Name Ann/ }).waitFor();
  await tab.page.getByRole('row', { name: /Card number filled, secret/ }).waitFor();
  await tab.page.getByText('Streaming is off at this server.').waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('nothing but the files of the server runs in the page', async () => {
  const tab = await openTab(house);
  const answer = await tab.page.goto(house.server.url);
  const policy = answer.headers()['content-security-policy'];
  assert.match(policy, /default-src 'none'; script-src 'self'/);
  assert.match(policy, /connect-src 'self'/);
  assert.equal(answer.headers()['content-encoding'], 'gzip');
  // What the debugger calls may evaluate text; what the page calls later may not.
  const ran = await tab.page.evaluate(() => new Promise((resolve) => setTimeout(() => {
    const tries = [
      () => document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.ran=1">'),
      () => document.head.append(Object.assign(document.createElement('script'), { text: 'window.ran=2' })),
      () => (0, eval)('window.ran=3'),
      () => setTimeout('window.ran=4', 0),
    ];
    for (const attempt of tries) try { attempt(); } catch { /* refused, as it should be */ }
    setTimeout(() => resolve(window.ran ?? 0), 50);
  })));
  assert.equal(ran, 0);
  const left = await tab.page.evaluate(() => fetch('http://127.0.0.2:1/', { mode: 'no-cors' }).then(() => 'left', () => 'refused'));
  assert.equal(left, 'refused');
  assert.ok(tab.troubles.some((one) => one.includes('connect-src')), tab.troubles.join('\n'));
  await tab.close();
});

test('files are kept by the browser, the page is asked for again', async () => {
  const page = await fetch(house.server.url);
  const html = await page.text();
  assert.equal(page.headers.get('cache-control'), 'no-cache');
  const again = await fetch(house.server.url, { headers: { 'if-none-match': page.headers.get('etag') } });
  assert.equal(again.status, 304);
  for (const [, path] of html.matchAll(/(?:src|href)="(\/console\/[^"]+)"/g)) {
    const file = await fetch(new URL(path, house.server.url));
    assert.equal(file.status, 200, path);
    assert.match(file.headers.get('cache-control'), /immutable/);
    assert.equal(file.headers.get('x-content-type-options'), 'nosniff');
  }
});

test('every page opens without trouble, whatever the server has', async () => {
  const tab = await signedIn(house, 'operator');
  for (const [name, heading] of [['Approvals', 'Approvals'], ['Runs', 'Runs'], ['Ledger', 'Ledger'], ['Policy', 'Policy'], ['Load', 'Load'], ['Overview', 'Overview']]) {
    await tab.page.getByRole('navigation', { name: 'pages' }).getByRole('link', { name }).click();
    await tab.page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    await tab.page.waitForFunction(() => !document.querySelector('[aria-busy="true"]'));
    assert.equal(await tab.page.getByRole('alert').count(), 0, name);
  }
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('everything is reached by keyboard, and where one is is seen', async () => {
  const tab = await signedIn(house, 'operator', {}, '#/ledger');
  await tab.page.reload();
  await tab.page.getByRole('heading', { name: 'Ledger' }).waitFor();
  const seen = [];
  for (let i = 0; i < 60; i += 1) {
    await tab.page.keyboard.press('Tab');
    const focused = await tab.page.evaluate(() => {
      const element = document.activeElement;
      if (!element || element === document.body) return null;
      const style = getComputedStyle(element);
      return { name: element.getAttribute('aria-label') ?? element.textContent.trim() ?? element.name, isSeen: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2 };
    });
    if (!focused) break;
    assert.ok(focused.isSeen, `${focused.name} does not show that it has the focus`);
    seen.push(focused.name);
  }
  assert.equal(seen[0], 'Skip to content');
  for (const name of ['Overview', 'Approvals', 'Ledger', 'Sign out', 'Verify', 'Find']) assert.ok(seen.includes(name), `${name} is not among ${seen}`);

  await tabTo(tab.page, 'Verify');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByText('The ledger is whole.').waitFor();
  await tabTo(tab.page, 'Skip to content');
  await tab.page.keyboard.press('Enter');
  assert.equal(await tab.page.evaluate(() => document.activeElement.id), 'main');
  await tab.close();
});

test('colours follow the system, or whoever chooses', async () => {
  const tab = await signedIn(house, 'viewer', { colorScheme: 'dark' });
  const ground = () => tab.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const dark = await ground();
  await tab.page.getByLabel('colours').selectOption('light');
  const light = await ground();
  assert.notEqual(light, dark);
  await tab.page.reload();
  await tab.page.getByRole('heading', { name: 'Overview' }).waitFor();
  assert.equal(await ground(), light, 'it is remembered');
  await tab.close();
});

// Last: it damages the ledger.
test('a ledger that was changed is red, and the record is named', async () => {
  const folder = join(house.data, 'ledger/local');
  const segment = join(folder, readdirSync(folder).find((name) => name.endsWith('.seg')));
  const bytes = readFileSync(segment);
  const at = bytes.indexOf('"workflow":"buys"');
  assert.ok(at > 0);
  bytes[at + 13] ^= 1;
  writeFileSync(segment, bytes);
  const tab = await signedIn(house, 'viewer', {}, '#/ledger');
  await tab.page.getByRole('button', { name: 'Verify' }).click();
  const alert = tab.page.getByRole('alert').filter({ hasText: 'The ledger is damaged: record hash mismatch at record' });
  await alert.waitFor();
  await alert.getByRole('link', { name: /Record \d+/ }).waitFor();
  await tab.close();
});

/** The browser itself writes a line for every answer that is a no. */
function withoutRefusals(troubles) {
  return troubles.filter((one) => !/Failed to load resource.*(401|403)/.test(one));
}

/** Goes by the Tab key to what is named so. */
async function tabTo(page, name) {
  for (let i = 0; i < 120; i += 1) {
    await page.keyboard.press('Tab');
    const isThere = await page.evaluate((wanted) => {
      const element = document.activeElement;
      const label = element.labels?.[0]?.textContent ?? element.getAttribute('aria-label') ?? element.textContent;
      return label?.trim() === wanted;
    }, name);
    if (isThere) return;
  }
  assert.fail(`${name} is not reached by the Tab key`);
}
