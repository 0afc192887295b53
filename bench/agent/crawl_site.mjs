// A site of two hundred articles as sites are: each with a style sheet, a script, pictures, a menu and links to others.
// It runs in a thread of its own, so that it slows nobody down who is measured.

import { createServer } from 'node:http';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

export const kPages = 200;
const kParagraphs = 12;
const kPictures = 4;
const kWords = ('river stone market evening window letter harbour garden copper winter signal bridge meadow candle ' +
    'engine valley paper mountain thread lantern orchard compass feather granite ribbon saddle timber velvet').split(' ');

const kHead = { 'cache-control': 'max-age=600' };
const kStyle = 'body{font:16px/1.5 serif;margin:0 auto;max-width:60em}nav a{margin-right:1em}img{width:120px;height:80px}' +
    Array.from({ length: 200 }, (_, i) => `.c${i}{color:#${(i * 4099 % 4096).toString(16).padStart(3, '0')}}`).join('');
const kScript = `addEventListener('DOMContentLoaded',()=>{document.querySelector('#year').textContent='${'2026'}';});`;
const kPicture = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="80"><rect width="120" height="80" fill="teal"/></svg>';

// The same text every time: the sequence is the page's own.
function wordsOf(seed, count) {
  let state = seed * 7919 + 17;
  const words = Array.from({ length: count }, () => kWords[(state = (state * 48271) % 2147483647) % kWords.length]);
  return words.join(' ');
}

export function titleOf(number) {
  return `Article ${number}: ${wordsOf(number, 3)}`;
}

function articleOf(number) {
  const menu = Array.from({ length: 10 }, (_, i) => `<a href="/page/${(number + i) % kPages}">Menu ${i}</a>`).join('');
  const paragraphs = Array.from({ length: kParagraphs }, (_, i) =>
      `<p class="c${i}">${wordsOf(number * 100 + i, 60)} <a href="/page/${(number * 7 + i) % kPages}">link ${i}</a>.</p>`);
  const pictures = Array.from({ length: kPictures }, (_, i) => `<img src="/picture/${(number + i) % 20}.svg" alt="picture ${i}">`);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${titleOf(number)}</title>` +
      '<link rel="stylesheet" href="/style.css"><script src="/script.js" defer></script></head><body>' +
      `<header><nav>${menu}</nav></header><main><article><h1>${titleOf(number)}</h1>${pictures.join('')}` +
      `${paragraphs.join('')}</article></main><footer>Written in <span id="year"></span></footer></body></html>`;
}

function answerOf(path) {
  const number = /^\/page\/(\d+)$/.exec(path)?.[1];
  if (number !== undefined && Number(number) < kPages) return ['text/html; charset=utf-8', articleOf(Number(number)), {}];
  if (path === '/style.css') return ['text/css', kStyle, kHead];
  if (path === '/script.js') return ['text/javascript', kScript, kHead];
  return path.startsWith('/picture/') ? ['image/svg+xml', kPicture, kHead] : undefined;
}

function serve() {
  const server = createServer((request, response) => {
    const [type, body, headers] = answerOf(request.url) ?? ['text/plain', undefined, {}];
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': type, ...headers });
    response.end(body);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
}

if (!isMainThread) serve();

export async function startCrawlSite() {
  const worker = new Worker(new URL(import.meta.url));
  const port = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  const urls = Array.from({ length: kPages }, (_, number) => `http://127.0.0.1:${port}/page/${number}`);
  return { urls, stop: () => worker.terminate() };
}
