// Identity of elements: refs that a model may keep, and handles for one exchange with the driver.
//
// A ref is `d<doc>e<n>`. An element keeps it while it lives. When a framework replaces an element by an equal one,
// the new element takes the ref over, so that a re-render does not invalidate what the model knows. Two elements are
// equal when their fingerprints are, and a ref is handed on only when the number of equal elements in the document
// still is the number of refs given out for them: then position decides. Everything else is a new element with a new
// ref. Handing a ref to the wrong element would act on the wrong thing, losing one only costs a look at the page.

import { Memo } from './cache';
import { attr, compareComposed, documentOf, isConnected, queryDeep, tagOf } from './dom';
import { fingerprintOf } from './selectors/fingerprint';

interface Entry {
  ref: string;
  element: WeakRef<Element>;
  fingerprint: string;
}

const REF = /^d(\d+)e(\d+)$/;
const FORGET_ABOVE = 20_000;

const refs = new WeakMap<Element, Entry>();
const entries = new Map<string, Entry>();
// Entries with the same fingerprint, in the document order of their elements.
const equals = new Map<string, Entry[]>();
let lastNumber = 0;
let forgetAbove = FORGET_ABOVE;

export function refFor(el: Element, doc: number): string {
  const known = refs.get(el);
  if (known) {
    if (isConnected(el)) refresh(known, el);
    return known.ref;
  }
  const fingerprint = fingerprintOf(el);
  const inherited = isConnected(el) ? goneTwin(el, fingerprint) : undefined;
  if (!inherited) return mint(el, doc, fingerprint).ref;
  const previous = inherited.element.deref();
  if (previous) refs.delete(previous);
  inherited.element = new WeakRef(el);
  refs.set(el, inherited);
  return inherited.ref;
}

// The element of a ref; 'stale' when the ref is unknown here or its element left the document; null when it is no ref.
export function elementOf(ref: string): Element | null | 'stale' {
  if (!REF.test(ref)) return null;
  const el = entries.get(ref)?.element.deref();
  return el && isConnected(el) ? el : 'stale';
}

function mint(el: Element, doc: number, fingerprint: string): Entry {
  if (entries.size >= forgetAbove) forgetGone();
  const entry = { ref: `d${doc}e${++lastNumber}`, element: new WeakRef(el), fingerprint };
  refs.set(el, entry);
  entries.set(entry.ref, entry);
  enlist(entry, el);
  return entry;
}

// Keeps the fingerprint that the element had when it was last seen.
function refresh(entry: Entry, el: Element): void {
  const fingerprint = fingerprintOf(el);
  if (fingerprint === entry.fingerprint) return;
  delist(entry);
  entry.fingerprint = fingerprint;
  enlist(entry, el);
}

function enlist(entry: Entry, el: Element): void {
  const group = equals.get(entry.fingerprint);
  if (!group) {
    equals.set(entry.fingerprint, [entry]);
    return;
  }
  let at = group.length;
  while (at > 0 && comesBefore(el, group[at - 1]!)) --at;
  group.splice(at, 0, entry);
}

function comesBefore(el: Element, other: Entry): boolean {
  const there = liveElement(other);
  return there !== null && compareComposed(el, there) < 0;
}

function delist(entry: Entry): void {
  const group = equals.get(entry.fingerprint)!;
  if (group.length === 1) equals.delete(entry.fingerprint);
  else group.splice(group.indexOf(entry), 1);
}

function liveElement(entry: Entry): Element | null {
  const el = entry.element.deref();
  return el && isConnected(el) ? el : null;
}

function goneTwin(el: Element, fingerprint: string): Entry | undefined {
  const group = equals.get(fingerprint);
  if (!group || group.every(liveElement)) return undefined;
  const twins = twinsOf(el, fingerprint);
  if (twins.length !== group.length) {
    // Which of them is gone for good cannot be told any more.
    for (const entry of Array.from(group)) if (!liveElement(entry)) forget(entry);
    return undefined;
  }
  const entry = group[twins.indexOf(el)]!;
  return liveElement(entry) ? undefined : entry;
}

const twinIndex = new Memo<Map<string, Element[]>>();

// All elements of the document with this fingerprint, in document order.
function twinsOf(el: Element, fingerprint: string): Element[] {
  const role = attr(el, 'role');
  const selector = role === null ? tagOf(el) : `${tagOf(el)}[role="${CSS.escape(role)}"]`;
  const index = twinIndex.get(selector, () => indexByFingerprint(queryDeep(documentOf(el), selector)));
  return index.get(fingerprint) ?? [];
}

function indexByFingerprint(elements: Element[]): Map<string, Element[]> {
  const index = new Map<string, Element[]>();
  for (const el of elements) {
    const key = fingerprintOf(el);
    const list = index.get(key);
    if (list) list.push(el);
    else index.set(key, [el]);
  }
  return index;
}

// Long-lived pages replace elements without end; entries of elements that are gone are dropped together.
function forgetGone(): void {
  for (const entry of Array.from(entries.values())) if (!liveElement(entry)) forget(entry);
  // What remains is alive; looking at all of it again is worth it only after as many more.
  forgetAbove = Math.max(FORGET_ABOVE, entries.size * 2);
}

function forget(entry: Entry): void {
  entries.delete(entry.ref);
  const el = entry.element.deref();
  if (el) refs.delete(el);
  delist(entry);
}

const handles = new Map<number, WeakRef<Element>>();
const handleNumbers = new WeakMap<Element, number>();
let lastHandle = 0;
const collected = new FinalizationRegistry<number>((handle) => handles.delete(handle));

export function handleFor(el: Element): number {
  const known = handleNumbers.get(el);
  if (known !== undefined) return known;
  const handle = ++lastHandle;
  handleNumbers.set(el, handle);
  handles.set(handle, new WeakRef(el));
  collected.register(el, handle);
  return handle;
}

// The element of a handle, also when it left the document; null when it is unknown or no longer exists.
export function byHandle(handle: number): Element | null {
  return handles.get(handle)?.deref() ?? null;
}
