// Playwright as a contestant: one JSON command per line on stdin, one JSON answer per line on stdout.
// Each command does one operation, measures it here, and succeeds only when the page confirmed it.
// The end of stdin ends the browser and this process.

import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';

const kActionsPerCycle = 4;
const kFailuresToStop = 5;
const kAnnouncements = ['load', 'fill', 'click'];
const kSettleMillis = 2000;

let browser = null;
let sessions = [];
const announced = new Set();

async function timed(operation) {
  const start = process.hrtime.bigint();
  const result = await operation();
  return { nanos: Number(process.hrtime.bigint() - start), result };
}

function requireMarks(reading, marks) {
  for (const mark of marks) {
    if (!reading.includes(mark)) throw new Error(`the reading does not show "${mark}"`);
  }
}

function require(condition, why) {
  if (!condition) throw new Error(why);
}

// Playwright appends its whole log to the message.
function firstLine(error) {
  return String(error.message).split('\n')[0];
}

async function openPage() {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.evaluate('1');
  return { context, page };
}

async function click(page) {
  const before = await page.evaluate('bench.clicks');
  const { nanos, result } = await timed(async () => {
    await page.locator('#increment').click();
    return page.evaluate('bench.clicks');
  });
  require(result === before + 1, 'the page counted no click');
  return nanos;
}

async function fill(page, field, text) {
  const { nanos, result } = await timed(async () => {
    await page.locator(`#${field}`).fill(text);
    return page.evaluate(name => window.bench.inputs[name], field);
  });
  require(result === text, 'the page saw another text');
  return nanos;
}

async function read(page, marks) {
  const { nanos, result } = await timed(() => page.ariaSnapshot({ mode: 'ai' }));
  requireMarks(result, marks);
  return { nanos, bytes: Buffer.byteLength(result) };
}

async function cycle(page, origin, nonce, field) {
  await page.goto(`${origin}/form?announce=1&n=${nonce}`);
  requireMarks(await page.ariaSnapshot({ mode: 'ai' }), [`Mark ${nonce}`, 'Increment']);
  await fill(page, field, nonce);
  await page.locator('#increment').click();
  require(await page.evaluate('bench.clicks') === 1, 'the page counted no click');
}

async function repeat(session, plan, end) {
  const run = { nonces: [], failed: 0, first_failure: '' };
  for (let i = 0; performance.now() < end && run.failed < kFailuresToStop; ++i) {
    const nonce = `${plan.label}s${session}c${i}`;
    try {
      await cycle(sessions[session].page, plan.origin, nonce, `field${i % 7}`);
      run.nonces.push(nonce);
    } catch (error) {
      if (run.failed++ === 0) run.first_failure = firstLine(error);
    }
  }
  return run;
}

function countLost(nonces) {
  return nonces.flatMap(nonce => kAnnouncements.map(kind => `bench ${nonce} ${kind}`))
      .filter(text => !announced.has(text)).length;
}

// Console events are delivered after the answers they precede, so the last ones get a moment.
async function settleLost(nonces) {
  const end = performance.now() + kSettleMillis;
  while (countLost(nonces) > 0 && performance.now() < end) {
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  return countLost(nonces);
}

const commands = {
  async launch({ binary, switches, url, nonce }) {
    const { nanos } = await timed(async () => {
      browser = await chromium.launch({ executablePath: binary, args: switches });
      sessions = [await openPage()];
      await sessions[0].page.goto(url);
    });
    require(await sessions[0].page.evaluate('bench.nonce') === nonce, 'another page is loaded');
    return { nanos };
  },

  async shut() {
    await browser?.close();
    browser = null;
    sessions = [];
    return {};
  },

  async open_session() {
    const { nanos, result } = await timed(openPage);
    sessions.push(result);
    return { nanos };
  },

  async close_session() {
    await sessions.pop().context.close();
    return {};
  },

  async navigate({ session, url, nonce }) {
    const { page } = sessions[session];
    const { nanos } = await timed(() => page.goto(url));
    require(await page.evaluate('bench.nonce') === nonce, 'another page is loaded');
    return { nanos };
  },

  async click({ session }) {
    return { nanos: await click(sessions[session].page) };
  },

  async fill({ session, field, text }) {
    return { nanos: await fill(sessions[session].page, field, text) };
  },

  async read_state({ session, marks }) {
    return read(sessions[session].page, marks);
  },

  async read_delta({ session, token }) {
    const { page } = sessions[session];
    await page.evaluate(text => window.bench.change(text), token);
    return read(page, [token]);
  },

  async screenshot({ session }) {
    const { nanos, result } = await timed(() => sessions[session].page.screenshot());
    require(result.subarray(1, 4).toString() === 'PNG', 'the screenshot is not a PNG');
    return { nanos, bytes: result.length };
  },

  async run_cycles(plan) {
    while (sessions.length < plan.sessions) sessions.push(await openPage());
    for (const { page } of sessions) {
      page.removeAllListeners('console');
      page.on('console', message => announced.add(message.text()));
    }
    const start = performance.now();
    const end = start + plan.millis;
    const runs = await Promise.all(sessions.slice(0, plan.sessions)
        .map((_, session) => repeat(session, plan, end)));
    const nanos = Math.round((performance.now() - start) * 1e6);
    const nonces = runs.flatMap(run => run.nonces);
    return {
      nanos,
      actions: nonces.length * kActionsPerCycle,
      failed: runs.reduce((sum, run) => sum + run.failed, 0),
      lost_events: await settleLost(nonces),
      first_failure: runs.find(run => run.failed > 0)?.first_failure ?? '',
    };
  },
};

async function answer(line) {
  try {
    const { op, ...args } = JSON.parse(line);
    require(Object.hasOwn(commands, op), `unknown command ${op}`);
    return { ok: true, ...await commands[op](args) };
  } catch (error) {
    return { ok: false, error: firstLine(error) };
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(JSON.stringify(await answer(line)) + '\n');
}
await browser?.close();
process.exit(0);
