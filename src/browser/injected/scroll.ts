// Scrolling and what can be scrolled.

import { describe } from './describe';
import { elementAt, parentOf } from './dom';
import { type Point, round } from './geometry';

export interface ScrollReport {
  container: string;
  x: number;
  y: number;
  max_x: number;
  max_y: number;
  moved: Point;
}

const SCROLLS = /^(auto|scroll|overlay)$/;

export function rootScroller(): Element {
  return document.scrollingElement ?? document.documentElement;
}

function maxOffset(el: Element): Point {
  return { x: Math.max(0, el.scrollWidth - el.clientWidth), y: Math.max(0, el.scrollHeight - el.clientHeight) };
}

function isScroller(el: Element): boolean {
  const max = maxOffset(el);
  if (max.x === 0 && max.y === 0) return false;
  if (el === rootScroller()) return true;
  const { overflowX, overflowY } = getComputedStyle(el);
  return (max.y > 0 && SCROLLS.test(overflowY)) || (max.x > 0 && SCROLLS.test(overflowX));
}

// The scroll containers around the element, itself first, the page last.
export function scrollersOf(el: Element): Element[] {
  const found: Element[] = [];
  for (let at: Element | null = el; at; at = parentOf(at)) if (at !== rootScroller() && isScroller(at)) found.push(at);
  return [...found, rootScroller()];
}

function canMove(el: Element, dx: number, dy: number): boolean {
  const max = maxOffset(el);
  const free = (offset: number, limit: number, by: number): boolean => (by > 0 ? offset < limit - 0.5 : by < 0 && offset > 0.5);
  return free(Math.abs(el.scrollLeft), max.x, dx) || free(el.scrollTop, max.y, dy);
}

// Like a wheel: the innermost container that can still move takes the scroll. Without a place to start from it is
// the page or, in applications whose page never scrolls, what fills the middle of the window.
export function containerFor(el: Element | null, dx: number, dy: number): Element {
  const start = el ?? (isScroller(rootScroller()) ? rootScroller() : elementAt(innerWidth / 2, innerHeight / 2));
  const chain = scrollersOf(start ?? rootScroller());
  return chain.find((scroller) => canMove(scroller, dx, dy)) ?? chain[0]!;
}

// Runs a scroll and tells how far the container really went.
export function scrollAndReport(container: Element, move: () => void): ScrollReport {
  const before = { x: container.scrollLeft, y: container.scrollTop };
  move();
  const max = maxOffset(container);
  return {
    container: container === rootScroller() ? 'page' : describe(container),
    x: round(container.scrollLeft),
    y: round(container.scrollTop),
    max_x: max.x,
    max_y: max.y,
    moved: { x: round(container.scrollLeft - before.x), y: round(container.scrollTop - before.y) },
  };
}

// Brings a given point of an element into the viewport, container by container from the inside; for elements
// larger than the window, where aligning the element does not show the point.
export function revealPoint(el: Element, pointOf: () => Point): void {
  for (const scroller of scrollersOf(el)) {
    const view = viewOf(scroller);
    const { x, y } = pointOf();
    const dx = x < view.left || x >= view.right ? x - (view.left + view.right) / 2 : 0;
    const dy = y < view.top || y >= view.bottom ? y - (view.top + view.bottom) / 2 : 0;
    if (dx !== 0 || dy !== 0) scroller.scrollBy({ left: dx, top: dy, behavior: 'instant' });
  }
}

function viewOf(scroller: Element): { left: number; top: number; right: number; bottom: number } {
  if (scroller === rootScroller()) return { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  return scroller.getBoundingClientRect();
}

export function viewport(): object {
  const root = rootScroller();
  const max = maxOffset(root);
  return {
    width: innerWidth,
    height: innerHeight,
    scroll: { x: round(scrollX), y: round(scrollY) },
    max_scroll: max,
    dpr: devicePixelRatio,
    content: { width: root.scrollWidth, height: root.scrollHeight },
  };
}
