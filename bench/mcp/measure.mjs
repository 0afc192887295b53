// The measurements. Contestants take turns, so that whatever slows the machine down slows all of them down; an
// effect counts only if the site confirms it and the contestant's own answer shows it.
//
// A contestant is one server with one session. Beside what each has (common/contestant.mjs) it has
//
//   navigate(url)                one call; its answer
//   look()                       what is on the page now; its answer
//   order(url, transcript)       the ten steps of the form; the answer to the submit. Every call is in the transcript
//   prepareClicks(url)           opens the form and finds the counter's button
//   clickAndSee()                clicks it and returns what shows the effect
//   client, or openProtocol()    its MCP client; where the work is done in another way, how to get one

import { countText, kFields } from './site.mjs';
import { Transcript } from './transcript.mjs';

const kSettleMillis = 1000;

// Runs have short names of one length: they stand in addresses, and addresses cost tokens.
let runs = 100;
function nextRun() {
  return `r${++runs}`;
}

async function timed(work) {
  const start = performance.now();
  const result = await work();
  return { millis: performance.now() - start, result };
}

// Why an order is not what was asked for, or nothing.
function faultOf(orders, answer) {
  if (orders.length !== 1) return `the site took ${orders.length} orders`;
  const wrong = kFields.find(({ name, value }) => orders[0].fields[name] !== value);
  if (wrong) return `"${wrong.label}" arrived as ${JSON.stringify(orders[0].fields[wrong.name])}`;
  return answer.includes(orders[0].confirmation) ? '' : 'the answer does not show the confirmation';
}

async function orderOnce(contestant, site, figures) {
  const run = nextRun();
  const transcript = new Transcript();
  const { millis, result } = await timed(() => contestant.order(site.orderUrl(run), transcript));
  const fault = faultOf(site.orders(run), result);
  if (fault) return figures.missed.push(`${contestant.name}: ${fault}`);
  figures.add(contestant.name, 'form_ms', millis);
  for (const figure of ['calls', 'callTokens', 'resultTokens', 'contextSum']) {
    figures.add(contestant.name, figure, transcript[figure]);
  }
}

// The ten steps, from the first navigate to the confirmation.
export async function measureForm(contestants, site, rounds, figures) {
  for (let round = 0; round < rounds; ++round) {
    for (const contestant of contestants) {
      await figures.attempt(contestant.name, () => orderOnce(contestant, site, figures));
    }
  }
}

async function clickBlock(contestant, site, count, figures) {
  const run = nextRun();
  await contestant.prepareClicks(site.orderUrl(run));
  for (let click = 1; click <= count; ++click) {
    const { millis, result } = await timed(() => contestant.clickAndSee());
    if (result.includes(countText(click))) figures.add(contestant.name, 'click_ms', millis);
    else figures.missed.push(`${contestant.name}: the answer does not show click ${click}: ${result.slice(0, 200)}`);
  }
  await contestant.navigate(site.blankUrl);
  const counted = await site.tally(run);
  if (counted !== count) figures.missed.push(`${contestant.name}: the page counted ${counted} of ${count} clicks`);
}

// A click and what it changed, in blocks.
export async function measureClicks(contestants, site, { samples, block }, figures) {
  for (let done = 0; done < samples; done += block) {
    for (const contestant of contestants) {
      const count = Math.min(block, samples - done);
      await figures.attempt(contestant.name, () => clickBlock(contestant, site, count, figures));
    }
  }
}

async function startOnce(contestant, url, figures) {
  const start = performance.now();
  await contestant.start();
  if (contestant.client) figures.add(contestant.name, 'initialize_ms', performance.now() - start);
  await contestant.navigate(url);
  figures.add(contestant.name, 'first_navigate_ms', performance.now() - start);
}

// The MCP server of a contestant that is used by its command line otherwise.
async function protocolOnce(contestant, figures) {
  const { millis, result: client } = await timed(() => contestant.openProtocol());
  figures.add(contestant.name, 'initialize_ms', millis);
  await client.stop();
}

// From nothing: the process, the first answer of the protocol, the answer to the first navigate.
export async function measureStart(makers, site, rounds, figures) {
  for (let round = 0; round < rounds; ++round) {
    for (const make of makers) {
      const contestant = make();
      await figures.attempt(contestant.name, () => startOnce(contestant, site.orderUrl(nextRun()), figures));
      if (contestant.openProtocol) {
        await figures.attempt(contestant.name, () => protocolOnce(contestant, figures));
      }
      await figures.attempt(contestant.name, () => contestant.stop());
    }
  }
}

async function holdOnce(contestant, url, figures) {
  await contestant.start();
  await contestant.navigate(url);
  await contestant.look();
  await new Promise(resolve => setTimeout(resolve, kSettleMillis));
  figures.add(contestant.name, 'memory_mib', contestant.memory());
  const client = contestant.client ?? await contestant.openProtocol();
  figures.add(contestant.name, 'schema_bytes', Buffer.byteLength(JSON.stringify(await client.listTools())));
  if (client !== contestant.client) await client.stop();
}

// A server with one session that has read one page, and what its tools cost to describe.
export async function measureHold(makers, site, figures) {
  for (const make of makers) {
    const contestant = make();
    await figures.attempt(contestant.name, () => holdOnce(contestant, site.orderUrl(nextRun()), figures));
    await figures.attempt(contestant.name, () => contestant.stop());
  }
}
