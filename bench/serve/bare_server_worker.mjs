// The inside of BareServer: says where it listens, and tells everybody the signals of a turn when it is told to.

import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';

import { kTurnSignals } from './control_events.mjs';
import { wallNow } from './wall_clock.mjs';

// As much as an event of the program has.
const kFiller = 'x'.repeat(400);

const listeners = new Set();
let events = 0;
const tell = name => {
  const data = { lane: 'control', wall_clock_timestamp_ms: Math.floor(wallNow()), filler: kFiller };
  const text = `id: ${++events}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
  for (const listener of listeners) listener.write(text);
};
const server = createServer((_, response) => {
  response.socket.setNoDelay(true);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('event: stream\ndata: {}\n\n');
  listeners.add(response);
  response.on('close', () => listeners.delete(response));
});
parentPort.on('message', () => {
  kTurnSignals.forEach(tell);
  parentPort.postMessage('told');
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(`http://127.0.0.1:${server.address().port}`));
