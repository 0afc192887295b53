// Server-sent events read through fetch, which can send headers.

/** Opens a stream; `next()` gives its events one by one, `until(name)` the first of that name. */
export async function openEvents(url, headers) {
  const stop = new AbortController();
  const answer = await fetch(url, { headers, signal: stop.signal });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  const events = read(answer.body);
  const next = async () => {
    const { value, done } = await events.next();
    if (done) throw new Error('the stream has ended');
    return value;
  };
  const until = async (name) => {
    for (;;) {
      const event = await next();
      if (event.name === name) return event;
    }
  };
  return { next, until, close: () => stop.abort() };
}

async function* read(body) {
  let text = '';
  for await (const chunk of body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const event = parse(text.slice(0, end));
      text = text.slice(end + 2);
      if (event.name) yield event;
    }
  }
}

function parse(block) {
  const event = { id: undefined, name: '', data: undefined };
  for (const line of block.split('\n')) {
    const [field, ...rest] = line.split(': ');
    const value = rest.join(': ');
    if (field === 'id') event.id = value;
    if (field === 'event') event.name = value;
    if (field === 'data') event.data = JSON.parse(value);
  }
  return event;
}
