// What was learnt, in the console: the graph of transitions, workflows, their runs and their documents.
import assert from 'node:assert/strict';
import test, { after, before } from 'node:test';
import { act, kPatience, openHouse, signedIn } from './harness.mjs';

const manyTransitions = () => {
  const symbol = (at) => at.toString(16).padStart(16, '0');
  const signature = (at) => (at === 0 ? '' : JSON.stringify({ selector: `link "Article number ${at} with a long name"`, type: 'click' }));
  const edge = (from, to, count) => ({ from: signature(from), to: signature(to), from_symbol: symbol(from), to_symbol: symbol(to), count, probability: 0.25 });
  const list = [];
  for (let at = 0; at < 500; at += 1) list.push(edge(at, (at + 1) % 500, 1000 - at), edge(at, (at * 7) % 499 + 1, 1));
  return list;
};

let house;
before(async () => {
  house = await openHouse();
  for (const [workflow, selectors] of [['one', ['#buy-not', 'label="Name"']], ['two', ['label="Name"', 'label="Total"']]]) {
    await act(house, workflow, { action_type: 'navigate', url: house.shop.url });
    for (const [step, selector] of selectors.entries())
      await act(house, workflow, { action_type: 'click', selector }, { run_id: 'r', step_index: step + 1, timeout: { bind_ms: 500 } });
  }
  await put('greet', documentOf('Say a name'));
}, { timeout: kPatience });
after(() => house?.stop(), { timeout: kPatience });

const documentOf = (about) => `
name: greet
about: ${about}
recordings: 3
parameters:
  - {name: who, about: field Name}
  - {name: note, default: nothing}
steps:
  - id: open
    intent: open the checkout
    recordings: 3
    contract: {action_spec: {action_type: navigate, url: "${house.shop.url}"}}
  - id: name
    intent: type {who} into textbox "Name"
    recordings: 2
    contract:
      action_spec: {action_type: fill, selector: 'label="Name"', text: "{who}"}
      verification_rules:
        - {rule_type: property_state, selector: 'label="Name"', property: value.length, matches: "^[1-9]"}
    healed:
      - {selector: 'label="Name"', instead_of: "#old-name", turn: s1.t1, at_ms: 1790000000000, score: 0.82, margin: 0.31, ranker: falconer-rank-1}
`;

async function put(name, yaml) {
  const answer = await fetch(`${house.server.url}/v1/workflows/${name}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${house.server.keys.operator}`, 'content-type': 'application/yaml' },
    body: yaml,
  });
  assert.equal(answer.status, 200, await answer.text());
}

const open = (place, role = 'operator', options = {}, prepare = undefined) => signedIn(house, role, options, place, prepare);

