// The guard of keys: what was decided on must still have the focus when the first key comes, or none gets through.
// Later ones may go elsewhere, as in fields for single digits that pass the focus on.

import { deepContains } from './dom';
import { deepFocus } from './projector/projector';

const EVENTS = ['keydown', 'keypress', 'beforeinput', 'keyup'];
const LISTEN = { capture: true, passive: false };
// A guard whose driver went away must not judge what a person types later.
const LIFETIME_MS = 10_000;

interface KeyGuard {
  token: string;
  // Nothing when the page itself gets the keys.
  element: Element | null;
  armedAt: number;
  hit: boolean | null;
}

let current: KeyGuard | null = null;

// Whoever listens first hears first: before the page's own scripts, where the bundle comes with the document.
export function listenForKeys(): void {
  for (const type of EVENTS) window.addEventListener(type, onKey, LISTEN);
}

export function guardKeys(token: string, element: Element | null): void {
  current = { token, element, armedAt: performance.now(), hit: null };
  // document.open() takes them away.
  listenForKeys();
}

// Ends it. True when keys came that were meant for another element than the one that would have got them.
export function keysWentAstray(token: string): boolean {
  if (current?.token !== token) return false;
  const { hit } = current;
  current = null;
  return hit === false;
}

function onKey(event: Event): void {
  if (!current || !event.isTrusted) return;
  if (performance.now() - current.armedAt > LIFETIME_MS) {
    current = null;
    return;
  }
  current.hit ??= holdsKeys(current.element);
  if (current.hit) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function holdsKeys(element: Element | null): boolean {
  const focus = deepFocus();
  if (!element) return focus === null;
  return focus !== null && (focus === element || deepContains(focus, element) || deepContains(element, focus));
}
