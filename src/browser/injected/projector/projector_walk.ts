// The one walk over the page: finds controls, texts, messages, forms, frames and layers, in composed document order.
//
// Subtrees that are not shown are not entered. Of what lies out of reach only positioned descendants are looked at:
// content in the flow cannot leave its ancestors without their scroll size telling. Of rows and of the members of
// long lists not even these, unless the sample of painted points says that something shows up from there.

import { styleOf } from '../cache';
import { attr, firstChildOf, firstElementOf, hasAttr, isElement, isText, matchesCss, nextSiblingOf, queryScope, shadowRootOf, tagOf } from '../dom';
import { ControlCollector, faceOf, isRegion, isTiny, MAX_NAME, type Found } from './projector_controls';
import { rangeInReach } from './projector_crowd';
import { rootElement, scrollHeightOf, scrollWidthOf } from './projector_document';
import { type ErrorSpot, errorSpot, isErrorMark, MAX_ERROR_TEXT } from './projector_errors';
import { ancestorsOfPainted, areaOf, type Box, boxOf, type Clip, type Layer, type Mode, overlaps } from './projector_geometry';
import { type Interactivity, interactivityOf } from './projector_interactive';
import { type Clips, clipsInside, headingLevel, isFormLike, isOverlay, isSure, kindOf, rootScope, type Scope } from './projector_scope';
import { TextCollector } from './projector_text';

const MAX_DEPTH = 600;
const MAX_FAR_VISITS = 8000;
const CROWD = 64;
const SVG_PX = 40;

const IGNORED = new Set('base head link meta noscript option optgroup script style template title'.split(' '));
const CHILDLESS = new Set('audio canvas embed frame iframe img input object progress select textarea video'.split(' '));
const SPEAKING_SVG = 'text,a,[role],[onclick],[tabindex],foreignObject';

// One element on its way through the walk.
interface Visit {
  el: Element;
  tag: string;
  style: CSSStyleDeclaration;
  display: string;
  position: string;
  // Null where it is not needed, or where there is none.
  box: Box | null;
  clip: Clip;
}

export class PageWalk {
  readonly controls = new ControlCollector();
  readonly texts: TextCollector;
  readonly errors: ErrorSpot[] = [];
  readonly forms = new Set<Element>();
  readonly frames: Element[] = [];
  readonly layers: Layer[] = [];
  visited = 0;
  far = 0;
  private depth = 0;
  private readonly root: Clip;
  private readonly painted: ReadonlySet<Element>;

  constructor(clip: Clip, private readonly mode: Mode, maxTexts: number) {
    this.texts = new TextCollector(maxTexts);
    this.root = clip;
    this.painted = mode === 'page' ? new Set() : ancestorsOfPainted(clip.view);
  }

  run(): void {
    const root = rootElement();
    if (!root) return;
    this.visit(root, rootScope(this.root, root), false);
    this.texts.close();
  }

  private visit(el: Element, scope: Scope, inCrowd: boolean): void {
    const tag = tagOf(el);
    if (IGNORED.has(tag) || this.depth >= MAX_DEPTH) return;
    ++this.visited;
    const style = styleOf(el);
    const display = style.display;
    if (display === 'none' || isShutOff(el)) return;
    const position = style.position;
    const outer = this.clipsAround(position, scope);
    const kind = interactivityOf(el, tag);
    const box = display === 'contents' ? null : this.boxFor(el, kind, position, scope);
    const visit: Visit = { el, tag, style, display, position, box, clip: outer.clip };
    if (box && !overlaps(box, outer.clip.reach) && !this.mayShowContent(visit)) {
      if (!inCrowd && tag !== 'tr') this.passBy(visit, scope);
      return;
    }
    this.enter(visit, kind, scope, outer);
  }

  private clipsAround(position: string, scope: Scope): Clips {
    if (position === 'fixed') return { clip: this.root, anchor: this.root };
    return position === 'absolute' ? { clip: scope.anchor, anchor: scope.anchor } : scope;
  }

