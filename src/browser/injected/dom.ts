// The tree as the reader sees it: light tree, open shadow roots and slots as one composed tree.
//
// A form exposes its fields as its own properties (<input name="id"> hides form.id, also for us), so whatever
// may be a form is read through the accessors below, which take the built-in from the prototype.

import { Memo } from './cache';

function getterOf(prototype: object, name: string): () => unknown {
  return Object.getOwnPropertyDescriptor(prototype, name)!.get!;
}

const parentNodeGet = getterOf(Node.prototype, 'parentNode');
const parentElementGet = getterOf(Node.prototype, 'parentElement');
const childNodesGet = getterOf(Node.prototype, 'childNodes');
const firstChildGet = getterOf(Node.prototype, 'firstChild');
const nextSiblingGet = getterOf(Node.prototype, 'nextSibling');
const textContentGet = getterOf(Node.prototype, 'textContent');
const isConnectedGet = getterOf(Node.prototype, 'isConnected');
const nodeTypeGet = getterOf(Node.prototype, 'nodeType');
const ownerDocumentGet = getterOf(Node.prototype, 'ownerDocument');
const firstElementChildGet = getterOf(Element.prototype, 'firstElementChild');
const nextElementSiblingGet = getterOf(Element.prototype, 'nextElementSibling');
const previousElementSiblingGet = getterOf(Element.prototype, 'previousElementSibling');
const localNameGet = getterOf(Element.prototype, 'localName');
const shadowRootGet = getterOf(Element.prototype, 'shadowRoot');
const assignedSlotGet = getterOf(Element.prototype, 'assignedSlot');
const { getAttribute, hasAttribute, matches, closest, querySelectorAll, getBoundingClientRect } = Element.prototype;
const checkVisibilityFn = Element.prototype.checkVisibility;
const { getRootNode, contains, compareDocumentPosition } = Node.prototype;

export type Root = Document | ShadowRoot | Element;

export const attr = (el: Element, name: string): string | null => getAttribute.call(el, name);
export const hasAttr = (el: Element, name: string): boolean => hasAttribute.call(el, name);
export const tagOf = (el: Element): string => localNameGet.call(el) as string;
export const matchesCss = (el: Element, selector: string): boolean => matches.call(el, selector);
export const closestCss = (el: Element, selector: string): Element | null => closest.call(el, selector);
export const rectOf = (el: Element): DOMRect => getBoundingClientRect.call(el);
export const checkVisibility = (el: Element, options?: CheckVisibilityOptions): boolean => checkVisibilityFn.call(el, options);
export const isConnected = (node: Node): boolean => isConnectedGet.call(node) as boolean;
export const rootOf = (node: Node): Node => getRootNode.call(node);
export const parentNodeOf = (node: Node): Node | null => parentNodeGet.call(node) as Node | null;
export const parentElementOf = (node: Node): Element | null => parentElementGet.call(node) as Element | null;
export const childNodesOf = (node: Node): NodeListOf<ChildNode> => childNodesGet.call(node) as NodeListOf<ChildNode>;
export const firstChildOf = (node: Node): ChildNode | null => firstChildGet.call(node) as ChildNode | null;
export const nextSiblingOf = (node: Node): ChildNode | null => nextSiblingGet.call(node) as ChildNode | null;
export const firstElementOf = (el: Element): Element | null => firstElementChildGet.call(el) as Element | null;
export const nextElementOf = (el: Element): Element | null => nextElementSiblingGet.call(el) as Element | null;
export const previousElementOf = (el: Element): Element | null => previousElementSiblingGet.call(el) as Element | null;
export const shadowRootOf = (el: Element): ShadowRoot | null => shadowRootGet.call(el) as ShadowRoot | null;
export const textContentOf = (node: Node): string => (textContentGet.call(node) as string | null) ?? '';
export const isElement = (node: Node): node is Element => nodeTypeGet.call(node) === 1;
export const isText = (node: Node): node is Text => nodeTypeGet.call(node) === 3;
export const precedes = (a: Node, b: Node): boolean => (compareDocumentPosition.call(a, b) & 4) !== 0;

