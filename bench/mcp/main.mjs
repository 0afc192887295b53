// The MCP benchmark: what it costs an agent to work through Falconer, beside Playwright MCP and agent-browser.

import { Figures } from '../common/figures.mjs';
import { conclude, runProgram } from '../common/program.mjs';
import { formatGrid } from '../common/report.mjs';
import { AgentBrowserBatchContestant, AgentBrowserContestant } from './agent_browser_contestant.mjs';
import { FalconerContestant } from './falconer_contestant.mjs';
import { measureClicks, measureForm, measureHold, measureStart } from './measure.mjs';
import { PlaywrightContestant } from './playwright_contestant.mjs';
import { makeRows } from './rows.mjs';
import { kUsage, readSettings } from './settings.mjs';
import { Site } from './site.mjs';

const kSubject = 'falconer';
const kPeers = ['playwright-mcp', 'agent-browser', 'agent-browser-batch'];
const kOverview = [
  ['context sum', 'contextSum'], ['calls', 'calls'], ['result tokens', 'resultTokens'], ['form ms', 'form_ms'],
  ['click ms', 'click_ms'], ['initialize ms', 'initialize_ms'], ['first navigate ms', 'first_navigate_ms'],
  ['schema bytes', 'schema_bytes'], ['memory MiB', 'memory_mib'],
];

// A contestant that could not start takes no part in what follows.
async function startAll(makers, figures) {
  const started = [];
  for (const make of makers) {
    const contestant = make();
    const failures = figures.failed.length;
    await figures.attempt(contestant.name, () => contestant.start());
    if (figures.failed.length === failures) started.push(contestant);
    else await figures.attempt(contestant.name, () => contestant.stop());
  }
  return started;
}

async function stopAll(contestants, figures) {
  for (const contestant of contestants) await figures.attempt(contestant.name, () => contestant.stop());
}

async function measureWork(contestants, settings, site, figures) {
  if (settings.parts.includes('form')) await measureForm(contestants, site, settings.formRounds, figures);
  if (!settings.parts.includes('click')) return;
  const clickers = contestants.filter(contestant => !(contestant instanceof AgentBrowserBatchContestant));
  await measureClicks(clickers, site, settings, figures);
  for (const contestant of clickers) {
    await figures.attempt(contestant.name,
        () => figures.add(contestant.name, 'memory_after_mib', contestant.memory()));
  }
}

async function measureAll(settings, site, figures) {
  const [batch, ...makers] =
      [AgentBrowserBatchContestant, FalconerContestant, PlaywrightContestant, AgentBrowserContestant]
          .map(Kind => () => new Kind(settings));
  const wants = part => settings.parts.includes(part);
  if (wants('start')) await measureStart(makers, site, settings.startRounds, figures);
  if (wants('hold')) await measureHold(makers, site, figures);
  if (!wants('form') && !wants('click')) return;
  // These servers stay up; the two ways of agent-browser differ only in the form.
  const contestants = await startAll(wants('form') ? [...makers, batch] : makers, figures);
  await measureWork(contestants, settings, site, figures);
  await stopAll(contestants, figures);
}

function overview(figures) {
  const cell = value => value === undefined ? '-' : value.toFixed(value >= 100 ? 0 : 1);
  return formatGrid([
    ['contestant', ...kOverview.map(([title]) => title)],
    ...[kSubject, ...kPeers].map(name => [name, ...kOverview.map(([, figure]) => cell(figures.median(name, figure)))]),
  ]);
}

async function measure(settings) {
  const site = await Site.start();
  const figures = new Figures();
  await measureAll(settings, site, figures);
  await site.stop();
  process.stdout.write(`${overview(figures)}\n`);
  return conclude(settings, makeRows(figures, { subject: kSubject, peers: kPeers, parts: settings.parts }), figures);
}

await runProgram({ usage: kUsage, readSettings, measure });
