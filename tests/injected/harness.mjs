// Runs the injected bundle in a real Chromium: one browser per test file, one fresh tab per page.
//
//   const browser = useBrowser();                      // registers before/after hooks of node:test
//   test('...', async () => {
//     const page = await browser.page('<button>Save</button>');
//     const got = await page.call('resolve', { target: { steps: [...] } });   // isolated world
//     await page.evaluate(() => document.title);                              // main world
//   });
//
// No sleeps: everything waits for a protocol answer or a protocol event.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { after, before } from 'node:test';
import { bundle } from '../../tools/build_injected.mjs';

const WORLD = 'falconer';
const EXECUTABLE = process.env.FALCONER_CHROMIUM ?? '/usr/bin/chromium-headless-shell';
const CALL = 'function(name, args) { return globalThis.__falconer.call(name, args); }';
const CALL_TIMEOUT_MS = 30_000;

// Shorthands for targets: css('#a'), role('button', 'Save'), ...
export const steps = (...list) => ({ steps: list });
export const css = (body) => steps({ engine: 'css', body });
export const role = (name, accessibleName, mode = 'substring') =>
  steps({ engine: 'role', role: name, ...(accessibleName === undefined ? {} : { name: accessibleName, mode }) });
export const text = (body, mode = 'substring') => steps({ engine: 'text', body, mode });

export function useBrowser() {
  const browser = new TestBrowser();
  before(() => browser.ready());
  after(() => browser.stop());
  return browser;
}

class TestBrowser {
  #connection;
  #site = new TestSite();
  #source;
  #started;

  // Starts once; hooks of the test file may ask for a page before the hook of useBrowser() has ended.
  ready() {
    this.#started ??= this.#start();
    return this.#started;
  }

  async #start() {
    [this.#source] = await Promise.all([bundle(), this.#site.start()]);
    this.#connection = await Connection.launch();
  }

  async stop() {
    await this.#connection?.close();
    await this.#site.stop();
  }

  // A new tab showing `html`, with the bundle loaded.
  async page(html = '', options = {}) {
    const page = await this.blank();
    await page.setContent(html, options);
    return page;
  }

  async blank() {
    await this.ready();
    const { targetId } = await this.#connection.send('Target.createTarget', { url: 'about:blank' });
    const { sessionId } = await this.#connection.send('Target.attachToTarget', { targetId, flatten: true });
    const page = new TestPage(this.#connection, sessionId, targetId, this.#site, this.#source);
    await page.init();
    return page;
  }

  get site() {
    return this.#site;
  }
}

class TestPage {
  #connection;
  #sessionId;
  #targetId;
  #site;
  #source;
  #contexts = new Map();
  doc = 0;

  constructor(connection, sessionId, targetId, site, source) {
    this.#connection = connection;
    this.#sessionId = sessionId;
    this.#targetId = targetId;
    this.#site = site;
    this.#source = source;
  }

  async init() {
    const { frameTree } = await this.send('Page.getFrameTree');
    this.mainFrameId = frameTree.frame.id;
    await Promise.all([
      this.send('Page.enable'),
      this.send('Runtime.enable'),
      this.send('Emulation.setFocusEmulationEnabled', { enabled: true }),
      this.send('Emulation.setDeviceMetricsOverride', { width: 1000, height: 700, deviceScaleFactor: 1, mobile: false }),
    ]);
  }

  send(method, params = {}) {
    return this.#connection.send(method, params, this.#sessionId);
  }

  once(event, predicate) {
    return this.#connection.once(this.#sessionId, event, predicate);
  }

