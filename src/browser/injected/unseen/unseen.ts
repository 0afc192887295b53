// How a text is shown, where that is not plainly: too small, too faint, cut off, out of the way, covered. A page may
// write for programs what it hides from people; whoever hands its words on has to know.
//
// Facts only, and only for texts that have been chosen: the questions are dear. Must run inside cached().

import { Memo, styleOf } from '../cache';
import { attr, checkVisibility, deepContains, hasAttr, parentElementOf, parentOf, tagOf } from '../dom';
import { elementsAt, rootElement, scrollHeightOf, scrollingElement, scrollWidthOf } from '../projector/projector_document';
import { type Box, deepestAt, type Layer, overlaps, viewportBox } from '../projector/projector_geometry';
import { backgroundAround, backgroundOfStack, type Colour, colourOf, contrastOf, isOpaque } from './colours';
import { isCutAway } from './clipping';

// See model::TextVisibility. What is as usual is left out.
export interface Unseen {
  font_px?: number;
  opacity?: number;
  contrast_ratio?: number;
  is_displayed?: false;
  is_clipped_away?: true;
  is_off_screen?: true;
  is_covered?: true;
  is_aria_hidden?: true;
  is_empty_box?: true;
  is_attribute?: true;
}

// Above these a text counts as shown; what is too little is judged elsewhere.
const SMALL_PX = 6;
const FAINT = 0.35;
const LOW_CONTRAST = 1.7;
const ARIA_LENGTH = 24;
// Letters of a readable size take up more than this each.
const ROOMY_PX2 = 20;

// Null for a text that is plainly shown.
export function unseenOf(node: Text, layers: readonly Layer[]): Unseen | null {
  const parent = parentElementOf(node);
  if (!parent) return null;
  if (!isDisplayed(parent)) return { is_displayed: false };
  const box = textBox(node);
  const unseen: Unseen = {};
  addSize(unseen, node, parent, box);
  addOpacity(unseen, parent);
  addPlace(unseen, parent, box, layers);
  addContrast(unseen, parent, box);
  if (node.length >= ARIA_LENGTH && isAriaHidden(parent)) unseen.is_aria_hidden = true;
  for (const _ in unseen) return unseen;
  return null;
}

const displayed = new Memo<boolean>();

function isDisplayed(el: Element): boolean {
  return displayed.get(el, (at) => checkVisibility(at, { visibilityProperty: true }));
}

const range = document.createRange();

function textBox(node: Text): Box {
  range.selectNode(node);
  return range.getBoundingClientRect();
}

// What the letters take up tells whether asking for their size, and for all transforms around them, is worth while.
function addSize(unseen: Unseen, node: Text, el: Element, { left, top, right, bottom }: Box): void {
  if ((right - left) * (bottom - top) > ROOMY_PX2 * node.length) return;
  const size = (parseFloat(styleOf(el).fontSize) || 0) * scaleOf(el);
  if (size < SMALL_PX) unseen.font_px = round(size);
}

function addOpacity(unseen: Unseen, el: Element): void {
  const colour = textColour(el);
  const opacity = opacityOf(el) * (colour ? colour[3] : 1);
  if (opacity < FAINT && styleOf(el).webkitBackgroundClip !== 'text') unseen.opacity = round(opacity);
}

const colours = new Memo<Colour | null>();

function textColour(el: Element): Colour | null {
  return colours.get(el, (at) => colourOf(styleOf(at).webkitTextFillColor));
}

const opacities = new Memo<number>();

function opacityOf(el: Element): number {
  return opacities.get(el, (at) => {
    const parent = parentOf(at);
    const { opacity, filter } = styleOf(at);
    const filtered = filter === 'none' ? null : /opacity\(([\d.]+)\)/.exec(filter);
    return Number(opacity) * (filtered ? Number(filtered[1]) : 1) * (parent ? opacityOf(parent) : 1);
  });
}

const scales = new Memo<number>();

// How much smaller transforms make it in the direction in which they do most.
function scaleOf(el: Element): number {
  return scales.get(el, (at) => {
    const parent = parentOf(at);
    return ownScale(styleOf(at)) * (parent ? scaleOf(parent) : 1);
  });
}

function ownScale({ transform, scale, zoom }: CSSStyleDeclaration & { zoom?: string }): number {
  let size = Number(zoom) > 0 ? Number(zoom) : 1;
  if (scale !== 'none') size *= Math.min(...scale.split(' ').map((part) => Math.abs(Number(part))));
  const matrix = /^matrix\(([^)]*)\)$/.exec(transform);
  if (!matrix) return transform.startsWith('matrix3d') ? size * scaleOf3d(transform) : size;
  const [a = 1, b = 0, c = 0, d = 1] = matrix[1]!.split(',').map(Number);
  return size * Math.min(Math.hypot(a, b), Math.hypot(c, d));
}

function scaleOf3d(transform: string): number {
  const matrix = new DOMMatrixReadOnly(transform);
  return Math.min(Math.hypot(matrix.m11, matrix.m12), Math.hypot(matrix.m21, matrix.m22));
}

function addPlace(unseen: Unseen, el: Element, box: Box, layers: readonly Layer[]): void {
  if (box.right <= box.left || box.bottom <= box.top) unseen.is_empty_box = true;
  else if (isOffScreen(el, box)) unseen.is_off_screen = true;
  else if (isCutAway(el, box)) unseen.is_clipped_away = true;
  else if (isCovered(el, box, layers)) unseen.is_covered = true;
}

