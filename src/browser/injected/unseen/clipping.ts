// What the ancestors of a text leave of it for good: what is cut off where nobody can scroll to.

import { Memo, styleOf } from '../cache';
import { parentOf, rectOf } from '../dom';
import { bodyElement, rootElement } from '../projector/projector_document';
import { type Box, intersection, isInside } from '../projector/projector_geometry';

const EVERYWHERE: Box = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
const NOWHERE: Box = { left: 0, top: 0, right: 0, bottom: 0 };
// What is left of a text that is hidden from eyes only is a pixel or two.
const LEAST_PX = 2;

interface Cut {
  // For content in the flow, and for what is positioned by the nearest positioned ancestor.
  flow: Box;
  anchored: Box;
}

const cuts = new Memo<Cut>();

// The part of the plane in which what is inside `el` is painted or can be scrolled to.
function cutOf(el: Element): Cut {
  return cuts.get(el, computeCut);
}

function computeCut(el: Element): Cut {
  const parent = parentOf(el);
  if (!parent) return { flow: EVERYWHERE, anchored: EVERYWHERE };
  const outer = cutOf(parent);
  const style = styleOf(el);
  const { position } = style;
  const around = position === 'absolute' || position === 'fixed' ? outer.anchored : outer.flow;
  const flow = ownCut(el, style, position, around);
  // Only from overflow can positioned content escape; where nothing is cut there is nothing to escape from.
  const isAnchor = flow === outer.anchored || position !== 'static' || hasShape(style, position) || style.transform !== 'none';
  return { flow, anchored: isAnchor ? flow : around };
}

function ownCut(el: Element, style: CSSStyleDeclaration, position: string, around: Box): Box {
  let box = around;
  const { overflow } = style;
  const isRoot = el === rootElement() || el === bodyElement();
  if (!isRoot && overflow !== 'visible' && /hidden|clip/.test(overflow)) box = intersection(box, overflowBox(el, style));
  return hasShape(style, position) ? intersection(box, shapeBox(el, style)) : box;
}

// Scrolled content is there to be scrolled to.
function cutsAway(overflow: string): boolean {
  return overflow === 'hidden' || overflow === 'clip';
}

function overflowBox(el: Element, style: CSSStyleDeclaration): Box {
  const { left, top, right, bottom } = rectOf(el);
  return {
    left: cutsAway(style.overflowX) ? left : -Infinity,
    top: cutsAway(style.overflowY) ? top : -Infinity,
    right: cutsAway(style.overflowX) ? right : Infinity,
    bottom: cutsAway(style.overflowY) ? bottom : Infinity,
  };
}

function hasShape(style: CSSStyleDeclaration, position: string): boolean {
  return style.clipPath !== 'none' || ((position === 'absolute' || position === 'fixed') && style.clip !== 'auto');
}

function shapeBox(el: Element, style: CSSStyleDeclaration): Box {
  const { left, top, right, bottom } = rectOf(el);
  const own = { left, top, right, bottom };
  if (style.clipPath !== 'none') return pathBox(style.clipPath, own);
  const edges = numbersIn(style.clip);
  if (edges.length !== 4) return own;
  return { left: left + edges[3]!, top: top + edges[0]!, right: left + edges[1]!, bottom: top + edges[2]! };
}

// Shapes that leave nothing, or a straight part; of others it is not known what they leave.
function pathBox(path: string, own: Box): Box {
  const inset = /^inset\(([^)]*)\)/.exec(path);
  if (inset) return insetBox(inset[1]!, own);
  if (/^(circle|ellipse)\(\s*0(px|%)?[\s)]/.test(path)) return NOWHERE;
  const polygon = /^polygon\((.*)\)/.exec(path);
  return polygon && isFlat(polygon[1]!) ? NOWHERE : EVERYWHERE;
}

function insetBox(text: string, own: Box): Box {
  const parts = text.split(/\s+round\s+/)[0]!.trim().split(/\s+/);
  const [top = '0', right = top, bottom = top, left = right] = parts;
  const width = own.right - own.left;
  const height = own.bottom - own.top;
  return {
    left: own.left + length(left, width),
    top: own.top + length(top, height),
    right: own.right - length(right, width),
    bottom: own.bottom - length(bottom, height),
  };
}

function length(text: string, whole: number): number {
  const value = parseFloat(text) || 0;
  return text.endsWith('%') ? (value / 100) * whole : value;
}

function isFlat(points: string): boolean {
  const pairs = points.split(',').map((pair) => numbersIn(pair));
  const spread = (i: number): number => Math.max(...pairs.map((pair) => pair[i] ?? 0)) - Math.min(...pairs.map((pair) => pair[i] ?? 0));
  return spread(0) < 1 || spread(1) < 1;
}

function numbersIn(text: string): number[] {
  return (text.match(/-?[\d.]+/g) ?? []).map(Number);
}

// Is nothing to speak of left of a text in `el`?
export function isCutAway(el: Element, box: Box): boolean {
  const { flow } = cutOf(el);
  if (isInside(box, flow)) return false;
  const left = intersection(box, flow);
  return left.right - left.left < LEAST_PX || left.bottom - left.top < LEAST_PX;
}
