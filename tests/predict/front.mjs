// What stands before the demo's shop: passes everything on, and may show its pages otherwise than the shop wrote them.
import { createServer, request } from 'node:http';

/** {url(path), host, show(change), stop()}; `change` gets a page's markup and its path and answers with other markup. */
export async function startFront(shop) {
  let change = (markup) => markup;
  const server = createServer((asked, answer) => {
    const passed = request(new URL(asked.url, shop.url('/')), {
      method: asked.method,
      headers: { ...asked.headers, host: shop.host, 'accept-encoding': 'identity' },
    });
    passed.on('response', (got) => reply(got, answer, (markup) => change(markup, asked.url)));
    passed.on('error', () => answer.writeHead(502).end());
    asked.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const host = `127.0.0.1:${server.address().port}`;
  return {
    host,
    url: (path) => `http://${host}${path}`,
    show: (other) => (change = other),
    asWritten: () => (change = (markup) => markup),
    stop: () => (server.closeAllConnections(), new Promise((resolve) => server.close(resolve))),
  };
}

async function reply(got, answer, change) {
  const pieces = [];
  for await (const piece of got) pieces.push(piece);
  const body = Buffer.concat(pieces);
  const isPage = /html/.test(got.headers['content-type'] ?? '');
  const sent = isPage ? Buffer.from(change(body.toString('utf8'))) : body;
  const { 'content-length': _, 'transfer-encoding': __, 'content-encoding': ___, ...headers } = got.headers;
  answer.writeHead(got.statusCode, { ...headers, 'content-length': sent.length }).end(sent);
}

/** The same shop after a deploy: other ids, other classes, other names of fields' holders, more around everything, another order. */
export function redesigned(markup) {
  return markup
    .replaceAll(/ id="(name|email|street|town|settle|add|account|password|checkout)"/g, ' id="kc-$1-2"')
    .replaceAll(/ for="(name|email|street|town|settle|account|password)"/g, ' for="kc-$1-2"')
    .replaceAll('class="', 'class="v2-')
    .replaceAll('<button class="v2-wide" id="kc-add-2" type="submit">Add to cart</button>', '<div class="box"><div class="inner"><button data-v="2" type="submit">Add to your cart</button></div></div>')
    .replaceAll('<a class="v2-button" href="/checkout">Go to checkout</a>', '<span class="box"><a class="cta" href="/checkout">Checkout</a></span>')
    .replaceAll('<button class="v2-wide" type="submit">Place order</button>', '<div class="box"><button class="cta" type="submit">Place your order</button></div>')
    .replaceAll('>Street and number</label>', '>Street &amp; number</label>')
    .replaceAll('>Full name</label>', '>Your full name</label>');
}

/** Two buttons that could both be the one that was meant. */
export function ambiguous(markup) {
  const button = '<button class="wide" id="add" type="submit">Add to cart</button>';
  const twin = (place) => `<button class="wide" type="submit" formaction="/cart/add?${place}">Add to the cart</button>`;
  return markup.replaceAll(button, twin('now') + twin('later'));
}
