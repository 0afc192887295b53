// How late a session's control events come to those who listen, while its page never stands still and an agent acts:
// to one listener, to a crowd with viewers beside it, and, for what the crowd itself costs, from a server that does
// nothing else.

import { setTimeout as pause } from 'node:timers/promises';

import { BareServer } from './bare_server.mjs';
import { Clicker } from './clicker.mjs';
import { judgeControl } from './control_events.mjs';
import { Crowd } from './crowd.mjs';
import { FalconerServer } from '../common/falconer_server.mjs';

const kSession = 'show';
const kThinkMillis = 50;
// Until what is on its way has come.
const kSettleMillis = 1000;
const kStreaming = ['stream.enabled=true'];

async function act(clicker, turns) {
  for (let turn = 0; turn < turns; ++turn) {
    await clicker.click();
    await pause(kThinkMillis);
  }
  await pause(kSettleMillis);
}

function noteControl(name, { delays, delivered, lost, eventsDropped, cutOff }, figures) {
  figures.addAll(name, 'control_delay_ms', delays);
  figures.add(name, 'control_delivered', delivered);
  figures.add(name, 'control_lost', lost);
  figures.add(name, 'events_dropped', eventsDropped);
  if (cutOff > 0) figures.missed.push(`${name}: ${cutOff} subscribers were cut off`);
}

function noteViewers(name, viewers, figures) {
  const sum = (list, field) => list.reduce((all, one) => all + one[field], 0);
  figures.add(name, 'frames_sent', sum(viewers, 'frames'));
  figures.add(name, 'frames_differing', sum(viewers, 'differing'));
  const blind = viewers.filter(({ frames, isClosed }) => frames === 0 || isClosed).length;
  if (blind > 0) figures.missed.push(`${name}: ${blind} viewers saw nothing, or no more`);
}

// Whatever happens, the crowd goes home.
async function before(crowd, work) {
  try {
    await work(crowd);
  } finally {
    await crowd.disperse();
  }
}

// A crowd of these numbers before one session.
async function listen(name, numbers, { settings, site, figures }) {
  const server = new FalconerServer(settings, kStreaming);
  await figures.attempt(name, async () => {
    await server.start();
    const clicker = new Clicker(await server.connect(), site, figures, { session: kSession });
    await clicker.open('show');
    const at = { url: server.url, key: server.keys.viewer, session: kSession };
    await before(await Crowd.gather(at, numbers), async crowd => {
      await act(clicker, settings.samples);
      if (numbers.viewers > 0) {
        noteViewers(name, await crowd.viewers(), figures);
        figures.add(name, 'frames_dropped', (await server.get(`/stream/${kSession}/status`)).dropped);
      }
      noteControl(name, judgeControl(await crowd.end(), clicker.count), figures);
    });
    await clicker.leave();
  });
  await figures.attempt(name, () => server.stop());
}

// The same crowd before a server that has nothing to do but to tell it.
async function listenToNothing(name, subscribers, { settings, figures }) {
  const server = await BareServer.start();
  await figures.attempt(name, async () => {
    await before(await Crowd.gather({ url: server.url, key: '', session: kSession }, { subscribers }), async crowd => {
      for (let turn = 0; turn < settings.samples; ++turn) {
        await server.tell();
        await pause(kThinkMillis);
      }
      await pause(kSettleMillis);
      noteControl(name, judgeControl(await crowd.end(), settings.samples), figures);
    });
  });
  await server.stop();
}

export async function measureCrowd(settings, site, figures) {
  const rooms = { settings, site, figures };
  const { subscribers, viewers, slowViewers } = settings;
  await listen('one listener', { subscribers: 1 }, rooms);
  await listen('crowd', { subscribers, viewers, slowViewers }, rooms);
  await listenToNothing('bare server', subscribers, rooms);
}