export function documentOf(node: Node): Document {
  return (ownerDocumentGet.call(node) as Document | null) ?? (node as Document);
}

// The iterator of a NodeList is some ten times slower than its index.
export function toArray<T>(list: ArrayLike<T>): T[] {
  const array: T[] = [];
  for (let i = 0, length = list.length; i < length; ++i) array.push(list[i]!);
  return array;
}

// All matches inside one tree scope (does not enter shadow roots).
export function queryScope(root: Root, selector: string): Element[] {
  return toArray(isElement(root) ? querySelectorAll.call(root, selector) : root.querySelectorAll(selector));
}

// Looks up an id in the tree scope of `near`, as id references in attributes do.
export function byId(near: Node, id: string): Element | null {
  const root = rootOf(near);
  return root instanceof Document || root instanceof ShadowRoot ? root.getElementById(id) : null;
}

export function byIds(near: Element, attribute: string): Element[] {
  const value = attr(near, attribute);
  if (!value) return [];
  const found: Element[] = [];
  for (const id of value.split(/\s+/)) {
    const el = id ? byId(near, id) : null;
    if (el && !found.includes(el)) found.push(el);
  }
  return found;
}

// Parent in the composed tree: the slot an element is assigned to, its parent, or the host of its shadow root.
export function parentOf(el: Element): Element | null {
  const slot = assignedSlotGet.call(el) as Element | null;
  return slot ?? parentOrHost(el);
}

// Parent in the node tree, leaving a shadow root for its host; ignores slots.
export function parentOrHost(node: Node): Element | null {
  const parent = parentNodeOf(node);
  if (parent === null) return null;
  if (isElement(parent)) return parent;
  return parent instanceof ShadowRoot ? parent.host : null;
}

// Children in the composed tree: of the open shadow root, or assigned to the slot, or plain.
export function composedNodes(el: Element): Node[] {
  const shadow = shadowRootOf(el);
  if (shadow) return childList(shadow);
  if (el instanceof HTMLSlotElement) {
    const assigned = el.assignedNodes();
    if (assigned.length > 0) return assigned;
  }
  return childList(el);
}

// A list of its own: walking siblings is faster than the live list of the parent.
function childList(parent: Node): Node[] {
  const list: Node[] = [];
  for (let node = firstChildOf(parent); node; node = nextSiblingOf(node)) list.push(node);
  return list;
}

export function composedChildren(el: Element): Element[] {
  return composedNodes(el).filter(isElement);
}

// True when `el` is `root` or below it, also through slots and shadow roots.
export function deepContains(root: Node, el: Node): boolean {
  if (contains.call(root, el)) return true;
  for (let at = isElement(el) ? el : parentOrHost(el); at; at = parentOf(at)) {
    if (at === root || parentNodeOf(at) === root) return true;
  }
  return false;
}

// First of `el` and its composed ancestors that satisfies `accept`.
export function closestComposed(el: Element, accept: (candidate: Element) => boolean): Element | null {
  for (let at: Element | null = el; at; at = parentOf(at)) if (accept(at)) return at;
  return null;
}

