// A client of a server that runs: asks as a role, and reads what comes.

const isPlain = (body) => body === undefined || typeof body === 'string' || body instanceof Uint8Array;

export function clientOf(server) {
  return async function ask(method, path, { role = 'operator', body, headers = {} } = {}) {
    const answer = await fetch(new URL(path, server().url), {
      method,
      headers: { Authorization: `Bearer ${server().keys[role]}`, ...headers },
      body: isPlain(body) ? body : JSON.stringify(body),
    });
    const text = await answer.text();
    const type = answer.headers.get('content-type') ?? '';
    return { status: answer.status, type, headers: answer.headers, body: /json/.test(type) ? JSON.parse(text) : text };
  };
}
