// Many who listen and watch at once, in threads of their own, so that they do not hold each other up, nor the agent.

import { Worker } from 'node:worker_threads';

const kProgram = new URL('./crowd_worker.mjs', import.meta.url);
const kSubscribersEach = 100;
const kAnswerMillis = 60_000;

// The numbers of each thread: subscribers in some, viewers in one.
export function shareOut({ subscribers = 0, viewers = 0, slowViewers = 0 }) {
  const shares = [];
  for (let left = subscribers; left > 0; left -= kSubscribersEach) {
    shares.push({ subscribers: Math.min(left, kSubscribersEach), viewers: 0, slowViewers: 0 });
  }
  return viewers > 0 ? [...shares, { subscribers: 0, viewers, slowViewers }] : shares;
}

class Part {
  #worker;

  constructor(workerData) {
    this.#worker = new Worker(kProgram, { workerData });
  }

  // The next thing that it says; fails when it fails.
  next() {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('a part of the crowd says nothing')), kAnswerMillis);
      const settle = (end, value) => { clearTimeout(timer); end(value); };
      this.#worker.removeAllListeners();
      this.#worker.once('message', ({ answer, failure }) =>
          failure === undefined ? settle(resolve, answer) : settle(reject, new Error(failure)));
      this.#worker.once('error', error => settle(reject, error));
    });
  }

  ask(question) {
    const answer = this.next();
    this.#worker.postMessage(question);
    return answer;
  }

  terminate() {
    return this.#worker.terminate();
  }
}

export class Crowd {
  #parts = [];

  // Returns when everybody is there. `server` has url and key.
  static async gather({ url, key, session }, numbers) {
    const crowd = new Crowd();
    crowd.#parts = shareOut(numbers).map(share => new Part({ url, key, session, ...share }));
    try {
      await Promise.all(crowd.#parts.map(part => part.next()));
    } catch (error) {
      await crowd.disperse();
      throw error;
    }
    return crowd;
  }

  // What viewers got so far: [{ frames, differing, isClosed }].
  async viewers() {
    return (await Promise.all(this.#parts.map(part => part.ask('count')))).flat();
  }

  // Everybody leaves. The events that each subscriber got: [[{ id, name, lane, happened, amount, at }]].
  async end() {
    const events = (await Promise.all(this.#parts.map(part => part.ask('end')))).flat();
    await this.disperse();
    return events;
  }

  async disperse() {
    await Promise.all(this.#parts.map(part => part.terminate()));
  }
}
