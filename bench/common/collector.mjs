// An OpenTelemetry collector that keeps what the program says of its turns. It reads nothing while calls are timed:
// bodies are kept as they come and read when somebody asks.

import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const kArriveMillis = 10_000;
const kNanosPerMilli = 1_000_000n;
// What an attempt asks of the browser.
const kDriver = /^browser\.(?!session$)/;

// A trace of its own for one call, as a W3C traceparent.
export function newTrace() {
  const id = randomBytes(16).toString('hex');
  return { id, parent: `00-${id}-${randomBytes(8).toString('hex')}-01` };
}

function millisOf({ startTimeUnixNano, endTimeUnixNano }) {
  return Number((BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) * 1000n / kNanosPerMilli) / 1000;
}

// Where the time of a turn went, in milliseconds, from its spans.
export function partsOf(spans) {
  const sum = pattern => spans.filter(({ name }) => pattern.test(name)).reduce((all, span) => all + millisOf(span), 0);
  return { turn: sum(/^turn$/), driver: sum(kDriver), admission: sum(/^admission$/), seal: sum(/^ledger\.seal$/) };
}

export class Collector {
  #server;
  #bodies = [];
  #spans = new Map();  // by trace
  #waiting = [];

  static async start() {
    const collector = new Collector();
    collector.#server = createServer((request, response) => collector.#take(request, response));
    await new Promise(resolve => collector.#server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  // The spans of a trace once its turn has come; fails when it does not come in time.
  async spansOf(trace) {
    return this.#once(() => this.#spans.get(trace) ?? [], 1, `trace ${trace}`);
  }

  // All spans that have come since somebody took them, once there are so many turns among them.
  async takeAll(turns) {
    const spans = await this.#once(() => [...this.#spans.values()].flat(), turns, 'the run');
    this.#spans.clear();
    return spans;
  }

  async #once(read, turns, what) {
    const end = performance.now() + kArriveMillis;
    for (;;) {
      this.#read();
      const spans = read();
      if (spans.filter(({ name }) => name === 'turn').length >= turns) return spans;
      if (performance.now() > end) throw new Error(`the program said nothing of the turns of ${what}`);
      await new Promise(resolve => {
        this.#waiting.push(resolve);
        setTimeout(resolve, 200);
      });
    }
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise(resolve => this.#server.close(resolve));
  }

  #take(request, response) {
    const parts = [];
    request.on('data', part => parts.push(part));
    request.on('end', () => {
      this.#bodies.push(Buffer.concat(parts));
      response.setHeader('content-type', 'application/json').end('{}');
      for (const wake of this.#waiting.splice(0)) wake();
    });
  }

  #read() {
    for (const body of this.#bodies.splice(0)) {
      const { resourceSpans } = JSON.parse(body);
      for (const span of resourceSpans.flatMap(({ scopeSpans }) => scopeSpans).flatMap(({ spans }) => spans)) {
        this.#spans.set(span.traceId, [...this.#spans.get(span.traceId) ?? [], span]);
      }
    }
  }
}