// Left of or above the page, or beyond what the page can be scrolled to; what is fixed never moves.
function isOffScreen(el: Element, box: Box): boolean {
  if (overlaps(box, viewportBox())) return false;
  if (isFixed(el)) return true;
  if (isInScroller(el)) return false;
  const { left, top, right, bottom } = scrollable();
  return box.right + scrollX <= left || box.bottom + scrollY <= top || box.left + scrollX >= right || box.top + scrollY >= bottom;
}

// The page as it can be scrolled to, in its own pixels.
function scrollable(): Box {
  const scroller = scrollingElement() ?? rootElement();
  const width = Math.max(scroller ? scrollWidthOf(scroller) : 0, innerWidth);
  const height = Math.max(scroller ? scrollHeightOf(scroller) : 0, innerHeight);
  const left = scroller && styleOf(scroller).direction === 'rtl' ? innerWidth - width : 0;
  return { left, top: 0, right: left + width, bottom: height };
}

const fixed = new Memo<boolean>();

function isFixed(el: Element): boolean {
  return fixed.get(el, (at) => {
    if (styleOf(at).position === 'fixed') return true;
    const parent = parentOf(at);
    return parent !== null && isFixed(parent);
  });
}

const scrollers = new Memo<boolean>();

function isInScroller(el: Element): boolean {
  return scrollers.get(el, (at) => {
    const parent = parentOf(at);
    if (!parent || parent === rootElement()) return false;
    return /auto|scroll/.test(styleOf(at).overflow) || isInScroller(parent);
  });
}

// Something opaque lies over it, in the part of the page that is in sight now.
function isCovered(el: Element, box: Box, layers: readonly Layer[]): boolean {
  const isUnder = liesUnder(el) || layers.some((layer) => overlaps(layer.box, box) && !deepContains(layer.el, el));
  if (!isUnder || styleOf(el).pointerEvents === 'none') return false;
  const y = (box.top + box.bottom) / 2;
  const points = [0.5, 0.1, 0.9].map((share) => box.left + (box.right - box.left) * share);
  const inView = points.filter((x) => x >= 0 && x < innerWidth && y >= 0 && y < innerHeight);
  return inView.length > 0 && inView.every((x) => isCoveredAt(el, x, y));
}

function isCoveredAt(el: Element, x: number, y: number): boolean {
  const hit = deepestAt(x, y);
  if (!hit || hit === el || deepContains(el, hit)) return false;
  // Around it is what it is painted on, unless it was put behind that.
  return deepContains(hit, el) ? liesUnder(el) && isPainted(hit) : isPainted(hit);
}

function isPainted(el: Element): boolean {
  if (/^(canvas|embed|iframe|img|object|video)$/.test(tagOf(el))) return true;
  const style = styleOf(el);
  if (opacityOf(el) < 0.9) return false;
  return style.backgroundImage !== 'none' || isOpaque(colourOf(style.backgroundColor));
}

const under = new Memo<boolean>();

function liesUnder(el: Element): boolean {
  return under.get(el, (at) => {
    const style = styleOf(at);
    if (style.position !== 'static' && Number(style.zIndex) < 0) return true;
    const parent = parentOf(at);
    return parent !== null && liesUnder(parent);
  });
}

// What has little contrast to the colours around it is looked at closely: pictures, shadows and outlines make a text
// stand out, and what is behind it need not be around it.
function addContrast(unseen: Unseen, el: Element, box: Box): void {
  const colour = textColour(el);
  const around = colour && contrastOf(colour, backgroundAround(el));
  if (around === null || around >= LOW_CONTRAST || standsOut(el)) return;
  const contrast = contrastAt(el, colour!, box);
  if (contrast !== undefined && contrast < LOW_CONTRAST) unseen.contrast_ratio = round(contrast);
}

function standsOut(el: Element): boolean {
  const style = styleOf(el);
  if (style.textShadow !== 'none' || parseFloat(style.webkitTextStrokeWidth) > 0) return true;
  return style.webkitBackgroundClip === 'text' || style.mixBlendMode !== 'normal';
}

// Undefined where it cannot be told.
function contrastAt(el: Element, colour: Colour, box: Box): number | undefined {
  const ancestors = [];
  for (let at: Element | null = el; at; at = parentOf(at)) ancestors.push(at);
  const around = backgroundOfStack(ancestors);
  const x = (box.left + box.right) / 2;
  const y = (box.top + box.bottom) / 2;
  const isInView = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  const stack = isInView ? elementsAt(x, y) : [];
  const top = stack.findIndex((at) => at === el || deepContains(at, el));
  const behind = top < 0 ? around : backgroundOfStack(stack.slice(top));
  return behind ? contrastOf(colour, behind) : undefined;
}

const ariaHidden = new Memo<boolean>();

function isAriaHidden(el: Element): boolean {
  return ariaHidden.get(el, (at) => {
    if (hasAttr(at, 'aria-hidden') && attr(at, 'aria-hidden')!.toLowerCase() === 'true') return true;
    const parent = parentOf(at);
    return parent !== null && isAriaHidden(parent);
  });
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
