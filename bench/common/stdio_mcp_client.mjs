// An MCP client over a child's standard input and output.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { McpClient } from './mcp_client.mjs';

const kCallMillis = 60_000;
const kExitMillis = 10_000;

export class StdioMcpClient extends McpClient {
  #child;
  #exited;
  #waiting = new Map();
  #lastId = 0;
  #complaints = '';

  constructor({ command, args, cwd, env }) {
    super();
    this.#child = spawn(command, args, { cwd, env, stdio: 'pipe' });
    this.#exited = new Promise(resolve => this.#child.once('close', resolve));
    this.#child.once('error', error => this.#failAll(error));
    this.#exited.then(() => this.#failAll(new Error(`the server ended${this.#said()}`)));
    this.#child.stdin.on('error', () => {});  // the end of the server is told by its exit
    this.#child.stderr.on('data', data => { this.#complaints = (this.#complaints + data).slice(-500); });
    createInterface({ input: this.#child.stdout }).on('line', line => this.#take(line));
  }

  notify(method) {
    this.#write({ method });
  }

  request(method, params) {
    const id = ++this.#lastId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#settle(id, { error: { message: `${method}: no answer in time` } }),
          kCallMillis);
      this.#waiting.set(id, { resolve, reject, timer });
      this.#write({ id, method, params });
    });
  }

  // Closing the input asks a server to end.
  async stop() {
    this.#child.stdin.end();
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), kExitMillis);
    await this.#exited;
    clearTimeout(timer);
  }

  #write(message) {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  #take(line) {
    let message;
    try {
      message = JSON.parse(line);
    } catch {
      return this.#failAll(new Error(`the server wrote what is no message: ${line.slice(0, 200)}`));
    }
    if (message.method === 'ping') return this.#write({ id: message.id, result: {} });
    if (message.method === undefined) this.#settle(message.id, message);
  }

  #settle(id, { result, error }) {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    if (error) waiting.reject(new Error(error.message));
    else waiting.resolve(result);
  }

  #failAll(error) {
    for (const id of [...this.#waiting.keys()]) this.#settle(id, { error });
  }

  #said() {
    return this.#complaints ? `: ${this.#complaints.trim()}` : '';
  }
}
