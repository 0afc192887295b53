// What a person and assistive technology can see and use.

import { Memo, styleOf } from './cache';
import {
  attr,
  checkVisibility,
  closestComposedCss,
  closestCss,
  composedNodes,
  hasAttr,
  isElement,
  isText,
  matchesCss,
  parentOf,
  rectOf,
  tagOf,
} from './dom';
import { roleOf } from './aria/roles';

const visible = new Memo<boolean>();
const ariaHidden = new Memo<boolean>();

// Has a box with an area and is not hidden by style. Transparent or covered elements are visible.
export function isVisible(el: Element): boolean {
  return visible.get(el, computeVisible);
}

function computeVisible(el: Element): boolean {
  if (!checkVisibility(el, { visibilityProperty: true })) return showsThroughContents(el);
  const rect = rectOf(el);
  return rect.width > 0 && rect.height > 0;
}

// An element with display:contents has no box; it is seen through its children.
function showsThroughContents(el: Element): boolean {
  if (styleOf(el).display !== 'contents') return false;
  for (const node of composedNodes(el)) {
    if (isElement(node) ? isVisible(node) : isText(node) && isTextVisible(node)) return true;
  }
  return false;
}

export function isTextVisible(node: Text): boolean {
  const range = document.createRange();
  range.selectNode(node);
  const rect = range.getBoundingClientRect();
  return rect.width > 0 && rect.height > 0;
}

// Not in the accessibility tree: hidden by style, aria-hidden or inert, on itself or above.
export function isHiddenForAria(el: Element): boolean {
  return isHiddenByAttribute(el) || !isRendered(el);
}

function isHiddenByAttribute(el: Element): boolean {
  return ariaHidden.get(el, computeHiddenByAttribute);
}

function computeHiddenByAttribute(el: Element): boolean {
  if (attr(el, 'aria-hidden')?.toLowerCase() === 'true' || hasAttr(el, 'inert')) return true;
  const parent = parentOf(el);
  return parent !== null && isHiddenByAttribute(parent);
}

// In the render tree and not visibility:hidden; needs no area.
export function isRendered(el: Element): boolean {
  if (checkVisibility(el, { visibilityProperty: true })) return true;
  return hasStyleBox(el) && styleOf(el).visibility === 'visible';
}

const boxes = new Memo<boolean>();

function hasStyleBox(el: Element): boolean {
  return boxes.get(el, computeStyleBox);
}

function computeStyleBox(el: Element): boolean {
  if (checkVisibility(el)) return true;
  const tag = tagOf(el);
  // The options of a closed drop-down have no box, yet they are there to be chosen.
  if (tag === 'option' || tag === 'optgroup') {
    const owner = closestCss(el, 'select');
    return owner !== null && hasStyleBox(owner) && !hasAttr(el, 'hidden');
  }
  if (styleOf(el).display !== 'contents') return false;
  const parent = parentOf(el);
  return parent === null || hasStyleBox(parent);
}

const DISABLEABLE_ROLES = new Set(
  ('application button checkbox columnheader combobox composite grid gridcell group input link listbox menu menubar menuitem ' +
    'menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox select separator slider ' +
    'spinbutton switch tab tablist textbox toolbar tree treegrid treeitem').split(' '),
);

export function isEnabled(el: Element): boolean {
  if (matchesCss(el, ':disabled')) return false;
  if (tagOf(el) === 'option' && closestCss(el, 'select:disabled')) return false;
  return !isAriaDisabled(el);
}

// aria-disabled holds for everything inside the element that carries it.
function isAriaDisabled(el: Element): boolean {
  const carrier = closestComposedCss(el, '[aria-disabled]');
  if (!carrier || attr(carrier, 'aria-disabled')?.toLowerCase() !== 'true') return false;
  return carrier === el || DISABLEABLE_ROLES.has(roleOf(carrier));
}

const NOT_TYPED = /^(button|checkbox|file|hidden|image|radio|reset|submit)$/;

// Can take a value now: an enabled, writable field, list or editing host.
export function isEditable(el: Element): boolean {
  if (!isEnabled(el) || isReadonly(el)) return false;
  if (el instanceof HTMLInputElement) return !NOT_TYPED.test(el.type);
  if (el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement) return true;
  return el instanceof HTMLElement && el.isContentEditable;
}