  // Asking for a box is the dearest question here; a leaf in the flow of a parent wholly within reach is within reach.
  private boxFor(el: Element, kind: Interactivity | null, position: string, scope: Scope): Box | null {
    const inFlow = position === 'static' || position === 'relative';
    if (scope.sure && inFlow && kind === null && !firstElementOf(el) && !shadowRootOf(el) && tagOf(el) !== 'iframe') return null;
    return boxOf(el);
  }

  // Is the box out of reach, but not all of its content?
  private mayShowContent({ el, tag, box, clip }: Visit): boolean {
    if (this.painted.has(el)) return true;
    if (tag === 'tr' || !(el instanceof HTMLElement)) return false;
    const { reach } = clip;
    const overflowsDown = box!.bottom <= reach.top && box!.top + scrollHeightOf(el) > reach.top;
    const overflowsRight = box!.right <= reach.left && box!.left + scrollWidthOf(el) > reach.left;
    return (overflowsDown || overflowsRight) && styleOf(el).overflowY === 'visible';
  }

  private passBy({ el, tag, style }: Pick<Visit, 'el' | 'tag' | 'style'>, scope: Scope): void {
    if (CHILDLESS.has(tag) || style.contentVisibility !== 'visible') return;
    for (const child of contentOf(el, tag)) {
      if (this.far >= MAX_FAR_VISITS) return;
      if (isElement(child)) this.visitFar(child, scope);
    }
  }

  private visitFar(el: Element, scope: Scope): void {
    const tag = tagOf(el);
    if (tag === 'tr' || IGNORED.has(tag) || this.depth >= MAX_DEPTH) return;
    ++this.far;
    const style = styleOf(el);
    if (style.display === 'none') return;
    const { position } = style;
    ++this.depth;
    if (position === 'static' || position === 'relative') this.passBy({ el, tag, style }, scope);
    else this.visit(el, scope, false);
    --this.depth;
  }

  private enter(visit: Visit, kind: Interactivity | null, scope: Scope, outer: Clips): void {
    const { el, tag, display, box } = visit;
    const isBlock = tag === 'label' || (display !== 'contents' && !display.startsWith('inline'));
    if (isBlock) this.texts.close();
    else if (tag === 'br') this.texts.space();
    if (tag === 'iframe' || tag === 'frame') this.frames.push(el);
    if (box && overlaps(box, this.root.view) && isLayer(visit)) this.layers.push({ el, box: this.coverOf(el, tag, box) });
    const inner = this.scopeInside(visit, scope, outer);
    if (isBlock) inner.block = el;
    const at = this.controls.found.length;
    const found = this.meet(visit, kind, scope, inner);
    if (found && !isBlock && !scope.quiet && isReadAlong(found)) this.texts.control(found.name, scope, at);
    this.descend(visit, inner);
    if (found?.kind === 'region') this.controls.forgetWrapper(at);
    if (isBlock) this.texts.close();
  }

  // The backdrop of a modal dialog is part of it and covers everything.
  private coverOf(el: Element, tag: string, box: Box): Box {
    return tag === 'dialog' && matchesCss(el, ':modal') ? this.root.view : box;
  }

  private scopeInside(visit: Visit, scope: Scope, outer: Clips): Scope {
    const { el, tag, box, position } = visit;
    const { clip, anchor } = clipsInside(el, outer, box, position, this.mode);
    const inner: Scope = { ...scope, clip, anchor, sure: isSure(el, box, clip) };
    if (!scope.inOverlay) inner.inOverlay = isOverlay(el, tag, box, position, this.root.view);
    if (hasAttr(el, 'inert')) inner.inert = true;
    const textKind = kindOf(el, tag);
    if (textKind) inner.kind = textKind;
    if (textKind === 'heading') inner.level = headingLevel(el, tag);
    if (isFormLike(el, tag)) this.forms.add((inner.form = el));
    if (!scope.inError && isErrorMark(el)) this.meetError(el, inner);
    if (box && isTiny(box) && visit.style.overflowY !== 'visible') inner.quiet = true;
    return inner;
  }

