// What a call costs beyond what the program itself spends: its whole time as its caller sees it, less the time of the
// turn, or of the driver alone, as the program's own spans tell it. Over HTTP and over stdio, in turns.

import { Clicker } from './clicker.mjs';
import { Collector, newTrace, partsOf } from '../common/collector.mjs';
import { FalconerServer } from '../common/falconer_server.mjs';
import { StdioFalconer } from './stdio_falconer.mjs';

const kSession = 'calls';

// Makes one kind of call; it is kept with its trace until its spans are there.
async function callOnce(kind, call, made) {
  const trace = newTrace();
  const done = await call(trace.parent);
  if (done) made.push({ kind, trace: trace.id, millis: done.millis });
}

async function note(name, { kind, trace, millis }, collector, figures) {
  const parts = partsOf(await collector.spansOf(trace));
  figures.add(name, `${kind}_ms`, millis);
  figures.add(name, `${kind}_over_turn_ms`, millis - parts.turn);
  figures.add(name, `${kind}_over_driver_ms`, millis - parts.driver);
  for (const [part, spent] of Object.entries(parts)) figures.add(name, `${kind}_${part}_ms`, spent);
}

async function ping(name, client, figures) {
  const start = performance.now();
  await client.request('ping', {});
  figures.add(name, 'ping_ms', performance.now() - start);
}

async function measureBlock({ name, client }, { site, collector, figures }, count) {
  const clicker = new Clicker(client, site, figures, { session: kSession });
  const made = [];
  await clicker.open('counter');
  for (let i = 0; i < count; ++i) {
    await callOnce('click', trace => clicker.click(trace), made);
    await callOnce('read', trace => clicker.read(trace), made);
    await ping(name, client, figures);
  }
  await clicker.leave();
  for (const call of made) await note(name, call, collector, figures);
}

export async function measureCalls(settings, site, figures) {
  const collector = await Collector.start();
  const exportTo = [`telemetry.otlp_endpoint=${collector.url}`];
  const contestants = [FalconerServer, StdioFalconer].map(Kind => new Kind(settings, exportTo));
  await figures.attempt('calls', async () => {
    const ready = [];
    for (const contestant of contestants) {
      await contestant.start();
      ready.push({ name: contestant.name, client: await contestant.connect() });
    }
    for (let done = 0; done < settings.samples; done += settings.block) {
      const count = Math.min(settings.block, settings.samples - done);
      for (const one of ready) await measureBlock(one, { site, collector, figures }, count);
    }
  });
  for (const contestant of contestants) await figures.attempt(contestant.name, () => contestant.stop());
  await collector.stop();
}
