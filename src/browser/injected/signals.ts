// One shared watch over everything in the page that can change the answer of a pending wait.
//
// Nothing is observed while nobody waits. Mutations, form events, loads and the ends of transitions are reported
// when they happen; what CSS alone changes (media queries, rules edited by script) announces itself nowhere, so a
// watcher may also ask to be called once per animation frame.

import { isElement, matchesCss, queryScope, type Root, shadowRootOf, shadowRootsIn } from './dom';

// 'change': content or state may differ. 'layout': only positions may. 'frame': a new animation frame.
export type Cause = 'change' | 'layout' | 'frame';

export interface Watcher {
  wantsFrames: boolean;
  notify(cause: Cause): void;
}

const MUTATIONS: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };
const CHANGE_EVENTS = [
  'input', 'change', 'reset', 'toggle', 'load', 'error', 'slotchange', 'focusin', 'focusout', 'readystatechange',
  'transitionend', 'transitioncancel', 'animationend', 'animationcancel',
];

// Off-screen frames and hidden tabs get no animation frames; a wait in them must still make progress.
const FRAME_PATIENCE_MS = 200;

// How long an element that is not defined yet is given to become a custom element. Many sites use such tags as
// plain markup and never define them.
const UPGRADE_PATIENCE_MS = 10_000;

class PageSignals {
  private readonly watchers = new Set<Watcher>();
  private readonly upgrades = new Upgrades();
  private readonly observer = new MutationObserver((records) => this.onMutations(records));
  private listening = new AbortController();
  private ticking = false;

  add(watcher: Watcher): void {
    if (this.watchers.size === 0) this.connect();
    this.watchers.add(watcher);
    this.requestFrame();
  }

  remove(watcher: Watcher): void {
    this.watchers.delete(watcher);
    if (this.watchers.size === 0) this.disconnect();
  }

  // Asks for the next frame on behalf of whoever wants one. A watcher that starts to want frames calls this.
  requestFrame(): void {
    if (this.ticking || !this.framesWanted()) return;
    this.ticking = true;
    nextFrame(() => this.onFrame());
  }

  private framesWanted(): boolean {
    for (const watcher of this.watchers) if (watcher.wantsFrames) return true;
    return this.watchers.size > 0 && this.upgrades.expected();
  }

  private connect(): void {
    this.listening = new AbortController();
    window.addEventListener('resize', this.onLayout, { signal: this.listening.signal, passive: true });
    this.watch(document);
    this.adopt(document);
  }

  private disconnect(): void {
    this.observer.disconnect();
    this.listening.abort();
    this.upgrades.clear();
  }

  // Watching a root twice is harmless: the browser keeps one registration of the same observer and listener.
  private watch(root: Document | ShadowRoot): void {
    this.observer.observe(root, MUTATIONS);
    const options = { signal: this.listening.signal, capture: true, passive: true };
    for (const type of CHANGE_EVENTS) root.addEventListener(type, this.onChange, options);
    root.addEventListener('scroll', this.onLayout, options);
  }

  private adopt(root: Root): void {
    this.upgrades.collect(root);
    for (const shadow of shadowRootsIn(root)) {
      this.watch(shadow);
      this.upgrades.collect(shadow);
    }
  }

  private onMutations(records: MutationRecord[]): void {
    for (const record of records) {
      for (const node of record.addedNodes) if (isElement(node)) this.adopt(node);
    }
    this.requestFrame();
    this.onChange();
  }

  private onFrame(): void {
    this.ticking = false;
    const upgraded = this.upgrades.takeUpgraded();
    for (const host of upgraded) this.adopt(host);
    if (upgraded.length > 0) this.onChange();
    for (const watcher of [...this.watchers]) if (watcher.wantsFrames) watcher.notify('frame');
    this.requestFrame();
  }

  private readonly onChange = (): void => this.notify('change');
  private readonly onLayout = (): void => this.notify('layout');

  private notify(cause: Cause): void {
    for (const watcher of [...this.watchers]) watcher.notify(cause);
  }
}

// Elements waiting for their custom element definition. Being upgraded gives them a shadow root without any
// mutation that an observer could see.
class Upgrades {
  private readonly waiting = new Set<Element>();
  private until = 0;

  collect(root: Root): void {
    const before = this.waiting.size;
    if (isElement(root) && !matchesCss(root, ':defined')) this.waiting.add(root);
    for (const el of queryScope(root, ':not(:defined)')) this.waiting.add(el);
    if (this.waiting.size > before) this.until = performance.now() + UPGRADE_PATIENCE_MS;
  }

  expected(): boolean {
    return this.waiting.size > 0 && performance.now() < this.until;
  }

  takeUpgraded(): Element[] {
    const upgraded = [...this.waiting].filter((el) => matchesCss(el, ':defined'));
    for (const el of upgraded) this.waiting.delete(el);
    return upgraded.filter((el) => shadowRootOf(el) !== null);
  }

  clear(): void {
    this.waiting.clear();
  }
}

export function nextFrame(then: () => void): void {
  const once = (): void => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    then();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, FRAME_PATIENCE_MS);
}

export const signals = new PageSignals();
