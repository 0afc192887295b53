// What an element inherits from its ancestors while the page is walked, and how each element changes it.

import { styleOf } from '../cache';
import { attr, hasAttr, matchesCss } from '../dom';
import { areaOf, type Box, type Clip, heightOf, intersection, isInside, type Mode, narrow, widthOf } from './projector_geometry';
import { bodyElement, rootElement } from './projector_document';
import { roleOf } from '../aria/roles';

export type TextKind = 'heading' | 'text' | 'cell' | 'label' | 'alert' | 'status' | 'list';

export interface Scope {
  clip: Clip;
  // The clip that holds for absolutely positioned content: that of the nearest positioned ancestor.
  anchor: Clip;
  // The parent lies wholly within reach and cuts nothing, so what flows in it is within reach too.
  sure: boolean;
  inOverlay: boolean;
  inError: boolean;
  inert: boolean;
  // Inside something clickable whose cursor says so, or inside a control that is named by its content.
  pointer: boolean;
  inControl: boolean;
  // Texts here are not read: the control around them is named by them, or they cannot be seen.
  quiet: boolean;
  form: Element | null;
  block: Element;
  kind: TextKind;
  level: number;
}

const KIND_OF_TAG: Record<string, TextKind> = {
  h1: 'heading', h2: 'heading', h3: 'heading', h4: 'heading', h5: 'heading', h6: 'heading',
  td: 'cell', th: 'cell', li: 'list', dt: 'list', dd: 'list', label: 'label', legend: 'label', output: 'status',
};

const KIND_OF_ROLE: Record<string, TextKind> = {
  heading: 'heading', cell: 'cell', gridcell: 'cell', rowheader: 'cell', columnheader: 'cell', listitem: 'list',
  alertdialog: 'alert', status: 'status', log: 'status', timer: 'status',
};

export function kindOf(el: Element, tag: string): TextKind | null {
  if (hasAttr(el, 'role')) return KIND_OF_ROLE[roleOf(el)] ?? null;
  if (attr(el, 'aria-live') === 'polite') return 'status';
  return KIND_OF_TAG[tag] ?? null;
}

export function headingLevel(el: Element, tag: string): number {
  const level = Number(attr(el, 'aria-level') ?? (/^h[1-6]$/.test(tag) ? tag.slice(1) : 2));
  return Number.isInteger(level) && level > 0 && level < 100 ? level : 2;
}

// The clips inside an element, given those around it.
export interface Clips {
  clip: Clip;
  anchor: Clip;
}

export function clipsInside(el: Element, outer: Clips, box: Box | null, position: string, mode: Mode): Clips {
  if (box === null) return outer;
  const overflow = styleOf(el).overflowY;
  const cuts = overflow !== 'visible' && !isRootElement(el);
  const clip = cuts ? narrow(outer.clip, box, overflow === 'auto' || overflow === 'scroll', mode) : outer.clip;
  const anchor = position === 'static' ? outer.anchor : clip;
  return clip === outer.clip && anchor === outer.anchor ? outer : { clip, anchor };
}

// The overflow of these belongs to the viewport.
function isRootElement(el: Element): boolean {
  return el === rootElement() || el === bodyElement();
}

export function isSure(el: Element, box: Box | null, clip: Clip): boolean {
  return box !== null && areaOf(box) > 0 && isInside(box, clip.reach) && styleOf(el).overflowY === 'visible';
}

const POPUP_ROLES = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'tooltip']);
const HIGH_Z_INDEX = 100;
const FLOATING_Z_INDEX = 1000;
const OVERLAY_SHARE = 0.02;
const HEADER_SHARE = 0.25;

// Does the element open a layer above the page: a dialog, an open popover or menu, a banner that floats over content?
export function isOverlay(el: Element, tag: string, box: Box | null, position: string, view: Box): boolean {
  if (tag === 'dialog') return hasAttr(el, 'open');
  if (attr(el, 'aria-modal') === 'true') return true;
  if (hasAttr(el, 'popover')) return matchesCss(el, ':popover-open');
  const role = hasAttr(el, 'role') ? roleOf(el) : '';
  if (role === 'dialog' || role === 'alertdialog') return true;
  if (position !== 'fixed' && position !== 'absolute') return false;
  if (POPUP_ROLES.has(role)) return true;
  return box !== null && floatsAbove(el, tag, role, box, position, view);
}

function floatsAbove(el: Element, tag: string, role: string, box: Box, position: string, view: Box): boolean {
  const zIndex = Number(styleOf(el).zIndex) || 0;
  if (zIndex < (position === 'fixed' ? HIGH_Z_INDEX : FLOATING_Z_INDEX)) return false;
  const seen = intersection(box, view);
  if (areaOf(seen) < OVERLAY_SHARE * areaOf(view)) return false;
  return !isFurniture(tag, role, seen, view);
}

// A bar along the top, or navigation: always there, not in the way.
function isFurniture(tag: string, role: string, seen: Box, view: Box): boolean {
  if (tag === 'nav' || tag === 'header' || role === 'navigation' || role === 'banner') return true;
  const spans = widthOf(seen) >= 0.9 * widthOf(view);
  return spans && seen.top <= view.top && heightOf(seen) < HEADER_SHARE * heightOf(view);
}

export function isFormLike(el: Element, tag: string): boolean {
  if (tag === 'form') return true;
  if (!hasAttr(el, 'role')) return false;
  const role = roleOf(el);
  return role === 'form' || role === 'search';
}

export function rootScope(clip: Clip, block: Element): Scope {
  return {
    clip, anchor: clip, sure: false, inOverlay: false, inError: false, inert: false, pointer: false, inControl: false,
    quiet: false, form: null, block, kind: 'text', level: 0,
  };
}