export function closestComposedCss(el: Element, selector: string): Element | null {
  for (let at: Element | null = el; at; ) {
    const found = closestCss(at, selector);
    if (found) return found;
    const root = rootOf(at);
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return null;
}

const hosts = new Memo<Element[]>();

// The hosts of open shadow roots in the tree scope of `root` (root itself not included), in document order.
function hostsIn(root: Root): Element[] {
  return hosts.get(root, findHosts);
}

// No selector matches hosts, so elements are asked one by one; a TreeWalker is the fastest way past all of them.
function findHosts(root: Root): Element[] {
  const selector = skippingSelector();
  if (selector !== '') return queryScope(root, selector).filter((el) => shadowRootGet.call(el) !== null);
  const found: Element[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
  for (let el = walker.nextNode() as Element | null; el; el = walker.nextNode() as Element | null) {
    if (shadowRootGet.call(el)) found.push(el);
  }
  return found;
}

// Frequent elements that can never carry a shadow root.
const NEVER_HOSTS = new Set(
  'a b br button dd dt em g i img input label li option path script select source strong style svg td th time tr ul use'.split(' '),
);
const BIG_PAGE = 2000;
const SAMPLE_STEP = 16;
const SKIPPED_TAGS = 6;
const SKIPPED_SHARE = 0.6;

let sampledSize = 0;
let skipping = '';

// On a big page that is mostly made of elements which cannot be hosts (the cells of a table), a selector that leaves
// them out natively beats the walk. '' where it would not.
function skippingSelector(): string {
  const all = document.getElementsByTagName('*');
  const size = all.length;
  if (size < BIG_PAGE) return '';
  if (size > sampledSize * 2 || size * 2 < sampledSize) {
    sampledSize = size;
    skipping = sampleTags(all, size);
  }
  return skipping;
}

function sampleTags(all: HTMLCollectionOf<Element>, size: number): string {
  const counts = new Map<string, number>();
  for (let i = 0; i < size; i += SAMPLE_STEP) {
    const tag = tagOf(all[i]!);
    if (NEVER_HOSTS.has(tag)) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  }
  const frequent = Array.from(counts).sort((a, b) => b[1] - a[1]).slice(0, SKIPPED_TAGS);
  const share = frequent.reduce((sum, [, count]) => sum + count, 0) / (size / SAMPLE_STEP);
  return share < SKIPPED_SHARE ? '' : `:not(${frequent.map(([tag]) => tag).join(',')})`;
}

// Every open shadow root below `root` (its own included), outer before inner, in document order.
export function shadowRootsIn(root: Root): ShadowRoot[] {
  const found: ShadowRoot[] = [];
  const enter = (shadow: ShadowRoot | null): void => {
    if (shadow) found.push(shadow, ...shadowRootsIn(shadow));
  };
  if (isElement(root)) enter(shadowRootOf(root));
  for (const host of hostsIn(root)) enter(shadowRootOf(host));
  return found;
}

// Every match below `root`, each open shadow root being queried as a tree of its own. In document order: a host
// comes before the content of its shadow root, which comes before the host's light children.
export function queryDeep(root: Root, selector: string): Element[] {
  const light = queryScope(root, selector);
  const found: Element[] = [];
  const own = isElement(root) ? shadowRootOf(root) : null;
  if (own) found.push(...queryDeep(own, selector));
  let next = 0;
  for (const host of hostsIn(root)) {
    while (next < light.length && (light[next] === host || precedes(light[next]!, host))) found.push(light[next++]!);
    found.push(...queryDeep(shadowRootOf(host)!, selector));
  }
  while (next < light.length) found.push(light[next++]!);
  return found;
}

export function allElements(root: Root): Element[] {
  return queryDeep(root, '*');
}

// Unique elements, sorted by position in the composed document.
export function inDocumentOrder(elements: Iterable<Element>): Element[] {
  const list = Array.from(new Set(elements));
  return list.length < 2 ? list : list.sort(compareComposed);
}

// Order of two different elements in the composed document, as a sort function wants it.
export function compareComposed(a: Element, b: Element): number {
  if (rootOf(a) === rootOf(b)) return precedes(a, b) ? -1 : 1;
  const left = hostChain(a);
  const right = hostChain(b);
  let depth = 0;
  while (depth < left.length && depth < right.length && left[depth] === right[depth]) ++depth;
  const x = left[depth];
  const y = right[depth];
  if (!x || !y) return x ? 1 : -1;
  return precedes(x, y) ? -1 : 1;
}

// The element preceded by the hosts that lead to it, outermost first.
function hostChain(el: Element): Element[] {
  const chain = [el];
  for (let root = rootOf(el); root instanceof ShadowRoot; root = rootOf(root.host)) chain.unshift(root.host);
  return chain;
}

// The deepest element at a point of the viewport, through open shadow roots.
export function elementAt(x: number, y: number): Element | null {
  let at = document.elementFromPoint(x, y);
  for (let shadow = at && shadowRootOf(at); shadow; shadow = at && shadowRootOf(at)) {
    const inner: Element | null = shadow.elementFromPoint(x, y);
    // A host that is hit itself answers with itself.
    if (!inner || inner === at) break;
    at = inner;
  }
  return at;
}
