// One connection that is kept, by which one request after the other is sent. It does nothing but that, so that the
// time of a request is the server's and not a client library's.

import { connect } from 'node:net';

import { chunksOf } from './chunks.mjs';

const kAskMillis = 60_000;
const kHeadEnd = '\r\n\r\n';

// Where the body of a response ends, and the body; undefined while it is not whole.
function bodyFrom(bytes, begin, headers) {
  if (headers.get('transfer-encoding') === 'chunked') {
    const chunks = [...chunksOf(bytes.subarray(begin))];
    const last = chunks.at(-1);
    const end = last && begin + last.end + 2;
    if (!last || last.data.length > 0 || bytes.length < end) return undefined;
    return { end, body: Buffer.concat(chunks.map(({ data }) => data)).toString() };
  }
  const end = begin + Number(headers.get('content-length') ?? 0);
  return bytes.length < end ? undefined : { end, body: bytes.toString('utf8', begin, end) };
}

// The first whole response among the bytes, and what comes behind it; undefined while there is none.
export function takeResponse(bytes) {
  const headEnd = bytes.indexOf(kHeadEnd);
  if (headEnd < 0) return undefined;
  const [line, ...lines] = bytes.toString('latin1', 0, headEnd).split('\r\n');
  const headers = new Map(lines.map(text => [text.slice(0, text.indexOf(':')).toLowerCase(),
    text.slice(text.indexOf(':') + 1).trim()]));
  const taken = bodyFrom(bytes, headEnd + kHeadEnd.length, headers);
  if (!taken) return undefined;
  return { status: Number(line.split(' ')[1]), headers, body: taken.body, rest: bytes.subarray(taken.end) };
}

export class KeepAlive {
  #socket;
  #host;
  #bytes = Buffer.alloc(0);
  #waiting;

  constructor(url) {
    const { hostname, port, host } = new URL(url);
    this.#host = host;
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', bytes => this.#take(bytes));
    this.#socket.on('error', error => this.#fail(error));
    this.#socket.on('close', () => this.#fail(new Error('the server closed the connection')));
  }

  // One at a time; { status, headers, body }.
  ask(method, path, headers, body = '') {
    const head = Object.entries({ host: this.#host, ...headers, 'content-length': Buffer.byteLength(body) })
        .map(([name, value]) => `${name}: ${value}`);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#fail(new Error(`${method} ${path}: no answer in time`)), kAskMillis);
      this.#waiting = { resolve, reject, timer };
      this.#socket.write(`${[`${method} ${path} HTTP/1.1`, ...head].join('\r\n')}${kHeadEnd}${body}`);
    });
  }

  close() {
    this.#socket.destroy();
  }

  #take(bytes) {
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    try {
      const response = takeResponse(this.#bytes);
      if (!response) return;
      this.#bytes = response.rest;
      this.#settle()?.resolve(response);
    } catch (error) {
      this.#fail(error);
    }
  }

  #fail(error) {
    this.#settle()?.reject(error);
  }

  #settle() {
    const waiting = this.#waiting;
    clearTimeout(waiting?.timer);
    this.#waiting = undefined;
    return waiting;
  }
}
