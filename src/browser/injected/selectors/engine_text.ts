// Elements by their text: the smallest ones that contain it.

import { Memo } from '../cache';
import {
  composedNodes,
  firstChildOf,
  isElement,
  isText,
  nextSiblingOf,
  queryDeep,
  type Root,
  shadowRootOf,
  shadowRootsIn,
  tagOf,
  textContentOf,
} from '../dom';
import { isEditingHost } from '../aria/roles';
import { type Matcher, type MatchMode, matcher, normalise } from '../text';

const SILENT = new Set(['head', 'noscript', 'script', 'style', 'template', 'title']);

const BLOCKS = new Set(
  ('address article aside blockquote br button caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 ' +
    'h3 h4 h5 h6 header hr li main menu nav ol optgroup option p pre search section select summary table tbody td tfoot th ' +
    'thead tr ul').split(' '),
);

const texts = new Memo<string>();

// All text of an element, its open shadow root before its own children; blocks are set apart by a blank.
// Buttons made of <input> have their value for text; other fields have none.
export function textOf(el: Element): string {
  return texts.get(el, computeText);
}

function computeText(el: Element): string {
  if (el instanceof HTMLInputElement) return /^(button|reset|submit)$/.test(el.type) ? el.value : '';
  if (el instanceof HTMLTextAreaElement) return '';
  const shadow = shadowRootOf(el);
  return (shadow ? textOfChildren(shadow) : '') + textOfChildren(el);
}

function textOfChildren(parent: Node): string {
  let text = '';
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) {
    if (isText(node)) text += node.data;
    else if (isElement(node)) text += textOfChild(node);
  }
  return text;
}

function textOfChild(el: Element): string {
  const tag = tagOf(el);
  if (SILENT.has(tag)) return '';
  return BLOCKS.has(tag) ? ` ${textOf(el)} ` : textOf(el);
}

const LEADING_CHARS = 80;
const LEADING_NODES = 60;

const leading = new Memo<string>();

// The first words of an element, found without walking all of a big one. Typed values do not count.
export function leadingText(el: Element): string {
  return leading.get(el, computeLeading);
}

function computeLeading(el: Element): string {
  let text = '';
  let budget = LEADING_NODES;
  const visitNodes = (parent: Element): void => {
    if (SILENT.has(tagOf(parent)) || tagOf(parent) === 'textarea' || isEditingHost(parent)) return;
    for (const node of composedNodes(parent)) {
      if (--budget < 0 || text.length >= LEADING_CHARS) return;
      if (isText(node)) text = `${text} ${normalise(node.data)}`;
      else if (isElement(node)) visitNodes(node);
    }
  };
  visitNodes(el);
  return normalise(text).slice(0, LEADING_CHARS);
}

export function queryText(body: string, mode: MatchMode = 'substring', flags = '', root: Root): Element[] {
  const accepts = matcher(body, mode, flags);
  const found: Element[] = [];
  const search = { accepts, mayContain: quickTest(body, mode), found };
  visitChildren(root, search);
  return found;
}

interface Search {
  accepts: Matcher;
  mayContain: (el: Element) => boolean;
  found: Element[];
}

// Adds the smallest matches below `parent`; true when there was one.
function visitChildren(parent: Root, search: Search): boolean {
  const shadow = isElement(parent) ? shadowRootOf(parent) : null;
  let hit = shadow ? visitChildren(shadow, search) : false;
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) {
    if (isElement(node) && visit(node, search)) hit = true;
  }
  return hit;
}

function visit(el: Element, search: Search): boolean {
  if (SILENT.has(tagOf(el)) || !search.mayContain(el)) return false;
  if (visitChildren(el, search)) return true;
  if (!search.accepts(textOf(el))) return false;
  search.found.push(el);
  return true;
}

// A native test that rules out most of the page: text without its blanks must contain the wanted text without
// blanks. Text of shadow roots and of button values is invisible to it, so where there are any it rules out nothing.
function quickTest(body: string, mode: MatchMode): (el: Element) => boolean {
  if (mode === 'regex' || shadowRootsIn(document).length > 0 || hasInputButtons()) return () => true;
  const wanted = squeeze(body);
  return (el) => squeeze(textContentOf(el)).includes(wanted);
}

function hasInputButtons(): boolean {
  return queryDeep(document, 'input[type=button],input[type=reset],input[type=submit]').length > 0;
}

function squeeze(text: string): string {
  return text.replace(/[\s\u200b\u00ad]+/g, '').toLowerCase();
}
