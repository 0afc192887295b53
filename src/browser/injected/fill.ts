// Replacing the value of a field, so that the page sees what it would see from a person.

import { describe } from './describe';
import { isTextControl, placeCaret, takeFocus } from './focus';
import { type Failure, fail } from './result';
import { nextFrame } from './signals';

export interface Filled {
  value_length: number;
  value_matches: boolean;
  // The field is focused and its content selected; the text (or nothing, to clear it) must be put in by the driver.
  needs_insert_text?: true;
}

// Set as a whole; the page never sees single characters in them.
const PICKED_TYPES = /^(color|date|datetime-local|month|range|time|week)$/;
const UNFILLABLE_TYPES = /^(button|checkbox|file|hidden|image|radio|reset|submit)$/;

export function refuseUnfillable(el: Element): Failure | null {
  if (el instanceof HTMLInputElement) {
    return UNFILLABLE_TYPES.test(el.type) ? fail('wrong_element', `${describe(el)} of type ${el.type} cannot be filled`) : null;
  }
  if (el instanceof HTMLSelectElement) return fail('wrong_element', `${describe(el)} is a list: select an option instead`);
  if (isTextControl(el) || (el instanceof HTMLElement && el.isContentEditable)) return null;
  // An editor may become editable a moment later; anything that is not made for text never will.
  if (el.matches('[role=textbox], [role=searchbox], [role=combobox], [contenteditable]')) return null;
  return fail('wrong_element', `${describe(el)} is not a field`);
}

export async function fillElement(el: Element, value: string): Promise<Filled | Failure> {
  if (el instanceof HTMLInputElement && PICKED_TYPES.test(el.type)) return setPicked(el, value);
  if (el instanceof HTMLInputElement && el.type === 'number' && Number.isNaN(Number(value.trim()))) {
    return fail('wrong_value', `${describe(el)} takes a number`);
  }
  const wanted = el instanceof HTMLInputElement && el.type === 'number' ? value.trim() : value;
  return takeFocus(el) ?? replaceText(el, wanted);
}

function setPicked(el: HTMLInputElement, value: string): Filled | Failure {
  const refusedFocus = takeFocus(el);
  if (refusedFocus) return refusedFocus;
  const before = el.value;
  // This world has its own view of the element: property setters the page's framework installed are not met here.
  el.value = value.trim();
  if (!holds(el, value)) {
    el.value = before;
    return fail('wrong_value', `${describe(el)} of type ${el.type} does not take this value`);
  }
  announceChange(el);
  return compare(el, value);
}

// What a picker may write differently without meaning anything else: case of colours, seconds that are zero.
function canonical(value: string): string {
  return value.trim().toLowerCase().replace(/(\d\d:\d\d):00(\.0+)?$/, '$1').replace(/^(\d{4}-\d\d-\d\d) /, '$1t');
}

export function announceChange(el: Element): void {
  el.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  el.dispatchEvent(new Event('change', { bubbles: true }));
}

async function replaceText(el: Element, value: string): Promise<Filled> {
  placeCaret(el, 'select_all');
  // Editors of rich text keep their own model of it, fed by events that editing commands do not send.
  if (!isTextControl(el)) {
    await selectionSeen();
    return { ...compare(el, value), needs_insert_text: true };
  }
  const reacted = insertText(value);
  // Frameworks render what they make of the input in a microtask.
  await Promise.resolve();
  const result = compare(el, value);
  if (result.value_matches || reacted) return result;
  placeCaret(el, 'select_all');
  return { ...result, needs_insert_text: true };
}

// They also learn of a new selection only through its event, which comes within two frames if anything changed.
function selectionSeen(): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      document.removeEventListener('selectionchange', done);
      resolve();
    };
    document.addEventListener('selectionchange', done);
    nextFrame(() => nextFrame(done));
  });
}

// True when the field reported an input: from then on its value is the page's decision.
function insertText(value: string): boolean {
  let reacted = false;
  const note = (): void => {
    reacted = true;
  };
  window.addEventListener('input', note, true);
  if (value === '') document.execCommand('delete');
  else document.execCommand('insertText', false, value);
  window.removeEventListener('input', note, true);
  return reacted;
}

export function compare(el: Element, value: string): Filled {
  return { value_length: textOf(el).length, value_matches: holds(el, value) };
}

function holds(el: Element, value: string): boolean {
  const lines = value.replace(/\r\n?/g, '\n');
  if (el instanceof HTMLInputElement && PICKED_TYPES.test(el.type)) return canonical(el.value) === canonical(value);
  if (el instanceof HTMLInputElement) return el.value === lines.replace(/\n/g, '') || el.value === lines.replace(/\n/g, ' ');
  if (el instanceof HTMLTextAreaElement) return el.value === lines;
  return squeezed(textOf(el)) === squeezed(lines);
}

function textOf(el: Element): string {
  if (isTextControl(el)) return el.value;
  return el instanceof HTMLElement ? el.innerText : '';
}

// How an editor marks up lines and keeps spaces is its own affair.
function squeezed(text: string): string {
  return text.replace(/\u00a0/g, ' ').replace(/[ \t]*\n\s*/g, '\n').trim();
}
