// The state of a document for a model: what can be done, what can be read, what is wrong. Never markup.
//
// One walk collects, then the best controls are chosen and only these are described in full. Everything happens in
// one synchronous read of the page.

import { compareComposed, isElement, shadowRootOf, tagOf } from '../dom';
import { type Found, faceOf } from './projector_controls';
import { activeElement, bodyElement, documentUrl, holdsFocus, readyState, scrollHeightOf, scrollingElement, scrollWidthOf, titleText } from './projector_document';
import { elementView, type ElementView, type ViewFacts } from './projector_element';
import { distantErrors, type ErrorSpot, linkFields, MAX_ERROR_TEXT, silentErrors } from './projector_errors';
import { formViews, type FormView } from './projector_forms';
import { type FrameView, frameViews } from './projector_frames';
import { boxOf, type Clip, type Layer, type Mode, rootClip } from './projector_geometry';
import { groupOf, namesakes } from './projector_group';
import { ContentHash } from './projector_hash';
import { interactivityOf } from './projector_interactive';
import { choose, type RankFacts } from './projector_rank';
import { rootScope, type TextKind } from './projector_scope';
import { parted, type TextRun, withoutEchoes } from './projector_text';
import { PageWalk } from './projector_walk';
import { refFor } from '../registry';
import { normalise, shorten } from '../text';
import type { Unseen } from '../unseen/unseen';
import { unseenText } from '../unseen/unseen_name';

export interface StateOptions {
  doc: number;
  mode: Mode;
  margin: number;
  offset: number;
  limits: { elements: number; texts: number; forms: number; errors: number };
}

interface TextView {
  ref?: string;
  kind: TextKind;
  level?: number;
  text: string;
  // How it is shown, when not plainly.
  unseen?: Unseen;
}

interface ErrorView {
  ref: string;
  kind: 'banner' | 'field';
  text: string;
  field: string | null;
  unseen?: Unseen;
}

export interface StateView {
  url: string;
  title: string;
  phase: DocumentReadyState;
  scroll: { x: number; y: number; max_x: number; max_y: number };
  viewport: { width: number; height: number };
  focus: string | null;
  elements: ElementView[];
  texts: TextView[];
  forms: FormView[];
  errors: ErrorView[];
  frames: FrameView[];
  counts: Record<string, number>;
  content_hash: string;
}

const MAX_TITLE = 160;
const MAX_URL = 2048;

export function project(options: StateOptions): StateView {
  const clip = rootClip(options.mode, options.margin);
  // Echoes of names are dropped afterwards, so that more texts are read than shown.
  const walk = new PageWalk(clip, options.mode, options.limits.texts * 4);
  walk.run();
  const focus = deepFocus();
  addFocus(walk, focus, clip);
  return assemble(walk, focus, options);
}

function assemble(walk: PageWalk, focus: Element | null, options: StateOptions): StateView {
  const { doc, limits, offset } = options;
  const { found } = walk.controls;
  const errors = allErrors(walk, limits.errors);
  const facts: RankFacts = { focus, faulty: new Set(errors.flatMap(({ field }) => field ?? [])) };
  const chosen = choose(found, facts, offset, limits.elements);
  const elements = describe(chosen, found, { doc, focus, layers: walk.layers });
  const read = withoutEchoes(walk.texts.runs, found.map(({ name }) => name), walk.controls.labels);
  const texts = partedTexts(read, walk.layers, limits.texts);
  const forms = formViews(walk.forms, found, doc);
  const state: StateView = {
    ...pageFacts(),
    focus: focus ? refFor(focus, doc) : null,
    elements,
    texts: texts.slice(0, limits.texts).map((run) => textView(run, doc)),
    forms: forms.slice(0, limits.forms),
    errors: errors.slice(0, limits.errors).map((spot) => errorView(spot, doc, walk.layers)),
    frames: frameViews(walk.frames, doc),
    counts: {},
    content_hash: '',
  };
  state.counts = countsOf(state, walk, { elements: found.length, texts: texts.length + walk.texts.unread, forms: forms.length, errors: errors.length });
  state.content_hash = hashOf(state, found);
  return state;
}

function pageFacts(): Pick<StateView, 'url' | 'title' | 'phase' | 'scroll' | 'viewport'> {
  const scroller = scrollingElement();
  return {
    url: shorten(documentUrl(), MAX_URL),
    title: shorten(normalise(titleText()), MAX_TITLE),
    phase: readyState(),
    scroll: {
      x: Math.round(scrollX),
      y: Math.round(scrollY),
      max_x: scroller ? Math.max(0, scrollWidthOf(scroller) - innerWidth) : 0,
      max_y: scroller ? Math.max(0, scrollHeightOf(scroller) - innerHeight) : 0,
    },
    viewport: { width: innerWidth, height: innerHeight },
  };
}

