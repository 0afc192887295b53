// Looking for words anywhere in the page, in sight or not: what a reader would find with the browser's own search,
// and what only its name, placeholder or picture text says.

import { attr, childNodesOf, closestComposed, inDocumentOrder, isElement, matchesCss, parentOf, queryScope, type Root, shadowRootsIn, tagOf, textContentOf } from '../dom';
import { nameOf } from '../aria/names';
import { bodyElement } from './projector_document';
import { type Box, boxOf, normalised, overlaps, viewportBox } from './projector_geometry';
import { interactivityOf, shownRole } from './projector_interactive';
import { isSecret } from './projector_secret';
import { isReadable, visibleText } from './projector_text';
import { refFor } from '../registry';
import { roleOf } from '../aria/roles';
import { withoutSecrets } from '../secrets/typed_secrets';
import { normalise, shorten } from '../text';
import { isVisible } from '../visibility';

export interface FoundWords {
  ref: string;
  role: string;
  name: string;
  text: string;
  interactive: boolean;
  in_viewport: boolean;
  bbox: [number, number, number, number];
}

const MAX_MATCHES = 2000;
const MAX_SHOWN = 80;
const MAX_TEXT = 160;
const NAMING = ['aria-label', 'placeholder', 'alt', 'title'] as const;
const NAMED = '[aria-label],[aria-labelledby],[placeholder],[alt],[title],input[type="submit"],input[type="button"],input[type="reset"]';
const SILENT = 'script,style,template,noscript,head';

interface Match {
  el: Element;
  interactive: boolean;
  score: number;
}

export function find(query: string, doc: number, limit: number): { total: number; matches: FoundWords[] } {
  const phrase = normalise(query).toLowerCase();
  const words = phrase.split(' ');
  const matches = inDocumentOrder(candidates(words)).flatMap((el) => matchOf(el, phrase, words) ?? []);
  matches.sort((a, b) => b.score - a.score);
  return { total: matches.length, matches: matches.slice(0, limit).map((match) => foundWords(match, doc)) };
}

// Everything that may match, lifted to the control it is part of.
function candidates(words: readonly string[]): Set<Element> {
  const found = new Set<Element>();
  const body = bodyElement();
  const roots: Root[] = body ? [body, ...shadowRootsIn(body)] : [];
  for (const root of roots) {
    for (const child of childNodesOf(root)) if (isElement(child)) collectByText(child, words, found);
    for (const el of queryScope(root, NAMED)) if (found.size < MAX_MATCHES && saysAll(namingOf(el), words)) found.add(lift(el));
  }
  return found;
}

// The smallest elements whose text has all the words.
function collectByText(el: Element, words: readonly string[], found: Set<Element>): boolean {
  if (found.size >= MAX_MATCHES || matchesCss(el, SILENT) || !saysAll(textContentOf(el), words)) return false;
  let inner = false;
  for (const child of childNodesOf(el)) if (isElement(child) && collectByText(child, words, found)) inner = true;
  if (!inner) found.add(lift(el));
  return true;
}

function saysAll(text: string, words: readonly string[]): boolean {
  const lower = withoutSecrets(text).toLowerCase();
  return words.every((word) => lower.includes(word));
}

function namingOf(el: Element): string {
  const stated = NAMING.map((name) => attr(el, name) ?? '').join(' ');
  return attr(el, 'aria-labelledby') === null && tagOf(el) !== 'input' ? stated : `${stated} ${nameOf(el)}`;
}

// The control that the words are part of; the words of a label speak of its control.
function lift(el: Element): Element {
  const label = closestComposed(el, (at) => tagOf(at) === 'label') as HTMLLabelElement | null;
  if (label?.control) return label.control;
  return closestComposed(el, (at) => interactivityOf(at, tagOf(at)) !== null) ?? el;
}

function matchOf(el: Element, phrase: string, words: readonly string[]): Match | null {
  if (!isVisible(el) && !isVisible(parentOf(el) ?? el)) return null;
  const interactive = interactivityOf(el, tagOf(el)) !== null;
  if (!interactive && !isReadable(el)) return null;
  const said = `${nameOf(el)} ${namingOf(el)} ${interactive ? '' : visibleText(el, MAX_TEXT)}`;
  return { el, interactive, score: scoreOf(el, normalise(withoutSecrets(said)).toLowerCase(), phrase, words, interactive) };
}

function scoreOf(el: Element, said: string, phrase: string, words: readonly string[], interactive: boolean): number {
  const name = nameOf(el).toLowerCase();
  let score = interactive ? 4 : 0;
  if (name === phrase) score += 8;
  else if (name.startsWith(phrase)) score += 6;
  else if (said.includes(phrase)) score += 5;
  else if (words.every((word) => said.includes(word))) score += 2;
  if (/^h[1-6]$/.test(tagOf(el))) score += 1;
  return overlaps(boxOf(el), viewportBox()) ? score + 1 : score;
}

function foundWords({ el, interactive }: Match, doc: number): FoundWords {
  const box: Box = boxOf(el);
  const tag = tagOf(el);
  const name = nameOf(el);
  return {
    ref: refFor(el, doc),
    role: interactive ? shownRole(el, tag) : roleOf(el) || tag,
    name: shorten(name, MAX_SHOWN),
    text: isSecret(el, name) ? '' : visibleText(el, MAX_TEXT),
    interactive,
    in_viewport: overlaps(box, viewportBox()),
    bbox: normalised(box),
  };
}
