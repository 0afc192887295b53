// What makes an element the same thing after a re-render: its meaning, its author-given names and its surroundings.

import { Memo } from '../cache';
import { attr, nextElementOf, parentOf, previousElementOf, tagOf } from '../dom';
import { leadingText } from './engine_text';
import { nameOf } from '../aria/names';
import { landmarkOf, roleOf } from '../aria/roles';

const ITEM_DEPTH = 6;
export const TEST_ID_ATTRIBUTES = ['data-testid', 'data-test-id', 'data-test', 'data-qa', 'data-cy'] as const;

const fingerprints = new Memo<string>();

export function fingerprintOf(el: Element): string {
  return fingerprints.get(el, compute);
}

function compute(el: Element): string {
  const id = attr(el, 'id');
  return [
    roleOf(el),
    nameOf(el),
    tagOf(el),
    attr(el, 'type'),
    id,
    attr(el, 'name'),
    testIdOf(el),
    contextOf(el),
    // An id is unique by contract; without one, equal controls are told apart by the row or card they sit in.
    id ? '' : itemOf(el),
  ].join('\u0001');
}

export function testIdOf(el: Element): string {
  for (const name of TEST_ID_ATTRIBUTES) {
    const value = attr(el, name);
    if (value) return value;
  }
  return '';
}

const contexts = new Memo<string>();

function contextOf(el: Element): string {
  const landmark = landmarkOf(el);
  return landmark ? contexts.get(landmark, describeContext) : '';
}

function describeContext(landmark: Element): string {
  return `${tagOf(landmark)} ${roleOf(landmark)} ${nameOf(landmark)} ${attr(landmark, 'id') ?? ''}`;
}

// Text of the repeated item (row, card, list entry) that holds the element: "Delete" of Alice is not "Delete" of Bob.
// Where the item holds nothing but the element, the text before it counts (term and definition, flat lists).
function itemOf(el: Element): string {
  let at: Element | null = el;
  for (let depth = 0; at && depth < ITEM_DEPTH; ++depth, at = parentOf(at)) {
    if (!isItem(at)) continue;
    const text = leadingText(at);
    if (text !== leadingText(el)) return text;
    const before = previousElementOf(at);
    return before && !isAlike(at, before) ? leadingText(before) : '';
  }
  return '';
}

const ITEM_TAGS = /^(li|tr|article|dd|dt|option)$/;
const ITEM_ROLES = /\b(article|listitem|option|row|treeitem)\b/;

// An item by meaning, or one of several adjacent elements of the same make.
export function isItem(el: Element): boolean {
  if (ITEM_TAGS.test(tagOf(el)) || ITEM_ROLES.test(attr(el, 'role') ?? '')) return true;
  return isAlike(el, nextElementOf(el)) || isAlike(el, previousElementOf(el));
}

function isAlike(el: Element, other: Element | null): boolean {
  return other !== null && tagOf(other) === tagOf(el) && attr(other, 'class') === attr(el, 'class');
}