// The element with the focus, also inside shadow roots. The body having it means that nothing has. Every frame
// remembers an element of its own; only one of them has the focus.
export function deepFocus(): Element | null {
  if (window !== window.top && !holdsFocus()) return null;
  let focus = activeElement();
  for (let inner = focus; inner; inner = shadowRootOf(inner)?.activeElement ?? null) focus = inner;
  return focus && isElement(focus) && focus !== bodyElement() && tagOf(focus) !== 'html' ? focus : null;
}

// What has the focus is always shown: it is where typing goes, in sight or not.
function addFocus(walk: PageWalk, focus: Element | null, clip: Clip): void {
  const { controls } = walk;
  if (!focus || controls.found.some(({ el }) => el === focus)) return;
  const tag = tagOf(focus);
  const kind = interactivityOf(focus, tag);
  if (!kind) return;
  const everywhere = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const added = controls.meet(focus, tag, kind, faceOf(focus, boxOf(focus)), rootScope(clip, focus), { view: clip.view, reach: everywhere });
  if (!added) return;
  controls.found.pop();
  const later = controls.found.findIndex(({ el }) => compareComposed(focus, el) < 0);
  controls.found.splice(later < 0 ? controls.found.length : later, 0, added);
}

function describe(chosen: readonly Found[], all: readonly Found[], facts: ViewFacts): ElementView[] {
  const shared = namesakes(all);
  const titles = new Map<Element, string>();
  return chosen.map((found) => {
    const view = elementView(found, facts);
    const group = shared.has(found) ? groupOf(found, titles) : '';
    if (group !== '') view.group = group;
    return view;
  });
}

function allErrors(walk: PageWalk, limit: number): ErrorSpot[] {
  const spots = [...walk.errors, ...distantErrors(walk.errors, limit)];
  const fields = walk.controls.found.map(({ el }) => el);
  linkFields(spots, fields);
  return [...spots, ...silentErrors(fields, spots)];
}

function errorView({ el, text, field }: ErrorSpot, doc: number, layers: readonly Layer[]): ErrorView {
  const kind = field ? 'field' : 'banner';
  const unseen = unseenText(el, layers);
  return { ref: refFor(el, doc), kind, text: shorten(text, MAX_ERROR_TEXT), field: field ? refFor(field, doc) : null, ...(unseen && { unseen }) };
}

// Only what a model may want to point at gets a ref.
const REFERABLE = new Set<TextKind>(['heading', 'alert', 'status']);

// Only what is shown to the model is looked at so closely.
function partedTexts(runs: readonly TextRun[], layers: readonly Layer[], limit: number): TextRun[] {
  return [...runs.slice(0, limit).flatMap((run) => parted(run, layers)), ...runs.slice(limit)];
}

function textView({ el, kind, level, text, unseen }: TextRun, doc: number): TextView {
  const view: TextView = { kind, text };
  if (unseen) view.unseen = unseen;
  if (REFERABLE.has(kind)) view.ref = refFor(el, doc);
  if (kind === 'heading') view.level = level;
  return view;
}

function countsOf(state: StateView, walk: PageWalk, totals: Record<'elements' | 'texts' | 'forms' | 'errors', number>): Record<string, number> {
  const counts: Record<string, number> = { nodes_visited: walk.visited + walk.far };
  for (const section of ['elements', 'texts', 'forms', 'errors'] as const) {
    const returned = state[section].length;
    counts[`${section}_total`] = totals[section];
    counts[`${section}_returned`] = returned;
    counts[`${section}_omitted`] = totals[section] - returned;
  }
  return counts;
}

// How well a text is seen changes while it fades in; what it says does not.
function withoutLooks<T extends object>(view: T): object {
  if (!('unseen' in view)) return view;
  const { unseen, ...content } = view;
  return content;
}

// Everything the state says, and who was left out; not where things are, nor how far the page is scrolled.
function hashOf(state: StateView, found: readonly Found[]): string {
  const hash = new ContentHash();
  for (const part of [state.url, state.title, state.phase, state.focus]) hash.add(part);
  for (const part of [state.texts, state.forms, state.errors]) hash.add(part.map(withoutLooks));
  for (const { bbox, in_viewport, obscured, unseen, ...content } of state.elements) hash.add(content);
  if (found.length > state.elements.length) for (const { role, name } of found) hash.add(`${role} ${name}`);
  for (const { index, src_origin, visible } of state.frames) hash.add([index, src_origin, visible]);
  return hash.hex();
}