test('what follows on what is walked by keyboard, and the address says where one is', async () => {
  const tab = await open('#/predict');
  const graph = tab.page.getByRole('group', { name: 'what follows on what' });
  await graph.getByRole('link', { name: /^begin, in the middle/ }).waitFor();
  const next = graph.getByRole('link', { name: /^navigate .*, put it into the middle/ });
  await next.first().focus();
  await tab.page.keyboard.press('Enter');
  await graph.getByRole('link', { name: /^navigate .*, in the middle/ }).waitFor();
  assert.match(await tab.page.evaluate(() => location.hash), /^#\/predict\?at=[0-9a-f]{16}&depth=2&most=5$/);
  assert.match(await tab.page.evaluate(() => document.activeElement.getAttribute('aria-label')), /^navigate .*in the middle/, 'the focus stays in the graph');
  await tab.page.getByRole('heading', { name: /^In the middle: navigate/ }).waitFor();
  await tab.page.goBack();
  await graph.getByRole('link', { name: /^begin, in the middle/ }).waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('of hundreds of actions only the neighbourhood is drawn, and any is found by its words', async () => {
  const prepare = (page) => page.route('**/transitions/top?*', (route) => route.fulfill({ json: { transitions: manyTransitions() } }));
  const tab = await open('#/predict', 'viewer', {}, prepare);
  const links = tab.page.locator('.graph a');
  await links.first().waitFor();
  await tab.page.getByText('501 actions are known here').waitFor();
  assert.ok((await links.count()) < 40, `${await links.count()} are drawn`);
  await tab.page.getByLabel('steps to each side').selectOption('1');
  await tab.page.getByLabel('find an action').fill('number 321 ');
  await tab.page.locator('.finder').getByRole('link', { name: /number 321 / }).click();
  await tab.page.getByRole('heading', { name: /^In the middle: click link "Article number 321 / }).waitFor();
  await tab.page.getByLabel('find an action').fill('nothing of the kind');
  await tab.page.getByText('No action says that.').waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('the numbers of the loop are shown to those who may see them', async () => {
  const tab = await open('#/predict', 'viewer');
  await tab.page.getByText('unsafe filtered').waitFor();
  await tab.page.getByLabel('session').selectOption('two');
  await tab.page.getByText(/would do (the first|nothing)/).waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
  const agent = await open('#/predict', 'agent');
  await agent.page.getByText('This key may not see the numbers of the prediction loop.').waitFor();
  await agent.close();
});

test('a workflow is shown with its parameters, its steps and what was healed', async () => {
  const tab = await open('#/workflows', 'viewer');
  await tab.page.getByRole('link', { name: 'greet' }).click();
  await tab.page.getByRole('heading', { name: 'Workflow greet' }).waitFor();
  await tab.page.getByRole('row', { name: /who field Name must be given/ }).waitFor();
  const step = tab.page.locator('.steps > li').filter({ hasText: 'textbox "Name"' });
  await step.getByRole('img', { name: /type \{who\} into textbox "Name": \d+ % sure/ }).waitFor();
  await step.getByText('in 2 of 3 recordings').waitFor();
  await step.getByText('Details of name').click();
  await step.getByText('#old-name').waitFor();
  await step.getByText('0.82, ahead by 0.31').waitFor();
  await tab.page.getByText('As YAML').click();
  await tab.page.locator('pre').getByText('name: greet').waitFor();
  assert.equal(await tab.page.getByRole('button', { name: 'Run', exact: true }).count(), 0, 'who may only look runs nothing');
  assert.equal(await tab.page.getByRole('textbox').count(), 0);
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('a run is begun with its values, and its steps are seen as they happen', async () => {
  const tab = await open('#/workflows/greet');
  await tab.page.getByRole('textbox', { name: 'who' }).fill('Ann Example');
  await tab.page.getByRole('textbox', { name: 'session' }).fill('by-form');
  await tab.page.getByRole('button', { name: 'Run', exact: true }).click();
  await tab.page.getByText('completed').waitFor();
  const steps = tab.page.locator('ol.rows > li');
  assert.equal(await steps.count(), 2);
  await steps.filter({ hasText: 'executed' }).first().waitFor();
  await tab.page.getByRole('link', { name: 'by-form' }).click();
  await tab.page.getByRole('row', { name: /textbox Name .*Ann Example/ }).waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('a run that is only told does nothing', async () => {
  const tab = await open('#/workflows/greet');
  await tab.page.getByRole('textbox', { name: 'who' }).fill('Ann');
  await tab.page.getByRole('textbox', { name: 'session' }).fill('only-told');
  await tab.page.getByLabel('only tell what it would do').check();
  await tab.page.getByRole('button', { name: 'Run', exact: true }).click();
  await tab.page.getByText('would execute').first().waitFor();
  assert.equal(await tab.page.getByRole('link', { name: 'its turn' }).count(), 0);
  await tab.close();
});

test('a document is edited, refused where it is wrong, and saved as the next version', async () => {
  await put('edited', documentOf('first').replace('name: greet', 'name: edited'));
  const tab = await open('#/workflows/edited');
  await tab.page.getByText('As YAML').click();
  const text = tab.page.getByLabel('document of edited');
  const yaml = await text.inputValue();
  await text.fill(`${yaml}surprise: 1\n`);
  await tab.page.getByRole('button', { name: 'Save as next version' }).click();
  await tab.page.getByRole('alert').getByText('surprise').waitFor();
  await text.fill(yaml.replace('first', 'second'));
  await tab.page.getByRole('button', { name: 'Save as next version' }).click();
  await tab.page.getByRole('status').getByText('Saved as version 2.').waitFor();
  await tab.page.getByRole('heading', { name: 'second' }).waitFor();
  await tab.page.getByRole('button', { name: 'Forget this workflow…' }).click();
  await tab.page.getByRole('button', { name: 'Keep it' }).click();
  await tab.page.getByRole('button', { name: 'Forget this workflow…' }).click();
  await tab.page.getByRole('button', { name: 'Forget it' }).click();
  await tab.page.getByRole('heading', { name: 'Workflows', exact: true }).waitFor();
  await tab.page.getByRole('link', { name: 'greet' }).waitFor();
  assert.equal(await tab.page.getByRole('link', { name: 'edited' }).count(), 0);
  await tab.close();
});

test('a recording is begun and forgotten in the console', async () => {
  const tab = await open('#/workflows');
  await tab.page.getByLabel('workflow to learn').fill('seen-here');
  await tab.page.getByRole('button', { name: 'Begin a recording' }).click();
  await tab.page.getByText('seen-here in the session').waitFor();
  await tab.page.getByRole('button', { name: 'Forget', exact: true }).click();
  await tab.page.getByText('None is under way.').waitFor();
  assert.deepEqual(tab.troubles, []);
  await tab.close();
});

test('both pages are whole on a narrow screen', async () => {
  for (const [place, heading] of [['#/predict', 'Predict'], ['#/workflows/greet', 'Workflow greet']]) {
    const tab = await open(place, 'operator', { viewport: { width: 360, height: 740 } });
    await tab.page.getByRole('heading', { name: heading }).waitFor();
    await tab.page.locator('.panel').nth(2).waitFor();
    const over = await tab.page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(over <= 0, `${place} is ${over} px too wide`);
    await tab.close();
  }
});
