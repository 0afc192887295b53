// A model that plays a part: it speaks the wire format of OpenAI's chat completions, streamed or whole, and decides by a
// generator that is given what the tools answered. Nothing of Falconer is replaced: only who is paid for answers.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** One call of a tool. */
export const call = (name, args = {}) => ({ name, args });

const textOf = (message) =>
  typeof message.content === 'string' ? message.content : (message.content ?? []).map((part) => part.text ?? '').join('\n');

// The answers of tools that nobody has answered yet.
function newest(messages) {
  const texts = [];
  for (let at = messages.length - 1; at >= 0 && messages[at].role === 'tool'; --at) texts.unshift(textOf(messages[at]));
  return texts.join('\n');
}

const usageOf = (request, answer) => {
  const prompt = Math.ceil(JSON.stringify(request).length / 4);
  const completion = Math.ceil(JSON.stringify(answer).length / 4);
  return { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
};

function messageOf(action, step) {
  if (typeof action === 'string') return { role: 'assistant', content: action };
  const calls = Array.isArray(action) ? action : [action];
  const tool_calls = calls.map(({ name, args }, index) => ({
    index,
    id: `call_${step}_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }));
  return { role: 'assistant', content: null, tool_calls };
}

const reasonOf = (message) => (message.tool_calls ? 'tool_calls' : 'stop');

function chunksOf(request, message) {
  const chunk = (choices, more = {}) => ({ id: 'chatcmpl-part', object: 'chat.completion.chunk', model: request.model, choices, ...more });
  return [
    chunk([{ index: 0, delta: message, finish_reason: null }]),
    chunk([{ index: 0, delta: {}, finish_reason: reasonOf(message) }]),
    chunk([], { usage: usageOf(request, message) }),
  ];
}

function send(response, request, message) {
  if (request.stream) {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const chunk of chunksOf(request, message)) response.write(`data: ${JSON.stringify(chunk)}\n\n`);
    response.end('data: [DONE]\n\n');
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end(
    JSON.stringify({
      id: 'chatcmpl-part',
      object: 'chat.completion',
      model: request.model,
      choices: [{ index: 0, message, finish_reason: reasonOf(message) }],
      usage: usageOf(request, message),
    }),
  );
}

/**
 * The model on a free port. `part` is a generator function: what it yields is called, what the tools answer comes back
 * from `yield`, what it returns is the last word. `busy` holds the milliseconds that each request
 * kept it busy, from its first byte to the last of the answer.
 */
export class Model {
  requests = [];
  busy = [];

  constructor(part) {
    this.part = part();
    this.server = createServer((request, response) => this.#answer(request, response));
  }

  static async start(part) {
    const model = new Model(part);
    model.server.listen(0, '127.0.0.1');
    await once(model.server, 'listening');
    return model;
  }

  get url() {
    return `http://127.0.0.1:${this.server.address().port}/v1`;
  }

  /** As a row of the setting agent.providers. */
  get row() {
    return { name: 'part', kind: 'openai_chat', url: this.url, model: 'part-1', price_in: 1, price_out: 2, vision: true };
  }

  stop() {
    this.server.closeAllConnections();
    this.server.close();
  }

  async #answer(incoming, response) {
    const started = performance.now();
    response.once('finish', () => this.busy.push(performance.now() - started));
    let body = '';
    for await (const piece of incoming) body += piece;
    const request = JSON.parse(body);
    this.requests.push(request);
    const { value } = this.part.next(newest(request.messages));
    const action = await value;
    if (action === undefined) return; // it has fallen silent
    send(response, request, messageOf(action, this.requests.length));
  }
}
