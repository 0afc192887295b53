// The frames of this document, so that the driver can join what it projects from their documents.

import { attr, checkVisibility } from '../dom';
import { baseUri, byTag } from './projector_document';
import { type Box, boxOf, overlaps, viewportBox } from './projector_geometry';
import { SHOWN } from './projector_text';
import { handleFor, refFor } from '../registry';

export interface FrameView {
  // Position in window.frames; null for a frame in a shadow root, which is not in that list. The handle leads to
  // the element of either.
  index: number | null;
  handle: number;
  ref: string;
  rect: { x: number; y: number; width: number; height: number };
  visible: boolean;
  in_viewport: boolean;
  src_origin: string;
}

const MAX_FRAMES = 64;

// `walked` may hold frames of shadow roots; the others are asked from the document, also those out of sight.
export function frameViews(walked: readonly Element[], doc: number): FrameView[] {
  const all = new Set<Element>([...byTag('iframe'), ...byTag('frame')]);
  for (const el of walked) all.add(el);
  const loaded = [...all].filter((el) => (el as HTMLIFrameElement).contentWindow !== null);
  const views = loaded.map((el) => frameView(el, doc));
  views.sort((a, b) => (a.index ?? Infinity) - (b.index ?? Infinity) || a.handle - b.handle);
  return views.slice(0, MAX_FRAMES);
}

function frameView(el: Element, doc: number): FrameView {
  const box: Box = boxOf(el);
  const width = box.right - box.left;
  const height = box.bottom - box.top;
  return {
    index: indexOf((el as HTMLIFrameElement).contentWindow),
    handle: handleFor(el),
    ref: refFor(el, doc),
    rect: { x: box.left, y: box.top, width, height },
    visible: width > 0 && height > 0 && checkVisibility(el, SHOWN),
    in_viewport: overlaps(box, viewportBox()),
    src_origin: originOf(el),
  };
}

function indexOf(content: Window | null): number | null {
  for (let i = 0; i < window.length; ++i) if (window[i] === content) return i;
  return null;
}

function originOf(el: Element): string {
  if (attr(el, 'srcdoc') !== null) return location.origin;
  try {
    const url = new URL(attr(el, 'src') ?? 'about:blank', baseUri());
    return url.origin === 'null' ? url.protocol : url.origin;
  } catch {
    return '';
  }
}
