// Follows what shows a secret while a picture is taken: a picture takes its time, and layout may move for it. All places
// at which a secret has been are told, so that none of them is left to be seen.

import { queryDeep, shadowRootsIn } from '../dom';
import { type Box, boxOf } from '../projector/projector_geometry';
import { boxOfSpot, secretSpots, type Spot } from './secret_spots';

interface Rect {
  x: number;
  y: number;
  width: number;
  height: number;
}

// The same place in the window as it is seen, and on the page.
interface Place {
  view: Box;
  page: Box;
}

export interface SecretPlaces {
  in_view: Rect[];
  on_page: Rect[];
  // Of frames in this document that moved meanwhile.
  moved_frames: { in_view: Rect[]; on_page: Rect[] };
  // How far the page was scrolled, at least and at most, and how large its window is.
  scroll: Rect;
  viewport: { width: number; height: number };
}

const LIFETIME_MS = 30_000;
const MAX_WATCHES = 8;
const MARGIN_PX = 1;
// Of the page's time, looking again at once takes at most one part in this many.
const REFRESH_SHARE = 5;

// For one picture, or for picture after picture: then what comes and goes in between counts, too.
export type Following = 'picture' | 'stream';

const watches = new Map<string, SecretWatch>();

export function beginWatch(token: string, following: Following): void {
  if (watches.size >= MAX_WATCHES) for (const known of watches.keys()) endWatch(known);
  watches.set(token, new SecretWatch(following));
}

export function endWatch(token: string): SecretPlaces | null {
  const watch = watches.get(token);
  watches.delete(token);
  return watch ? watch.end() : null;
}

class SecretWatch {
  private spots: Spot[] = [];
  private readonly seen = new Map<Spot, Place>();
  private readonly frames = new Map<Element, { first: Place; all: Place }>();
  private scroll: Box = { left: scrollX, top: scrollY, right: scrollX, bottom: scrollY };
  private readonly startedAt = performance.now();
  private readonly moves = new AbortController();
  private readonly changes: MutationObserver | null;
  private isChanged = false;
  private refreshedAt = 0;
  private refreshCost = 0;

  constructor(following: Following) {
    const options = { capture: true, passive: true, signal: this.moves.signal };
    for (const type of ['scroll', 'resize']) window.addEventListener(type, () => this.sample(), options);
    this.refresh();
    this.changes = following === 'stream' ? this.followChanges() : null;
    this.nextFrame();
  }

  end(): SecretPlaces {
    this.moves.abort();
    this.changes?.disconnect();
    this.refresh();
    const places = [...this.seen.values()];
    const moved = [...this.frames.values()].filter(({ first, all }) => !isSame(first.view, all.view) || !isSame(first.page, all.page));
    return {
      in_view: places.map(({ view }) => rectOf(view)),
      on_page: places.map(({ page }) => rectOf(page)),
      moved_frames: { in_view: moved.map(({ all }) => rectOf(all.view)), on_page: moved.map(({ all }) => rectOf(all.page)) },
      scroll: { x: this.scroll.left, y: this.scroll.top, width: this.scroll.right - this.scroll.left, height: this.scroll.bottom - this.scroll.top },
      viewport: viewSize(),
    };
  }

  private nextFrame(): void {
    requestAnimationFrame(() => {
      if (this.moves.signal.aborted) return;
      if (performance.now() - this.startedAt > LIFETIME_MS) return this.changes?.disconnect();
      if (this.isChanged) this.refresh();
      else this.sample();
      this.nextFrame();
    });
  }

  private followChanges(): MutationObserver {
    const observer = new MutationObserver(() => this.onChange());
    const all = { subtree: true, childList: true, characterData: true, attributes: true };
    for (const root of [document, ...shadowRootsIn(document)]) observer.observe(root, all);
    window.addEventListener('input', () => this.onChange(), { capture: true, passive: true, signal: this.moves.signal });
    return observer;
  }

  // At once, because what is there now may be gone before the next frame; but a page that changes all the time must not
  // stand still for it.
  private onChange(): void {
    this.isChanged = true;
    if (performance.now() - this.refreshedAt >= this.refreshCost * REFRESH_SHARE) this.refresh();
  }

  private refresh(): void {
    const begun = performance.now();
    this.spots = [...new Set([...this.spots, ...secretSpots()])];
    this.sample();
    this.isChanged = false;
    this.refreshedAt = performance.now();
    this.refreshCost = this.refreshedAt - begun;
  }

  private sample(): void {
    this.scroll = hull(this.scroll, { left: scrollX, top: scrollY, right: scrollX, bottom: scrollY });
    for (const spot of this.spots) {
      const box = boxOfSpot(spot);
      if (!box) continue;
      const place = placeOf(box);
      const known = this.seen.get(spot);
      this.seen.set(spot, known ? hullOf(known, place) : place);
    }
    for (const frame of queryDeep(document, 'iframe,frame')) this.sampleFrame(frame);
  }

  private sampleFrame(frame: Element): void {
    const place = placeOf(boxOf(frame));
    const known = this.frames.get(frame);
    if (known) known.all = hullOf(known.all, place);
    else this.frames.set(frame, { first: place, all: place });
  }
}

function placeOf({ left, top, right, bottom }: Box): Place {
  const { scale, offsetLeft, offsetTop } = visualViewport!;
  return {
    view: { left: (left - offsetLeft) * scale, top: (top - offsetTop) * scale, right: (right - offsetLeft) * scale, bottom: (bottom - offsetTop) * scale },
    page: { left: left + scrollX, top: top + scrollY, right: right + scrollX, bottom: bottom + scrollY },
  };
}

function viewSize(): { width: number; height: number } {
  const { scale } = visualViewport!;
  return { width: innerWidth * scale, height: innerHeight * scale };
}

function hullOf(a: Place, b: Place): Place {
  return { view: hull(a.view, b.view), page: hull(a.page, b.page) };
}

function hull(a: Box, b: Box): Box {
  return { left: Math.min(a.left, b.left), top: Math.min(a.top, b.top), right: Math.max(a.right, b.right), bottom: Math.max(a.bottom, b.bottom) };
}

function isSame(a: Box, b: Box): boolean {
  return Math.abs(a.left - b.left) < 1 && Math.abs(a.top - b.top) < 1 && Math.abs(a.right - b.right) < 1 && Math.abs(a.bottom - b.bottom) < 1;
}

function rectOf({ left, top, right, bottom }: Box): Rect {
  return { x: left - MARGIN_PX, y: top - MARGIN_PX, width: right - left + 2 * MARGIN_PX, height: bottom - top + 2 * MARGIN_PX };
}
