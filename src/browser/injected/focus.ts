// Keyboard focus and the selection inside what has it.

import { describe } from './describe';
import { closestComposed, rootOf } from './dom';
import { type Failure, fail } from './result';
import { isEditingHost } from './aria/roles';

export type Caret = 'end' | 'keep' | 'select_all';

type TextControl = HTMLInputElement | HTMLTextAreaElement;

export function isTextControl(el: Element): el is TextControl {
  return el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement;
}

// Inside rich text the whole editor takes the focus, not the paragraph in it.
function focusOwner(el: Element): Element {
  if (isTextControl(el) || !(el instanceof HTMLElement) || !el.isContentEditable) return el;
  return closestComposed(el, isEditingHost) ?? el;
}

function hasFocus(el: Element): boolean {
  const root = rootOf(el);
  return (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === el;
}

// Gives the element the focus. Fails when it cannot have it or the page gave it to something else. An element that
// its document remembers does not have it while another frame does.
export function takeFocus(el: Element): Failure | null {
  const owner = focusOwner(el);
  if (!hasFocus(owner) || !document.hasFocus()) HTMLElement.prototype.focus.call(owner as HTMLElement);
  if (hasFocus(owner) || delegatesFocus(owner)) return null;
  const holder = document.activeElement;
  return fail('not_enabled', `${describe(el)} cannot take the focus`, { detail: holder ? { focused: describe(holder) } : undefined });
}

// A host may pass the focus on into its shadow tree.
function delegatesFocus(el: Element): boolean {
  return el.shadowRoot?.activeElement != null;
}

export function releaseFocus(el: Element): void {
  HTMLElement.prototype.blur.call(focusOwner(el) as HTMLElement);
}

export function placeCaret(el: Element, caret: Caret): void {
  if (caret === 'keep') return;
  if (isTextControl(el)) placeInControl(el, caret);
  else if (el instanceof HTMLElement && el.isContentEditable) placeInContent(el, caret);
}

function placeInControl(el: TextControl, caret: Caret): void {
  if (caret === 'select_all') return el.select();
  if (el.selectionStart !== null) return el.setSelectionRange(el.value.length, el.value.length);
  // Some types (number, email) keep their selection from scripts; the caret can be moved all the same.
  getSelection()?.modify('move', 'forward', 'documentboundary');
}

function placeInContent(el: HTMLElement, caret: Caret): void {
  const selection = getSelection();
  selection?.selectAllChildren(el);
  if (caret === 'end') selection?.collapseToEnd();
}
