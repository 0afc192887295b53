// Does a press at a point reach the element it is meant for, and if not, what is in the way?

import { describe } from './describe';
import { closestComposed, deepContains, elementAt, isElement, matchesCss, parentOf, rectOf } from './dom';
import type { Point } from './geometry';

const FIELD = 'input, textarea, select, [contenteditable]:not([contenteditable="false" i])';
const PRESSABLE = 'button, summary, a, label, [role=button], [role=link]';
const INTERACTIVE = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button], [role=link]';

export interface Interceptor {
  description: string;
  // The outermost element around it that does not also hold the target: the overlay, dialog or header to deal with.
  root?: string;
}

// What really reacts to a press on the element: the button or link around an icon, else the element itself.
function pressOwner(target: Element): Element {
  if (matchesCss(target, FIELD)) return target;
  return closestComposed(target, (el) => matchesCss(el, PRESSABLE)) ?? target;
}

function controlOf(el: Element): Element | null {
  return el instanceof HTMLLabelElement ? el.control : null;
}

// True when an event aimed at `hit` does to `target` what a press on it should do: it is the target, a part of it,
// the button or link it belongs to, or the other half of its label and control.
export function reaches(target: Element, hit: Element): boolean {
  const owner = pressOwner(target);
  let crossed = false;
  for (let at: Element | null = hit; at; at = parentOf(at)) {
    if (at === target) return true;
    const control = controlOf(at);
    // A link inside a label takes the press for itself.
    if (at === owner || (control && (control === target || control === owner))) return !crossed;
    crossed ||= matchesCss(at, INTERACTIVE);
  }
  const labelled = controlOf(owner);
  return labelled !== null && deepContains(labelled, hit);
}

// The element in the way of a press at the point, or null when the press reaches the target.
export function interceptorAt(target: Element, point: Point): Element | null {
  const hit = elementAt(point.x, point.y) ?? document.documentElement;
  return reaches(target, hit) ? null : hit;
}

export function describeInterceptor(target: Element, hit: Element): Interceptor {
  const root = outermostApart(target, hit);
  return root === hit ? { description: describe(hit) } : { description: describe(hit), root: describe(root) };
}

function outermostApart(target: Element, hit: Element): Element {
  let root = hit;
  for (let at = parentOf(hit); at && !deepContains(at, target); at = parentOf(at)) root = at;
  return root;
}

// Nothing can be scrolled out from under a modal dialog or something fixed that covers the whole window.
export function isBlanket(target: Element, hit: Element): boolean {
  for (let at: Element | null = hit; at && !deepContains(at, target); at = parentOf(at)) {
    if (matchesCss(at, ':modal') || (coversViewport(at) && getComputedStyle(at).position === 'fixed')) return true;
  }
  return false;
}

function coversViewport(el: Element): boolean {
  const { left, top, right, bottom } = rectOf(el);
  return left <= 0 && top <= 0 && right >= innerWidth && bottom >= innerHeight;
}

// The element an event was really aimed at, inside open shadow roots too.
export function aimOf(event: Event): Element {
  const first = event.composedPath()[0];
  return first instanceof Node && isElement(first) ? first : document.documentElement;
}
