// A site that a test makes up: what it was asked for, in order, and how to end it.
import { once } from 'node:events';
import { createServer } from 'node:http';

/** `pages` has for each path a text, or { status, type, body, headers }, or what answers itself. */
export async function startCrawlSite(pages) {
  const asked = [];
  const server = createServer((request, response) => {
    asked.push(request.url);
    const page = pages[request.url] ?? pages[request.url.split('?')[0]];
    if (typeof page === 'function') return page(request, response);
    const { status = page === undefined ? 404 : 200, type = 'text/html; charset=utf-8', body = '', headers = {} } =
      typeof page === 'object' ? page : { body: page };
    response.writeHead(status, { 'content-type': type, ...headers });
    response.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    asked,
    url: (path) => `http://127.0.0.1:${server.address().port}${path}`,
    stop: () => (server.closeAllConnections(), server.close()),
  };
}

/** A page with enough to read. */
export function article(title, words = 150) {
  return `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${`${title} word `.repeat(words)}</p></main></html>`;
}
