// A model that says what a test has written down, for a server that asks by OpenAI's protocol.
import { createServer } from 'node:http';

const chunk = (choice, usage = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', model: 'scripted', choices: choice ? [choice] : [], usage })}\n\n`;

function answerOf(step) {
  const delta = step.say
    ? { role: 'assistant', content: step.say }
    : {
        role: 'assistant',
        content: step.because ?? null,
        tool_calls: step.call.map(([name, args], index) => ({ index, id: `call_${name}_${index}`, type: 'function', function: { name, arguments: JSON.stringify(args) } })),
      };
  const end = { index: 0, delta: {}, finish_reason: step.say ? 'stop' : 'tool_calls' };
  return chunk({ index: 0, delta, finish_reason: null }) + chunk(end) + chunk(null, { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }) + 'data: [DONE]\n\n';
}

/** `next(step, ...)` writes down what it says next; `forget()` strikes that out; `asked` is what it was asked; a step that is a promise keeps the server waiting. */
export async function startModel() {
  const steps = [];
  const asked = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    asked.push(JSON.parse(body));
    const step = await steps.shift();
    if (!step) return response.writeHead(400).end('{"error":{"message":"nothing is written down","type":"invalid_request_error"}}');
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.end(answerOf(step));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${server.address().port}/v1`;
  const providers = JSON.stringify([{ name: 'scripted', kind: 'openai_chat', url, model: 'scripted', price_in: 1, price_out: 2 }]);
  const stop = () => (server.closeAllConnections(), server.close());
  return { next: (...more) => steps.push(...more), forget: () => steps.splice(0), asked, stop, settings: ['agent.internal.enabled=true', `agent.providers=${providers}`] };
}
