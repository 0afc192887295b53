// A server of events that does nothing else, in a thread of its own: what comes late from it is late because of the
// crowd and the machine.

import { Worker } from 'node:worker_threads';

const kProgram = new URL('./bare_server_worker.mjs', import.meta.url);

export class BareServer {
  #worker = new Worker(kProgram);

  static async start() {
    const server = new BareServer();
    server.url = await server.#next();
    return server;
  }

  // The signals of a turn, to everybody.
  async tell() {
    const told = this.#next();
    this.#worker.postMessage('tell');
    await told;
  }

  async stop() {
    await this.#worker.terminate();
  }

  #next() {
    return new Promise((resolve, reject) => {
      this.#worker.removeAllListeners();
      this.#worker.once('message', resolve);
      this.#worker.once('error', reject);
    });
  }
}
