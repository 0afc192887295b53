// What a picture costs that many get: with one viewer and with many, what the server worked for each picture that
// it sent, how many it made, and what it holds.

import { setTimeout as pause } from 'node:timers/promises';

import { Clicker } from './clicker.mjs';
import { Crowd } from './crowd.mjs';
import { FalconerServer } from '../common/falconer_server.mjs';

const kSession = 'show';
const kWarmMillis = 2000;

async function reading(server, crowd) {
  const viewers = await crowd.viewers();
  const sum = field => viewers.reduce((all, one) => all + one[field], 0);
  const { frames, dropped } = await server.get(`/stream/${kSession}/status`);
  return { cpu: server.cpuMillis(), made: frames, dropped, sent: sum('frames'), differing: sum('differing') };
}

function note(name, before, after, seconds, figures) {
  const made = after.made - before.made;
  const sent = after.sent - before.sent;
  if (made === 0 || sent === 0) throw new Error(`${made} pictures were made, ${sent} sent`);
  figures.add(name, 'frame_cpu_us', (after.cpu - before.cpu) * 1000 / sent);
  figures.add(name, 'frames_made_per_second', made / seconds);
  figures.add(name, 'copies_per_frame', sent / made);
  figures.add(name, 'copies_differing', after.differing);
  figures.add(name, 'copies_dropped', after.dropped - before.dropped);
}

async function watch(server, name, viewers, settings, figures) {
  const at = { url: server.url, key: server.keys.viewer, session: kSession };
  const crowd = await Crowd.gather(at, { viewers });
  await pause(kWarmMillis);
  const before = await reading(server, crowd);
  const start = performance.now();
  await pause(settings.copySeconds * 1000);
  const after = await reading(server, crowd);
  note(name, before, after, (performance.now() - start) / 1000, figures);
  figures.add(name, 'watched_memory_mib', server.memory());
  await crowd.end();
}

export async function measureCopies(settings, site, figures) {
  const server = new FalconerServer(settings, ['stream.enabled=true']);
  await figures.attempt('copies', async () => {
    await server.start();
    const clicker = new Clicker(await server.connect(), site, figures, { session: kSession });
    await clicker.open('show');
    await watch(server, '1 viewer', 1, settings, figures);
    await watch(server, 'many viewers', settings.viewers, settings, figures);
  });
  await figures.attempt('copies', () => server.stop());
}
