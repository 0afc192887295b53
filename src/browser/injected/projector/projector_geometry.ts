// Where things are: boxes in viewport pixels, what the overflow of ancestors leaves of them, and what is on top.

import { deepContains, parentOf, rectOf, shadowRootOf } from '../dom';
import { elementAt } from './projector_document';

const { getClientRects } = Element.prototype;

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

// The part of the plane in which content counts: `view` is what can be seen now, `reach` what the call asked for
// (the view and a margin, or the whole page).
export interface Clip {
  view: Box;
  reach: Box;
}

export type Mode = 'viewport' | 'page';

export function viewportBox(): Box {
  return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
}

export function rootClip(mode: Mode, margin: number): Clip {
  const view = viewportBox();
  if (mode === 'page') {
    // What lies left of or above the origin of the page can never be scrolled to.
    return { view, reach: { left: -scrollX, top: -scrollY, right: Infinity, bottom: Infinity } };
  }
  if (margin <= 0) return { view, reach: view };
  const reach = { left: -margin, top: -margin, right: view.right + margin, bottom: view.bottom + margin };
  return { view, reach };
}

export const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

export const isInside = (inner: Box, outer: Box): boolean =>
  inner.left >= outer.left && inner.right <= outer.right && inner.top >= outer.top && inner.bottom <= outer.bottom;

export const widthOf = (box: Box): number => box.right - box.left;
export const heightOf = (box: Box): number => box.bottom - box.top;
export const areaOf = (box: Box): number => Math.max(0, widthOf(box)) * Math.max(0, heightOf(box));

export function intersection(a: Box, b: Box): Box {
  return {
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  };
}

// The clip inside a box whose overflow is cut. What a reader can scroll into sight stays within reach of a whole
// page; what is cut for good does not.
export function narrow(clip: Clip, box: Box, canScroll: boolean, mode: Mode): Clip {
  const view = intersection(clip.view, box);
  if (clip.reach === clip.view) return { view, reach: view };
  if (mode === 'page' && canScroll) return { view, reach: clip.reach };
  return { view, reach: intersection(clip.reach, box) };
}

// The topmost element at a point, through open shadow roots.
export function deepestAt(x: number, y: number): Element | null {
  let hit = elementAt(x, y);
  for (;;) {
    const inner = hit ? shadowRootOf(hit)?.elementFromPoint(x, y) : null;
    // A shadow root that has nothing there answers with its host.
    if (!inner || inner === hit) return hit;
    hit = inner;
  }
}

const GRID_COLUMNS = 4;
const GRID_ROWS = 3;
const EDGE_PX = 24;

// Everything that holds something painted at a sample of points. Content that is out of the flow can be in sight
// although its ancestors are not; these ancestors must not be skipped.
export function ancestorsOfPainted(view: Box): Set<Element> {
  const holders = new Set<Element>();
  const columns = samples(view.left, view.right, GRID_COLUMNS);
  for (const y of samples(view.top, view.bottom, GRID_ROWS)) {
    for (const x of columns) {
      for (let at = deepestAt(x, y); at && !holders.has(at); at = parentOf(at)) holders.add(at);
    }
  }
  return holders;
}

// Evenly spread positions, the outermost near the edges, where floating buttons and bars live.
function samples(from: number, to: number, count: number): number[] {
  const first = from + EDGE_PX;
  const step = Math.max(0, to - EDGE_PX - first) / (count - 1);
  return Array.from({ length: count }, (_, i) => first + i * step);
}

// Something that is painted out of the flow and may therefore cover what is not inside it.
export interface Layer {
  el: Element;
  box: Box;
}

// Is the middle of what can be seen of the element covered by something that is not part of it? Asking what is
// painted at a point is dear on large pages, so that it is asked only where a layer lies.
export function isObscured(el: Element, box: Box, view: Box, label: Element | null, layers: readonly Layer[]): boolean {
  const seen = intersection(box, view);
  if (!layers.some((layer) => overlaps(layer.box, seen) && layer.el !== el && !deepContains(layer.el, el))) return false;
  if (!isCoveredAt(el, seen, label)) return false;
  // The middle of a link that wraps over lines may lie outside of all its parts.
  const parts = getClientRects.call(el);
  return parts.length < 2 || isCoveredAt(el, intersection(parts[0]!, view), label);
}

function isCoveredAt(el: Element, seen: Box, label: Element | null): boolean {
  const hit = deepestAt((seen.left + seen.right) / 2, (seen.top + seen.bottom) / 2);
  if (!hit) return false;
  if (deepContains(el, hit) || deepContains(hit, el)) return false;
  return !(label && (deepContains(label, hit) || deepContains(hit, label)));
}

export function boxOf(el: Element): Box {
  return rectOf(el);
}

// [x, y, width, height] as shares of the viewport.
export function normalised(box: Box): [number, number, number, number] {
  const width = innerWidth || 1;
  const height = innerHeight || 1;
  return [
    round(box.left / width),
    round(box.top / height),
    round(widthOf(box) / width),
    round(heightOf(box) / height),
  ];
}

function round(value: number): number {
  return Math.round(value * 10_000) / 10_000 || 0;
}
