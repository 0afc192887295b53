// What the pages show, live and on record, in Chromium.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test, { after, before } from 'node:test';
import { act, cardOf, deny, holdPurchase, kPatience, openHouse, signedIn } from './harness.mjs';

let house;
before(async () => {
  house = await openHouse('stream.enabled=true');
  await act(house, 'looks', { action_type: 'navigate', url: house.shop.url }, {
    wait_conditions: [{ kind: 'selector', payload: { selector: 'h1' } }],
    verification_rules: [{ rule_type: 'text_state', severity: 'soft', payload: { selector: 'h1', expected: 'Basket' } }],
  });
  await act(house, 'looks', { action_type: 'screenshot' });
  await act(house, 'looks', { action_type: 'navigate', url: 'https://example.com/' });
  await fetch(`${house.server.url}/v1/workflows/again`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${house.server.keys.operator}` },
    body: JSON.stringify({ name: 'again', steps: [{ id: 'open', contract: { action_spec: { action_type: 'navigate', url: house.shop.url } } }] }),
  });
}, { timeout: kPatience });
after(() => house?.stop(), { timeout: kPatience });

const open = (place, options = {}) => signedIn(house, 'operator', options, place);

test('turns are told phase by phase, with what was observed', async () => {
  const tab = await open('#/sessions/looks');
  const turn = tab.page.locator('.turns > li').filter({ hasText: 'navigate' }).filter({ hasText: 'ok' });
  await turn.locator('summary').first().click();
  await turn.getByRole('img', { name: /bind .*, execute .*, wait .*, verify/ }).waitFor();
  await turn.getByText('Gates', { exact: false }).first().click();
  await turn.getByText('capability granted').waitFor();
  const checks = turn.locator('details.part', { hasText: 'Verification' });
  await checks.locator('summary').first().click();
  await checks.getByText('text state').waitFor();
  await checks.getByText('texts:').click();
  await checks.getByText('"Checkout"').waitFor();
  await checks.getByText('"Basket"').first().waitFor();
  const refused = tab.page.locator('.turns > li').filter({ hasText: 'refused: SECURITY_DOMAIN_BLOCK' });
  await refused.waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('what is sent and not shown stands out before it is approved', async () => {
  const purchase = await holdPurchase(house, 'gift');
  const tab = await open('#/approvals');
  const card = cardOf(tab.page, 'gift');
  await card.getByText('Fields, against what the page').waitFor();
  await card.getByRole('row', { name: /gift wrapped not shown/ }).waitFor();
  await card.getByRole('row', { name: /name Ann Name: Ann as shown/ }).waitFor();
  await card.getByRole('row', { name: /card .*1111 .*masked/ }).waitFor();
  await deny(card);
  await purchase.result;
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('records are found by kind and opened, and their proof is saved', async () => {
  const tab = await open('#/ledger');
  await tab.page.getByLabel('kind').selectOption('refusal');
  await tab.page.getByRole('button', { name: 'Find' }).click();
  const rows = tab.page.locator('.records tbody tr');
  await tab.page.waitForFunction(() => document.querySelectorAll('.records tbody tr').length === 1);
  await rows.getByText('SECURITY_DOMAIN_BLOCK').waitFor();
  await rows.getByRole('link').click();
  await tab.page.getByRole('heading', { name: /^Record \d+$/ }).waitFor();
  await tab.page.locator('details.json').first().waitFor();
  await tab.page.evaluate(() => document.querySelectorAll('details.json').forEach((one) => (one.open = true)));
  await tab.page.getByText('no_allow_rule').first().waitFor();
  const [download] = await Promise.all([tab.page.waitForEvent('download'), tab.page.getByRole('button', { name: 'Download proof' }).click()]);
  assert.match(download.suggestedFilename(), /^falconer-proof-\d+\.json$/);
  assert.ok(JSON.parse(readFileSync(await download.path(), 'utf8')));
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('a run is stepped through, with its pictures', async () => {
  const tab = await open('#/runs');
  await tab.page.getByRole('link', { name: 'looks' }).click();
  await tab.page.getByRole('heading', { name: 'Step 1 of 3' }).waitFor();
  await tab.page.getByText('reproduced').first().waitFor();
  const slider = tab.page.getByLabel('step');
  await slider.focus();
  await tab.page.keyboard.press('ArrowRight');
  await tab.page.getByRole('heading', { name: 'Step 2 of 3' }).waitFor();
  const picture = tab.page.locator('.picture canvas');
  await picture.waitFor();
  assert.ok(await picture.evaluate((canvas) => canvas.width > 400), 'the picture is drawn in its size');
  await tab.page.getByRole('button', { name: 'Next' }).click();
  await tab.page.getByText('refused: SECURITY_DOMAIN_BLOCK').waitFor();
  assert.equal(await tab.page.getByRole('button', { name: 'Next' }).isDisabled(), true);
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('the policy is shown and explains itself', async () => {
  const tab = await open('#/policy');
  await tab.page.getByText('buying').first().waitFor();
  await tab.page.getByLabel('address').fill('https://shop.example/');
  await tab.page.getByLabel('label of the element').fill('Buy now');
  await tab.page.getByLabel('action', { exact: true }).fill('click');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByText('rule "buying" asks for approval').first().waitFor();
  await tab.page.getByText('the label "Buy now" says purchase').first().waitFor();
  // Where nothing can be judged by what is really met, the rules answer all the same.
  await tab.page.getByLabel('label of the element').fill('');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByText('rule "work" allows').first().waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('quotas and load are drawn and written', async () => {
  const tab = await open('#/load');
  await tab.page.getByRole('img', { name: /actions in the last minute: \d+ of 120/ }).waitFor();
  await tab.page.getByRole('img', { name: /^running: \d+ of \d+/ }).waitFor();
  await tab.page.getByText(/control: \d+ events? waits?/).waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('an approval appears by itself and is told by the browser', async () => {
  const tab = await signedIn(house, 'approver', {}, '#/approvals', (page) => page.addInitScript(() => {
    window.notices = [];
    window.Notification = class { constructor(title, options) { window.notices.push(`${title}: ${options.body}`); } };
    window.Notification.permission = 'granted';
  }));
  await tab.page.getByText('Nothing waits for a decision.').waitFor();
  await tab.page.getByRole('status').getByText('live', { exact: true }).waitFor();
  const purchase = await holdPurchase(house, 'news');
  await cardOf(tab.page, 'news').waitFor();
  await tab.page.waitForFunction(() => window.notices.length === 1);
  assert.match(await tab.page.evaluate(() => window.notices[0]), /An approval waits: Buys something for 49.90 EUR/);
  assert.match(await tab.page.title(), /^\(1\) /);
  await deny(cardOf(tab.page, 'news'));
  await purchase.result;
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('a session is watched, taken over, driven by hand and handed back', async () => {
  await act(house, 'driven', { action_type: 'navigate', url: house.shop.url });
  const tab = await open('#/sessions/driven');
  const canvas = tab.page.getByRole('img', { name: 'Live view of driven' });
  await canvas.waitFor();
  assert.ok(await canvas.evaluate((one) => one.width > 300), 'a picture is drawn');

  await tab.page.getByLabel('Your name').fill('ann');
  await tab.page.getByRole('button', { name: 'Take over' }).click();
  await tab.page.getByText('driven by ann').waitFor();
  const refused = await act(house, 'driven', { action_type: 'click', selector: '#buy' });
  assert.equal(refused.failure.code, 'STALE_EPOCH');

  // The field "Name" begins at 3.5 % and ends at 15.7 % of the width of the page, as its state tells.
  const field = await fieldOf(house, 'driven', 'Name');
  const box = await canvas.boundingBox();
  await tab.page.mouse.click(box.x + field.x * box.width, box.y + field.y * box.height);
  await tab.page.getByRole('status').getByText('Done.').waitFor();
  await tab.page.getByLabel('text to type').fill('Zoe');
  await tab.page.keyboard.press('Enter');
  await tab.page.getByRole('row', { name: /textbox Name .*Zoe/ }).waitFor();
  // With the picture in focus the keyboard is the page's.
  await canvas.focus();
  await tab.page.keyboard.type('nn');
  await tab.page.getByRole('row', { name: /textbox Name .*Zoenn/ }).waitFor();

  await tab.page.getByRole('button', { name: 'Hand back' }).click();
  await tab.page.getByText('driven by its agent').waitFor();
  const carried = await act(house, 'driven', { action_type: 'screenshot' });
  assert.equal(carried.success, true, JSON.stringify(carried.failure));
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('a page is seen while its purchase is held, and says that it cannot be asked', async () => {
  await act(house, 'waits', { action_type: 'navigate', url: house.shop.url });
  const tab = await open('#/sessions/waits');
  const canvas = tab.page.getByRole('img', { name: 'Live view of waits' });
  await canvas.waitFor();
  const purchase = await holdPurchase(house, 'waits');
  await tab.page.evaluate(() => (location.hash = '#/approvals'));
  await cardOf(tab.page, 'waits').getByRole('link', { name: 'waits', exact: true }).click();
  await canvas.waitFor();
  await tab.page.getByText('waits for a decision').waitFor();

  const other = await open('#/sessions/waits');
  await other.page.getByRole('img', { name: 'Live view of waits' }).waitFor();
  await other.close();
  await tab.page.evaluate(() => (location.hash = '#/approvals'));
  await deny(cardOf(tab.page, 'waits'));
  await purchase.result;
  await tab.close();
});

test('that somebody else takes a session over is seen by itself', async () => {
  await act(house, 'elsewhere', { action_type: 'navigate', url: house.shop.url });
  const tab = await open('#/sessions/elsewhere');
  await tab.page.getByText('driven by its agent').waitFor();
  await tab.page.getByRole('status').getByText('live', { exact: true }).waitFor();
  const taken = await fetch(`${house.server.url}/v1/sessions/elsewhere/takeover`, {
    method: 'POST',
    headers: { authorization: `Bearer ${house.server.keys.operator}` },
    body: JSON.stringify({ person: 'bob' }),
  });
  assert.equal(taken.status, 200);
  await tab.page.getByText('driven by bob').waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

/** Where the middle of a field is, as shares of the page's window. */
async function fieldOf(house, workflow, name) {
  const answer = await fetch(`${house.server.url}/v1/sessions/${workflow}/state`, { headers: { authorization: `Bearer ${house.server.keys.viewer}` } });
  const [x, y, width, height] = (await answer.json()).elements.find((one) => one.name === name).bbox;
  return { x: x + width / 2, y: y + height / 2 };
}

test('a live view that cannot be shown says why', async () => {
  let socket;
  const tab = await signedIn(house, 'operator', {}, '#/sessions/looks', (page) => page.routeWebSocket(/\/stream\//, (one) => {
    socket = one;
    one.send(JSON.stringify({ type: 'status', state: 'no_page' }));
  }));
  await tab.page.getByText('No page is open.').waitFor();
  socket.send(Buffer.from([9, 9, 9, 9]));
  await tab.page.getByText('The live view cannot be read: frames of version 9 are not known here.').waitFor();
  await tab.close();
});

const kPlaces = ['#/overview', '#/approvals', '#/runs', '#/runs/looks', '#/ledger', '#/ledger/2', '#/sessions/looks', '#/policy', '#/load', '#/predict', '#/workflows', '#/workflows/again'];

test('every page fits a phone, and every text can be read, in both colours', async () => {
  const purchase = await holdPurchase(house, 'phone');
  for (const colorScheme of ['light', 'dark']) {
    const tab = await open('#/overview', { viewport: { width: 360, height: 740 }, colorScheme });
    for (const place of kPlaces) {
      await tab.page.evaluate((hash) => (location.hash = hash), place);
      await tab.page.waitForFunction(() => document.querySelector('h1') && !document.querySelector('[aria-busy="true"]'));
      await tab.page.evaluate(() => document.querySelectorAll('details').forEach((one) => (one.open = true)));
      const width = await tab.page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(width <= 360, `${place} is ${width} wide`);
      assert.deepEqual(await tab.page.evaluate(paleTexts), [], `${place} ${colorScheme}`);
      assert.deepEqual(await tab.page.evaluate(namelessControls), [], place);
    }
    assert.deepEqual(tab.troubles, []);
    await tab.close();
  }
  const tab = await open('#/approvals');
  await deny(cardOf(tab.page, 'phone'));
  await purchase.result;
  await tab.close();
});

/** In the page: texts whose contrast is below 4.5 to 1. */
function paleTexts() {
  const channel = (value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
  const parse = (text) => {
    const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
    return { r, g, b, a };
  };
  const light = ({ r, g, b }) => 0.2126 * channel(r / 255) + 0.7152 * channel(g / 255) + 0.0722 * channel(b / 255);
  const groundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return { r: 255, g: 255, b: 255 };
  };
  const pale = [];
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
    if (!hasText || !element.checkVisibility() || element.matches(':disabled, noscript, option')) continue;
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(groundOf(element))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) pale.push(`${element.tagName}.${element.className} "${element.textContent.trim().slice(0, 30)}" ${contrast.toFixed(2)}`);
  }
  return [...new Set(pale)];
}

/** In the page: what can be used and has no name for those who hear it. */
function namelessControls() {
  const controls = [...document.querySelectorAll('button, a[href], input, select, summary, [role=img]')].filter((one) => one.checkVisibility());
  return controls.filter((one) => !(one.getAttribute('aria-label') || one.labels?.length || one.textContent.trim())).map((one) => one.outerHTML.slice(0, 80));
}
