// Where an element is on the screen and which points of it can be pressed. All in CSS pixels of this frame's viewport.

import { rectOf } from './dom';

export interface Point {
  x: number;
  y: number;
}

export interface Box extends Point {
  width: number;
  height: number;
}

// Smaller pieces cannot be hit reliably: rounding may move the point out of them.
const MIN_AREA = 0.99;
// Line boxes of a wrapped link that are tried before giving up.
const MAX_PIECES = 4;
// Below this the points beside the centre are the centre.
const MIN_SPREAD = 4;

const { getClientRects } = Element.prototype;

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

export function boxOf(el: Element): Box {
  const { x, y, width, height } = outlineOf(el);
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}

export function sameBox(a: Box, b: Box): boolean {
  return a.x === b.x && a.y === b.y && a.width === b.width && a.height === b.height;
}

// The boxes an element is painted in; one without a box of its own (display: contents) has those of its content.
function piecesOf(el: Element): DOMRect[] {
  const own = getClientRects.call(el);
  return Array.from(own.length > 0 ? own : contentRange(el).getClientRects());
}

function outlineOf(el: Element): DOMRect {
  return getClientRects.call(el).length > 0 ? rectOf(el) : contentRange(el).getBoundingClientRect();
}

function contentRange(el: Element): Range {
  const range = document.createRange();
  range.selectNodeContents(el);
  return range;
}

function clipToViewport(box: DOMRect): Box | null {
  const x = Math.max(box.left, 0);
  const y = Math.max(box.top, 0);
  const width = Math.min(box.right, innerWidth) - x;
  const height = Math.min(box.bottom, innerHeight) - y;
  return width > 0 && height > 0 && width * height > MIN_AREA ? { x, y, width, height } : null;
}

export function insideViewport({ x, y }: Point): boolean {
  return x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
}

// The points to try, best first: the centre of each visible piece, then points beside the centre of the first, for
// elements whose middle is covered or, as with a drawn line, empty.
export function pressPoints(el: Element): Point[] {
  const visible: Box[] = [];
  for (const piece of piecesOf(el)) {
    const clipped = clipToViewport(piece);
    if (clipped) visible.push(clipped);
    if (visible.length === MAX_PIECES) break;
  }
  const points = visible.map((box) => at(box, 0.5, 0.5));
  return visible[0] ? points.concat(besideCentre(visible[0])) : points;
}

function besideCentre(box: Box): Point[] {
  if (box.width < MIN_SPREAD || box.height < MIN_SPREAD) return [];
  return [at(box, 0.25, 0.5), at(box, 0.75, 0.5), at(box, 0.5, 0.25), at(box, 0.5, 0.75), at(box, 0.1, 0.1), at(box, 0.9, 0.9)];
}

function at(box: Box, across: number, down: number): Point {
  return { x: round(box.x + box.width * across), y: round(box.y + box.height * down) };
}

// A point given relative to the padding box of the element.
export function pointAt(el: Element, offset: Point): Point {
  const { left, top } = outlineOf(el);
  return { x: round(left + el.clientLeft + offset.x), y: round(top + el.clientTop + offset.y) };
}