function isReadonly(el: Element): boolean {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) {
    if (el.readOnly) return true;
  }
  return attr(el, 'aria-readonly')?.toLowerCase() === 'true';
}

export interface AriaStates {
  checked?: boolean | 'mixed';
  pressed?: boolean | 'mixed';
  selected?: boolean;
  expanded?: boolean;
  level?: number;
  disabled?: boolean;
  invalid?: boolean;
  required?: boolean;
  readonly?: boolean;
}

const CHECKED_ROLES = /^(checkbox|menuitemcheckbox|menuitemradio|option|radio|switch|treeitem)$/;
const SELECTED_ROLES = /^(columnheader|gridcell|option|row|rowheader|tab|treeitem)$/;
const EXPANDED_ROLES =
  /^(application|button|checkbox|columnheader|combobox|gridcell|link|listbox|menuitem|menuitemcheckbox|menuitemradio|row|rowheader|switch|tab|treeitem)$/;

// The states the element has; a state that does not apply to its role is left out.
export function ariaStates(el: Element): AriaStates {
  const role = roleOf(el);
  const states: AriaStates = {};
  set(states, 'checked', CHECKED_ROLES.test(role) ? checkedState(el, role) : undefined);
  set(states, 'pressed', role === 'button' ? triState(attr(el, 'aria-pressed')) : undefined);
  set(states, 'selected', SELECTED_ROLES.test(role) ? selectedState(el) : undefined);
  set(states, 'expanded', EXPANDED_ROLES.test(role) ? expandedState(el) : undefined);
  set(states, 'level', levelOf(el, role));
  if (!isEnabled(el)) states.disabled = true;
  if (isInvalid(el)) states.invalid = true;
  if (isRequired(el)) states.required = true;
  if (isReadonly(el)) states.readonly = true;
  return states;
}

function set<K extends keyof AriaStates>(states: AriaStates, key: K, value: AriaStates[K] | undefined): void {
  if (value !== undefined) states[key] = value;
}

function triState(value: string | null): boolean | 'mixed' | undefined {
  switch (value?.toLowerCase()) {
    case 'true':
      return true;
    case 'false':
      return false;
    case 'mixed':
      return 'mixed';
    default:
      return undefined;
  }
}

function checkedState(el: Element, role: string): boolean | 'mixed' | undefined {
  if (el instanceof HTMLInputElement && /^(checkbox|radio)$/.test(el.type)) {
    return el.type === 'checkbox' && el.indeterminate ? 'mixed' : el.checked;
  }
  const stated = triState(attr(el, 'aria-checked'));
  if (stated !== undefined || role === 'option' || role === 'treeitem') return stated;
  return false;
}

function selectedState(el: Element): boolean | undefined {
  if (el instanceof HTMLOptionElement) return el.selected;
  const stated = triState(attr(el, 'aria-selected'));
  return typeof stated === 'boolean' ? stated : undefined;
}

function expandedState(el: Element): boolean | undefined {
  if (tagOf(el) === 'summary') return closestCss(el, 'details')?.hasAttribute('open') ?? undefined;
  const stated = triState(attr(el, 'aria-expanded'));
  return typeof stated === 'boolean' ? stated : popoverState(el);
}

// A button that controls a popover says so natively, without aria-expanded.
function popoverState(el: Element): boolean | undefined {
  if (!(el instanceof HTMLButtonElement || el instanceof HTMLInputElement)) return undefined;
  return el.popoverTargetElement ? el.popoverTargetElement.matches(':popover-open') : undefined;
}

function levelOf(el: Element, role: string): number | undefined {
  if (!/^(heading|listitem|row|treeitem)$/.test(role)) return undefined;
  const stated = Number(attr(el, 'aria-level'));
  if (stated >= 1 && Number.isInteger(stated)) return stated;
  const native = /^h([1-6])$/.exec(tagOf(el));
  if (native) return Number(native[1]);
  return role === 'heading' ? 2 : undefined;
}

function isInvalid(el: Element): boolean {
  const stated = attr(el, 'aria-invalid')?.toLowerCase();
  if (stated !== undefined) return stated !== '' && stated !== 'false';
  return matchesCss(el, 'input:user-invalid,select:user-invalid,textarea:user-invalid');
}

function isRequired(el: Element): boolean {
  return matchesCss(el, 'input:required,select:required,textarea:required') || attr(el, 'aria-required')?.toLowerCase() === 'true';
}
