// What came on one stream of events: bytes and when they came are kept as they come, and read when it is over, so that
// reading one subscriber's events does not make the next one look late.

import { chunksOf } from '../common/chunks.mjs';

const kHeadEnd = '\r\n\r\n';

// An event of a stream, of which the server sends each in a chunk of its own; nothing for a sign of life.
function eventIn(text) {
  const name = /^event: (.*)$/m.exec(text)?.[1];
  if (name === undefined) return undefined;
  return { id: /^id: (.*)$/m.exec(text)?.[1], name, data: JSON.parse(/^data: (.*)$/m.exec(text)[1]) };
}

export class EventLog {
  #reads = [];  // { bytes, at }

  // Keeps a copy: whoever reads uses its buffer again.
  add(bytes, at) {
    this.#reads.push({ bytes: Buffer.from(bytes), at });
  }

  // Whether the stream has begun: its first event is its own.
  get hasBegun() {
    return this.#reads.some(({ bytes }) => bytes.includes('event: stream'));
  }

  // The status of the response.
  get status() {
    return Number(/^HTTP\/1\.1 (\d+)/.exec(this.#reads[0]?.bytes.toString('latin1', 0, 20))?.[1]);
  }

  // Every event, with when the last of its bytes came: [{ id, name, data, at }].
  events() {
    const all = Buffer.concat(this.#reads.map(({ bytes }) => bytes));
    const head = all.indexOf(kHeadEnd) + kHeadEnd.length;
    const events = [];
    let read = 0;
    let known = this.#reads[0]?.bytes.length ?? 0;  // bytes up to and with that read
    for (const { data, end } of chunksOf(all.subarray(head))) {
      while (known < head + end) known += this.#reads[++read].bytes.length;
      const event = eventIn(data.toString());
      if (event) events.push({ ...event, at: this.#reads[read].at });
    }
    return events;
  }
}
