// One who watches a session over a WebSocket: as little of the protocol as a server speaks to a viewer that says
// nothing but how many pictures it takes, and that it is still there.

import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';

import { wallNow } from './wall_clock.mjs';

const kText = 1;
const kBinary = 2;
const kClose = 8;
const kPing = 9;
const kPong = 10;
const kHeadEnd = '\r\n\r\n';

// The first whole frame of a server, who masks nothing: { opcode, data, size }; undefined while there is none.
export function takeFrame(bytes) {
  if (bytes.length < 2) return undefined;
  const short = bytes[1] & 127;
  const begin = short === 127 ? 10 : short === 126 ? 4 : 2;
  if (bytes.length < begin) return undefined;
  const length = short === 127 ? Number(bytes.readBigUInt64BE(2)) : short === 126 ? bytes.readUInt16BE(2) : short;
  const size = begin + length;
  return bytes.length < size ? undefined : { opcode: bytes[0] & 15, data: bytes.subarray(begin, size), size };
}

// What a client says is masked; a mask of zeros leaves it as it is.
export function clientFrame(opcode, data) {
  if (data.length > 125) throw new Error('a viewer says little');
  return Buffer.concat([Buffer.from([0x80 | opcode, 0x80 | data.length, 0, 0, 0, 0]), data]);
}

// A picture with its header (docs/live.md).
export function readPicture(data) {
  const begin = data.readUInt16BE(2);
  return { seq: Number(data.readBigUInt64BE(4)), taken: Number(data.readBigUInt64BE(12)), jpeg: data.subarray(begin) };
}

export class StreamViewer {
  #socket;
  #bytes = Buffer.alloc(0);
  #isOpen = false;
  isClosed = false;
  #show;
  #begin;

  // `show` gets every picture, with the time at which it was whole.
  constructor({ url, key, session, show }) {
    const { hostname, port, host } = new URL(url);
    this.#show = show;
    this.begun = new Promise((resolve, reject) => { this.#begin = { resolve, reject }; });
    this.#socket = connect({ host: hostname, port: Number(port), noDelay: true });
    this.#socket.on('data', bytes => this.#take(bytes));
    this.#socket.on('error', error => this.#begin.reject(error));
    this.#socket.on('close', () => {
      this.isClosed = true;
      this.#begin.reject(new Error('the server closed the stream'));
    });
    this.#socket.write([`GET /stream/${session} HTTP/1.1`, `host: ${host}`, `authorization: Bearer ${key}`,
      'connection: upgrade', 'upgrade: websocket', 'sec-websocket-version: 13',
      `sec-websocket-key: ${randomBytes(16).toString('base64')}`].join('\r\n') + kHeadEnd);
  }

  // From now on it takes so many more, and then none.
  grant(frames) {
    this.#socket.write(clientFrame(kText, Buffer.from(JSON.stringify({ type: 'credit', frames }))));
  }

  close() {
    this.#socket.destroy();
  }

  #take(bytes) {
    const at = wallNow();
    this.#bytes = this.#bytes.length === 0 ? bytes : Buffer.concat([this.#bytes, bytes]);
    if (!this.#isOpen && !this.#open()) return;
    for (let frame = takeFrame(this.#bytes); frame; frame = takeFrame(this.#bytes)) {
      this.#bytes = this.#bytes.subarray(frame.size);
      if (frame.opcode === kBinary) this.#show(readPicture(frame.data), at);
      if (frame.opcode === kText) this.#begin.resolve();
      if (frame.opcode === kPing) this.#socket.write(clientFrame(kPong, frame.data));
      if (frame.opcode === kClose) this.#socket.destroy();
    }
  }

  #open() {
    const end = this.#bytes.indexOf(kHeadEnd);
    if (end < 0) return false;
    const [line] = this.#bytes.toString('latin1', 0, end).split('\r\n');
    if (!line.includes(' 101 ')) {
      this.#begin.reject(new Error(`the stream was refused: ${line}`));
      return false;
    }
    this.#bytes = this.#bytes.subarray(end + kHeadEnd.length);
    this.#isOpen = true;
    return true;
  }
}
