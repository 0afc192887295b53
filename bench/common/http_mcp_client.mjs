// An MCP client over Streamable HTTP, on one connection that is kept.

import { McpClient } from './mcp_client.mjs';
import { KeepAlive } from './keep_alive.mjs';

// A call that takes long is answered by a stream, whose last event has the answer.
export function messageIn(body, type) {
  if (type !== 'text/event-stream') return body;
  const lines = body.split('\n').filter(line => line.startsWith('data: {'));
  if (lines.length === 0) throw new Error('the stream of an answer ended without it');
  return lines.at(-1).slice('data: '.length);
}

export class HttpMcpClient extends McpClient {
  #connection;
  #headers;
  #lastId = 0;

  constructor(url, key) {
    super();
    this.#connection = new KeepAlive(url);
    this.#headers = {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    };
  }

  async initialize() {
    this.#headers['mcp-protocol-version'] = await super.initialize();
  }

  async request(method, params) {
    const { status, headers, body } = await this.#post({ id: ++this.#lastId, method, params });
    if (status !== 200) throw new Error(`${method}: ${status} ${body}`);
    const session = headers.get('mcp-session-id');
    if (session !== undefined) this.#headers['mcp-session-id'] = session;
    const { result, error } = JSON.parse(messageIn(body, headers.get('content-type')));
    if (error) throw new Error(error.message);
    return result;
  }

  async notify(method) {
    await this.#post({ method });
  }

  close() {
    this.#connection.close();
  }

  #post(message) {
    return this.#connection.ask('POST', '/mcp', this.#headers, JSON.stringify({ jsonrpc: '2.0', ...message }));
  }
}