  // Loads `html` as a document of its own from http://127.0.0.1 and evaluates the bundle in it.
  async setContent(html, { host = '127.0.0.1' } = {}) {
    await this.goto(this.#site.add(`<!doctype html>${html}`), { host });
  }

  // Puts `html` into the document that is there: quicker than a document of its own.
  async show(html) {
    await this.evaluate((content) => {
      document.body.innerHTML = content;
    }, html);
  }

  async goto(urlPath, { host = '127.0.0.1' } = {}) {
    const loaded = this.once('Page.loadEventFired');
    const { errorText } = await this.send('Page.navigate', { url: this.#site.url(urlPath, host) });
    if (errorText) throw new Error(`navigation to ${urlPath} failed: ${errorText}`);
    await loaded;
    await this.inject();
  }

  async inject(frameId = this.mainFrameId) {
    const { executionContextId } = await this.send('Page.createIsolatedWorld', { frameId, worldName: WORLD });
    this.#contexts.set(frameId, executionContextId);
    const { exceptionDetails } = await this.send('Runtime.evaluate', { expression: this.#source, contextId: executionContextId });
    if (exceptionDetails) throw new Error(describeException(exceptionDetails));
    if (frameId === this.mainFrameId) ++this.doc;
  }

  // Calls a function of the bundle; the answer is its plain value (a failure is `{error}`).
  async call(name, args = {}, frameId = this.mainFrameId) {
    return this.#callFunction(CALL, [name, { doc: this.doc, ...args }], this.#contexts.get(frameId));
  }

  // Like call() for functions that answer with an element: the remote object instead of a value.
  async callForObject(name, args = {}) {
    const { result, exceptionDetails } = await this.send('Runtime.callFunctionOn', {
      functionDeclaration: CALL,
      arguments: [{ value: name }, { value: { doc: this.doc, ...args } }],
      executionContextId: this.#contexts.get(this.mainFrameId),
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(describeException(exceptionDetails));
    return result;
  }

  // Runs a function in the page's own world.
  async evaluate(fn, ...args) {
    return this.#callFunction(`(${fn})`, args, await this.#mainContext());
  }

  // Runs a function in the isolated world, beside the bundle.
  async evaluateIsolated(fn, ...args) {
    return this.#callFunction(`(${fn})`, args, this.#contexts.get(this.mainFrameId));
  }

  mouse = {
    move: (x, y) => this.#mouseEvent('mouseMoved', x, y, { button: 'none' }),
    down: (x, y, options = {}) => this.#mouseEvent('mousePressed', x, y, { button: 'left', clickCount: 1, ...options }),
    up: (x, y, options = {}) => this.#mouseEvent('mouseReleased', x, y, { button: 'left', clickCount: 1, ...options }),
    click: (x, y, options = {}) =>
      Promise.all([this.mouse.move(x, y), this.mouse.down(x, y, options), this.mouse.up(x, y, options)]),
  };

  async press(key) {
    await this.send('Input.dispatchKeyEvent', { type: 'keyDown', key });
    await this.send('Input.dispatchKeyEvent', { type: 'keyUp', key });
  }

  async close() {
    await this.#connection.send('Target.closeTarget', { targetId: this.#targetId });
  }

  #mouseEvent(type, x, y, options) {
    return this.send('Input.dispatchMouseEvent', { type, x, y, ...options });
  }

  async #mainContext() {
    const { result } = await this.send('Runtime.evaluate', { expression: 'globalThis' });
    return { objectId: result.objectId };
  }

  async #callFunction(functionDeclaration, args, context) {
    const where = typeof context === 'object' ? context : { executionContextId: context };
    const { result, exceptionDetails } = await this.send('Runtime.callFunctionOn', {
      functionDeclaration,
      arguments: args.map((value) => ({ value })),
      returnByValue: true,
      awaitPromise: true,
      userGesture: true,
      ...where,
    });
    if (exceptionDetails) throw new Error(describeException(exceptionDetails));
    return result.value;
  }
}

// A site on loopback; pages are added as they are needed.
class TestSite {
  #server;
  #pages = new Map();
  #next = 0;

  async start() {
    this.#server = http.createServer((request, response) => this.#answer(request, response));
    await new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async stop() {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  // Serves `body` (HTML, or a function of request and response) and answers with its path.
  add(body, urlPath = `/page/${++this.#next}`) {
    this.#pages.set(urlPath, body);
    return urlPath;
  }

  url(urlPath, host = '127.0.0.1') {
    return `http://${host}:${this.#server.address().port}${urlPath}`;
  }

  #answer(request, response) {
    const page = this.#pages.get(new URL(request.url, 'http://site').pathname);
    if (typeof page === 'function') return page(request, response);
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html; charset=utf-8' });
    return response.end(page ?? '');
  }
}

class Connection {
  #process;
  #profile;
  #buffer = [];
  #pending = new Map();
  #listeners = new Map();
  #nextId = 0;

  static async launch() {
    const connection = new Connection();
    connection.#profile = await mkdtemp(path.join(os.tmpdir(), 'falconer-test-'));
    connection.#start();
    await connection.send('Browser.getVersion');
    return connection;
  }

  #start() {
    const flags = [
      '--remote-debugging-pipe', '--no-sandbox', '--headless', '--disable-gpu', '--hide-scrollbars', '--no-first-run',
      '--disable-background-networking', '--disable-dev-shm-usage', '--force-color-profile=srgb', '--no-startup-window',
      '--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4',
      `--user-data-dir=${this.#profile}`,
    ];
    this.#process = spawn(EXECUTABLE, flags, { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] });
    this.exited = new Promise((resolve) => this.#process.once('exit', resolve));
    this.exited.then(() => this.#failPending(new Error('the browser exited')));
    this.#process.stdio[3].on('error', () => {});
    this.#process.stdio[4].on('data', (chunk) => this.#onData(chunk));
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#nextId;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`${method}: no answer`)), CALL_TIMEOUT_MS);
      this.#pending.set(id, { method, resolve, reject, timer });
      this.#process.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  on(sessionId, event, listener) {
    const key = `${sessionId} ${event}`;
    if (!this.#listeners.has(key)) this.#listeners.set(key, new Set());
    this.#listeners.get(key).add(listener);
    return () => this.#listeners.get(key).delete(listener);
  }

  once(sessionId, event, predicate = () => true) {
    return new Promise((resolve) => {
      const off = this.on(sessionId, event, (params) => {
        if (!predicate(params)) return;
        off();
        resolve(params);
      });
    });
  }

  async close() {
    this.#process.stdio[3].end();
    const forced = setTimeout(() => this.#process.kill('SIGKILL'), 5000);
    await this.exited;
    clearTimeout(forced);
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 });
  }

  #onData(chunk) {
    let start = 0;
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, start)) {
      this.#buffer.push(chunk.subarray(start, end));
      this.#onMessage(JSON.parse(Buffer.concat(this.#buffer).toString()));
      this.#buffer = [];
      start = end + 1;
    }
    if (start < chunk.length) this.#buffer.push(chunk.subarray(start));
  }

  #onMessage(message) {
    if (message.id === undefined) {
      for (const listener of this.#listeners.get(`${message.sessionId} ${message.method}`) ?? []) listener(message.params);
      return;
    }
    const pending = this.#pending.get(message.id);
    this.#pending.delete(message.id);
    clearTimeout(pending.timer);
    if (message.error) pending.reject(new Error(`${pending.method}: ${message.error.message}`));
    else pending.resolve(message.result);
  }

  #failPending(error) {
    for (const { reject, timer } of this.#pending.values()) {
      clearTimeout(timer);
      reject(error);
    }
    this.#pending.clear();
  }
}

function describeException(details) {
  return details.exception?.description ?? details.text;
}
