// What the server holds when it has nothing to do, and with one session open.

import { setTimeout as pause } from 'node:timers/promises';

import { Clicker } from './clicker.mjs';
import { FalconerServer } from '../common/falconer_server.mjs';

const kSettleMillis = 2000;

export async function measureMemory(settings, site, figures) {
  const server = new FalconerServer(settings);
  await figures.attempt('memory', async () => {
    await server.start();
    await pause(kSettleMillis);
    figures.add('falconer', 'idle_mib', server.memory());
    const clicker = new Clicker(await server.connect(), site, figures, { session: 'one' });
    await clicker.open('counter');
    await clicker.click();
    await pause(kSettleMillis);
    figures.add('falconer', 'session_mib', server.memory());
    await clicker.leave();
  });
  await figures.attempt('memory', () => server.stop());
}
