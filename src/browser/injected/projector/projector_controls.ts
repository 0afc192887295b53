// Collecting what the walk finds to act on: which box stands for it, how it is called, and which wrappers to forget.

import { styleOf } from '../cache';
import { attr, checkVisibility, matchesCss, queryScope } from '../dom';
import { labelsOf } from '../aria/labels';
import { areaOf, type Box, boxOf, type Clip, heightOf, overlaps, widthOf } from './projector_geometry';
import { type Interactivity, shownRole } from './projector_interactive';
import type { Scope } from './projector_scope';
import { LETTER, SHOWN, visibleText } from './projector_text';
import { nameOf } from '../aria/names';
import { normalise } from '../text';

export interface Found {
  el: Element;
  tag: string;
  kind: Interactivity;
  role: string;
  name: string;
  box: Box;
  // What the overflow of its ancestors leaves of the viewport.
  view: Box;
  // The label whose box stands for a control that is drawn by its label.
  label: Element | null;
  inViewport: boolean;
  inOverlay: boolean;
  inert: boolean;
  form: Element | null;
}

export const MAX_NAME = 80;
const TINY_PX = 2;
const REGION_SHARE = 0.6;

interface Face {
  box: Box;
  label: Element | null;
}

export class ControlCollector {
  readonly found: Found[] = [];
  // Labels in sight, with the name they give.
  readonly labels = new Map<Element, string>();
  private readonly met = new Set<Element>();

  // Notes a control, unless it cannot be seen or was noted before.
  meet(el: Element, tag: string, kind: Interactivity, face: Face | null, scope: Scope, clip: Clip): Found | null {
    if (!face || this.met.has(el) || !overlaps(face.box, clip.reach)) return null;
    this.met.add(el);
    const role = shownRole(el, tag);
    const found: Found = {
      el, tag, kind, role, name: shownName(el, kind), box: face.box, view: clip.view, label: face.label,
      inViewport: overlaps(face.box, clip.view), inOverlay: scope.inOverlay, inert: scope.inert, form: formOf(el) ?? scope.form,
    };
    this.found.push(found);
    return found;
  }

  // A label may draw a switch or a file button whose input is hidden: then the input is what counts, at the
  // place of the label.
  meetLabel(label: HTMLLabelElement, box: Box, scope: Scope, clip: Clip): void {
    const control = label.control;
    if (!control) return;
    this.labels.set(label, nameOf(control));
    if (!isToggle(control)) return;
    const own = boxOf(control);
    if (isWellShown(control, own) && !isOffPage(own)) return;
    const face = checkVisibility(label, SHOWN) && areaOf(box) > 0 ? { box, label } : null;
    this.meet(control, 'input', 'control', face, scope, clip);
  }

  // Forgets a clickable region, found at `index`, that only wraps the controls inside it.
  forgetWrapper(index: number): void {
    const nested = this.found.slice(index + 1);
    if (nested.length === 0) return;
    let own = this.found[index]!.name;
    for (const { name } of nested) own = own.replace(name, ' ');
    if (!LETTER.test(own)) this.found.splice(index, 1);
  }
}

// The box that a control shows, if it can be seen.
export function faceOf(el: Element, box: Box): Face | null {
  const isToggler = isToggle(el);
  if (isWellShown(el, box) && !(isToggler && isOffPage(box))) return { box, label: null };
  if (!isToggler) return null;
  const label = labelsOf(el)[0];
  if (label && checkVisibility(label, SHOWN)) return { box: boxOf(label), label };
  // A transparent input laid over what is drawn for it takes the click itself.
  const takesClicks = checkVisibility(el, { visibilityProperty: true }) && styleOf(el).pointerEvents !== 'none';
  return takesClicks && !isTiny(box) ? { box, label: null } : null;
}

function isWellShown(el: Element, box: Box): boolean {
  return !isTiny(box) && checkVisibility(el, SHOWN);
}

export function isTiny(box: Box): boolean {
  return widthOf(box) <= TINY_PX || heightOf(box) <= TINY_PX;
}

// Moved to where no scrolling leads, as a way to hide it.
function isOffPage(box: Box): boolean {
  return box.right + scrollX <= 0 || box.bottom + scrollY <= 0;
}

function isToggle(el: Element): boolean {
  return matchesCss(el, 'input[type="checkbox"],input[type="radio"],input[type="file"]');
}

// What has no accessible name of its own is called by the words or the picture it shows.
function shownName(el: Element, kind: Interactivity): string {
  const name = nameOf(el);
  if (name !== '' || kind === 'control') return name;
  const text = visibleText(el, MAX_NAME);
  if (text !== '') return text;
  const picture = queryScope(el, 'img[alt],[aria-label],[title]')[0] ?? el;
  return normalise(attr(picture, 'alt') ?? attr(picture, 'aria-label') ?? attr(picture, 'title') ?? '');
}

function formOf(el: Element): Element | null {
  if (el instanceof HTMLInputElement || el instanceof HTMLButtonElement) return el.form;
  return el instanceof HTMLSelectElement || el instanceof HTMLTextAreaElement ? el.form : null;
}

// A region whose cursor says "click me"; one that fills the window says nothing.
export function isRegion(el: Element, tag: string, box: Box): boolean {
  return tag !== 'label' && !isTiny(box) && areaOf(box) < REGION_SHARE * innerWidth * innerHeight && checkVisibility(el, SHOWN);
}
