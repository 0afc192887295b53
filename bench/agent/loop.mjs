// What a step of the loop costs beside the model and the page: the whole time of a run, less the time in which the
// model was asked, less what the browser took, as the program's own spans tell it.

import { Collector, partsOf } from '../common/collector.mjs';
import { falconerRef } from '../common/falconer.mjs';
import { call } from '../common/scripted_model.mjs';
import { kButton, Site } from '../serve/site.mjs';
import { AgentServer } from './agent_server.mjs';

const kSteps = 40;
const kMost = { of: 'value', atMost: 3 };

// Opens the counter and clicks it, again and again.
function* clickOn(url) {
  for (;;) {
    const target = falconerRef(yield call('browser_navigate', { url }), kButton);
    for (let step = 1; step < kSteps; ++step) yield call('browser_click', { target });
    yield `clicked ${kSteps - 1} times`;
  }
}

const sum = numbers => numbers.reduce((all, one) => all + one, 0);

async function measureRun(server, collector, figures) {
  const started = performance.now();
  await server.run('Click.');
  const whole = performance.now() - started;
  const { turn, driver } = partsOf(await collector.takeAll(kSteps));
  const model = sum(server.model.busy.splice(0));
  figures.add('falconer', 'step_ms', whole / kSteps);
  figures.add('falconer', 'model_ms', model / kSteps);
  figures.add('falconer', 'overhead_ms', (whole - model - driver) / kSteps);
  figures.add('falconer', 'over_turn_ms', (whole - model - turn) / kSteps);
}

export async function loopFigures(settings, figures) {
  const site = await Site.start();
  const collector = await Collector.start();
  const { url } = site.open('counter');
  const server = await AgentServer.open(settings, () => clickOn(url), [`telemetry.otlp_endpoint=${collector.url}`]);
  await figures.attempt('falconer', async () => {
    for (let done = 0; done < settings.samples; done += kSteps) await measureRun(server, collector, figures);
  });
  await figures.attempt('falconer', () => server.stop());
  await collector.stop();
  await site.stop();
  const row = (name, figure, aim) => ({ name, value: figures.median('falconer', figure), unit: 'ms', aim });
  return [row('loop_overhead_per_step', 'overhead_ms', kMost), row('loop_over_turn_per_step', 'over_turn_ms'),
    row('model_per_step', 'model_ms'), row('step', 'step_ms')];
}
