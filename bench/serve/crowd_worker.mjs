// A part of a crowd in a thread of its own: subscribers of a session's events, or viewers of its picture. It says when
// all are there, and when it is told to end, what each of them got.

import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

import { EventLog } from './event_log.mjs';
import { StreamViewer } from './stream_viewer.mjs';
import { wallNow } from './wall_clock.mjs';

const { url, key, session, subscribers, viewers, slowViewers } = workerData;
// One buffer for all who listen: what is in it is copied before the next read.
const kBuffer = Buffer.alloc(64 << 10);
const kSlowMillis = 1000;

class Subscriber {
  log = new EventLog();
  #socket;

  constructor() {
    const { hostname, port, host } = new URL(url);
    this.begun = new Promise((resolve, reject) => {
      const onread = { buffer: kBuffer, callback: size => this.#take(size, resolve, reject) };
      this.#socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
      this.#socket.on('error', reject);
      this.#socket.on('close', () => reject(new Error('the server closed a stream of events')));
    });
    this.#socket.write(`GET /v1/sessions/${session}/events HTTP/1.1\r\nhost: ${host}\r\n` +
        `authorization: Bearer ${key}\r\naccept: text/event-stream\r\n\r\n`);
  }

  close() {
    this.#socket.destroy();
  }

  #take(size, resolve, reject) {
    this.log.add(kBuffer.subarray(0, size), wallNow());
    if (this.isThere) return;
    if (this.log.status !== 200) return reject(new Error(`the events were refused: ${this.log.status}`));
    if (!this.log.hasBegun) return;
    this.isThere = true;
    resolve();
  }
}

// The first copy of each picture, which all others must equal.
const pictures = new Map();

class Viewer {
  frames = 0;
  differing = 0;
  #stream;
  #timer;

  constructor(isSlow) {
    this.#stream = new StreamViewer({ url, key, session, show: picture => this.#show(picture) });
    this.begun = this.#stream.begun;
    if (isSlow) this.begun.then(() => this.#slowDown(), () => {});
  }

  count() {
    return { frames: this.frames, differing: this.differing, isClosed: this.#stream.isClosed };
  }

  close() {
    clearInterval(this.#timer);
    this.#stream.close();
  }

  #slowDown() {
    this.#stream.grant(1);
    this.#timer = setInterval(() => this.#stream.grant(1), kSlowMillis);
  }

  #show({ seq, jpeg }) {
    ++this.frames;
    const first = pictures.get(seq);
    if (!first) pictures.set(seq, Buffer.from(jpeg));
    else if (!first.equals(jpeg)) ++this.differing;
  }
}

// What of an event is of interest; all of it would be much to send.
function gist({ id, name, data, at }) {
  return { id, name, lane: data.lane, happened: data.wall_clock_timestamp_ms, amount: data.amount, at };
}

const crowd = {
  subscribers: Array.from({ length: subscribers }, () => new Subscriber()),
  viewers: Array.from({ length: viewers }, (_, i) => new Viewer(i < slowViewers)),
};
const all = [...crowd.subscribers, ...crowd.viewers];

const kAnswers = {
  // What viewers got so far.
  count: () => crowd.viewers.map(viewer => viewer.count()),
  end: () => {
    for (const one of all) one.close();
    return crowd.subscribers.map(({ log }) => log.events().map(gist));
  },
};

parentPort.on('message', question => {
  parentPort.postMessage({ answer: kAnswers[question]() });
  if (question === 'end') parentPort.close();
});
Promise.all(all.map(({ begun }) => begun)).then(
    () => parentPort.postMessage({ answer: 'there' }),
    error => parentPort.postMessage({ failure: error.message }));
