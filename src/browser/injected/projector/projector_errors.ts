// Messages that something is wrong, and the fields they speak of.

import { attr, byIds, checkVisibility, hasAttr, matchesCss, parentOf, queryScope } from '../dom';
import { byClass, isBare, nested } from './projector_document';
import { SHOWN, visibleText } from './projector_text';

export interface ErrorSpot {
  el: Element;
  text: string;
  field: Element | null;
}

export const MAX_ERROR_TEXT = 120;
const MAX_CLIMB = 4;

const ERROR_CLASS =
  /(^|\s)(error|errors|error-message|error-text|errorlist|field-error|form-error|input-error|validation-error|invalid-feedback|invalid-message|alert-danger|alert-error|help-error|text-danger)(\s|$)/i;
const ERROR_CLASSES = ['error', 'invalid-feedback', 'field-error', 'alert-danger', 'error-message'];
// Asked one by one: a list of selectors takes the browser several times longer than its members.
const LIVE = ['[role="alert"]', '[aria-live="assertive"]'];
export const CONTROLS = 'input:not([type="hidden"]),select,textarea,[contenteditable="true"],[role="textbox"],[role="combobox"]';

export function isErrorMark(el: Element): boolean {
  if (isBare(el)) return false;
  if (attr(el, 'role') === 'alert' || attr(el, 'aria-live') === 'assertive') return true;
  const classes = attr(el, 'class');
  return classes !== null && ERROR_CLASS.test(classes);
}

// The message an element marked as an error shows, if it shows one. A group of fields that is marked as a whole is
// no message: the fields and messages in it speak for themselves.
export function errorSpot(el: Element): ErrorSpot | null {
  if (matchesCss(el, CONTROLS) || queryScope(el, CONTROLS).length > 0) return null;
  const text = visibleText(el, MAX_ERROR_TEXT);
  return text === '' ? null : { el, text, field: null };
}

// Messages outside of what was walked: an error at the top of the page matters wherever the reader is.
export function distantErrors(known: readonly ErrorSpot[], limit: number): ErrorSpot[] {
  const found: ErrorSpot[] = [];
  const seen = known.map((spot) => spot.el);
  for (const el of markedElements()) {
    if (found.length >= limit) break;
    if (seen.some((other) => nested(other, el))) continue;
    const spot = checkVisibility(el, SHOWN) ? errorSpot(el) : null;
    if (!spot) continue;
    found.push(spot);
    seen.push(el);
  }
  return found;
}

// Live collections are kept by the browser between calls, so asking for them costs next to nothing.
function markedElements(): Element[] {
  const marked = LIVE.flatMap((selector) => Array.from(queryScope(document, selector)));
  for (const name of ERROR_CLASSES) marked.push(...byClass(name));
  return marked;
}

// Fields by the id references that point from them to their messages.
export function linkFields(spots: readonly ErrorSpot[], fields: readonly Element[]): void {
  const speakers = new Map<Element, Element>();
  for (const field of fields) {
    if (!hasAttr(field, 'aria-errormessage') && !hasAttr(field, 'aria-describedby')) continue;
    for (const message of [...byIds(field, 'aria-errormessage'), ...byIds(field, 'aria-describedby')]) {
      speakers.set(message, field);
    }
  }
  for (const spot of spots) spot.field = referenced(spot.el, speakers) ?? nearestField(spot.el);
}

function referenced(el: Element, speakers: ReadonlyMap<Element, Element>): Element | null {
  for (const [message, field] of speakers) {
    if (nested(message, el)) return field;
  }
  return null;
}

// The one field in the smallest group around the message; two or more fields, and the message speaks of all of them.
function nearestField(el: Element): Element | null {
  let group: Element | null = parentOf(el);
  for (let climbed = 0; group && climbed < MAX_CLIMB; ++climbed, group = parentOf(group)) {
    const fields = queryScope(group, CONTROLS);
    if (fields.length > 0) return fields.length === 1 || sameChoice(fields) ? fields[0]! : null;
  }
  return null;
}

// The radio buttons of one choice count as one field.
function sameChoice(fields: Element[]): boolean {
  const name = attr(fields[0]!, 'name');
  return name !== null && Array.from(fields).every((field) => attr(field, 'type') === 'radio' && attr(field, 'name') === name);
}

// Fields that are wrong without any message in the page: the browser's own words.
export function silentErrors(fields: readonly Element[], spots: readonly ErrorSpot[]): ErrorSpot[] {
  const spoken = new Set(spots.map((spot) => spot.field));
  return fields
    .filter((field) => !spoken.has(field) && matchesCss(field, ':user-invalid'))
    .map((field) => ({ el: field, text: (field as HTMLInputElement).validationMessage, field }));
}