  private meetError(el: Element, inner: Scope): void {
    const spot = errorSpot(el);
    if (!spot) return;
    this.errors.push(spot);
    inner.inError = true;
    if (spot.text.length < MAX_ERROR_TEXT) inner.quiet = true;
  }

  private meet(visit: Visit, kind: Interactivity | null, scope: Scope, inner: Scope): Found | null {
    const { el, tag, clip } = visit;
    if (tag === 'label') this.controls.meetLabel(el as HTMLLabelElement, visit.box ?? boxOf(el), scope, clip);
    if (kind === null) return this.meetRegion(visit, scope, inner);
    const found = this.controls.meet(el, tag, kind, faceOf(el, visit.box ?? boxOf(el)), scope, clip);
    if (found) {
      inner.inControl = true;
      if (found.name.length <= MAX_NAME) inner.quiet = true;
    }
    return found;
  }

  // Only the topmost element of an area with the pointing cursor counts: the cursor is inherited.
  private meetRegion(visit: Visit, scope: Scope, inner: Scope): Found | null {
    if (scope.pointer || scope.inControl || visit.style.cursor !== 'pointer') return null;
    inner.pointer = true;
    const { el, tag, clip } = visit;
    const box = visit.box ?? boxOf(el);
    if (!isRegion(el, tag, box)) return null;
    const found = this.controls.meet(el, tag, 'region', { box, label: null }, scope, clip);
    if (found && found.name.length < MAX_NAME) inner.quiet = true;
    return found;
  }

  private descend({ el, tag, box }: Visit, inner: Scope): void {
    if (CHILDLESS.has(tag)) return;
    if (tag === 'svg' && (!box || isSilentDrawing(el, box))) return;
    const nodes = contentOf(el, tag);
    ++this.depth;
    if (nodes.length > CROWD) this.descendIntoCrowd(nodes, el, inner);
    else for (const node of nodes) this.step(node, el, inner, false);
    --this.depth;
  }

  private step(node: Node, parent: Element, inner: Scope, inCrowd: boolean): void {
    if (isElement(node)) this.visit(node, inner, inCrowd);
    else if (!inner.quiet && isText(node)) this.texts.text(node, parent, inner, this.controls.found.length);
  }

  // Goes through very many children without looking at those out of reach.
  private descendIntoCrowd(nodes: readonly Node[], el: Element, inner: Scope): void {
    const members = nodes.filter(isElement);
    const inCrowd = members.length > CROWD;
    const range = inCrowd && this.mode === 'viewport' ? rangeInReach(members, inner.clip.reach) : null;
    let index = 0;
    for (const node of nodes) {
      const inRange = !range || (index >= range.first && index < range.end);
      if (inRange || (isElement(node) && this.painted.has(node))) this.step(node, el, inner, inCrowd);
      if (isElement(node)) ++index;
    }
  }
}

// What is shown inside an element: its shadow tree, what is assigned to it as a slot, or its children.
function contentOf(el: Element, tag: string): Node[] {
  if (tag === 'slot') {
    const assigned = (el as HTMLSlotElement).assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  const nodes: Node[] = [];
  for (let node = firstChildOf(shadowRootOf(el) ?? el); node; node = nextSiblingOf(node)) nodes.push(node);
  return tag === 'details' && !hasAttr(el, 'open') ? nodes.filter(isSummary) : nodes;
}

function isSummary(node: Node): boolean {
  return isElement(node) && tagOf(node) === 'summary';
}

// Is the control part of the sentence it stands in, as a link is and a button is not?
function isReadAlong({ name, role, kind }: Found): boolean {
  return name !== '' && (role === 'link' || kind === 'region');
}

function isLayer({ position, style }: Visit): boolean {
  return position !== 'static' || style.transform !== 'none';
}

// Neither shown to assistive technology nor usable: what lies behind a dialog.
function isShutOff(el: Element): boolean {
  return hasAttr(el, 'inert') && attr(el, 'aria-hidden') === 'true';
}

function isSilentDrawing(el: Element, box: Box): boolean {
  return areaOf(box) < SVG_PX * SVG_PX || queryScope(el, SPEAKING_SVG).length === 0;
}
