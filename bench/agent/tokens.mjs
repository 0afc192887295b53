// How much a model has to read in each step of a task: the loop's own requests, as they came to the model, against a
// loop with the same words, tools and calls whose every answer is the page's whole aria snapshot.
//
// The other loop is counted twice: as clients of MCP do it, who keep every answer, and as a frugal one would, who keeps
// the newest snapshot alone.

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { chromium } from 'playwright-core';

import { kNeedsNoSandbox } from '../common/contestant.mjs';
import { call } from '../common/scripted_model.mjs';
import { AgentServer } from './agent_server.mjs';
import { kGoods, MarketSite } from './market_site.mjs';

const kThird = { of: 'ratio', atMost: 1 / 3 };
const kChosen = [3, 17, 31, 45, 52, 58].map(number => kGoods[number].name);

// Puts some goods into the basket, one by one, and looks whether all are there.
function* shopFor(url) {
  yield call('browser_navigate', { url });
  for (const name of kChosen) yield call('browser_click', { target: `role=button[name="Add ${name}"]` });
  yield call('browser_click', { target: 'role=button[name="Basket"]' });
  return 'done';
}

const textOf = ({ content }) =>
    typeof content === 'string' ? content : (content ?? []).map(part => part.text ?? '').join('\n');
const tokensOf = ({ messages, tools }) =>
    countTokens(JSON.stringify(tools ?? [])) +
    messages.reduce((all, message) => all + countTokens(textOf(message) + JSON.stringify(message.tool_calls ?? '')), 0);

// The snapshot after each step of the same task.
async function snapshotsOf(url, executablePath) {
  const browser = await chromium.launch({ executablePath, chromiumSandbox: !kNeedsNoSandbox });
  const page = await browser.newPage();
  const snapshots = [];
  const look = async () => snapshots.push(countTokens(await page.locator('body').ariaSnapshot({ mode: 'ai' })));
  await page.goto(url);
  await look();
  for (const name of kChosen) {
    await page.getByRole('button', { name: `Add ${name}`, exact: true }).click();
    await look();
  }
  await page.getByText('Basket', { exact: true }).click();
  await look();
  await browser.close();
  return snapshots;
}

// What the other loop sends with each request: `frame` is what all requests have in common.
function otherLoop(frame, callTokens, snapshots, figures) {
  let kept = 0;
  figures.add('aria snapshots', 'request_tokens', frame);
  snapshots.forEach((snapshot, step) => {
    kept += callTokens + snapshot;
    figures.add('aria snapshots', 'request_tokens', frame + kept);
    figures.add('newest aria snapshot', 'request_tokens', frame + callTokens * (step + 1) + snapshot);
  });
  figures.add('newest aria snapshot', 'request_tokens', frame);
}

function mean(figures, name, requests) {
  return figures.total(name, 'request_tokens') / requests;
}

export async function tokenFigures(settings, figures) {
  const site = await MarketSite.start();
  const server = await AgentServer.open(settings, () => shopFor(site.url));
  let requests = 0;
  await figures.attempt('falconer', async () => {
    await server.run('Put the goods on my list into the basket.');
    requests = server.model.requests.length;
    for (const request of server.model.requests) figures.add('falconer', 'request_tokens', tokensOf(request));
    const frame = tokensOf(server.model.requests[0]);
    const calls = JSON.stringify(server.model.requests.at(-1).messages.flatMap(({ tool_calls }) => tool_calls ?? []).at(-1));
    otherLoop(frame, countTokens(calls), await snapshotsOf(site.url, settings.chromium), figures);
  });
  await figures.attempt('falconer', () => server.stop());
  await site.stop();
  const value = mean(figures, 'falconer', requests);
  const row = (name, against, aim) =>
      ({ name, value, unit: 'tokens', baseline: { name: against, value: mean(figures, against, requests) }, aim });
  return [row('tokens_per_step', 'aria snapshots', kThird), row('tokens_per_step_vs_newest', 'newest aria snapshot')];
}
