// Which elements a user can act on, and how strongly they look like it.

import { attr, firstElementOf, hasAttr, nextElementOf, parentElementOf, tagOf } from '../dom';
import { isBare } from './projector_document';
import { isInteractiveRole, roleOf } from '../aria/roles';

// 'control': says what it is (native, or by its role). 'listener': focusable or with a handler in its markup.
// 'region': only its cursor tells.
export type Interactivity = 'control' | 'listener' | 'region';

// Attributes in which pages and frameworks write down that an element reacts to the user.
const LISTENER_ATTRIBUTES = [
  'onclick', 'onmousedown', 'onmouseup', 'onpointerdown', 'onpointerup', 'ontouchstart', 'onkeydown', 'jsaction',
  'ng-click', 'data-ng-click', '@click', 'v-on:click', 'x-on:click', 'wire:click', 'hx-get', 'hx-post', 'hx-put', 'hx-delete',
  'data-action', 'data-toggle', 'data-bs-toggle',
];

// Containers that may take focus only to be scrolled or announced.
const PASSIVE_ROLES = new Set(
  ('alert alertdialog application article banner complementary contentinfo dialog document feed figure form grid group ' +
    'heading img list log main navigation none note presentation radiogroup region row rowgroup search status table ' +
    'tablist tabpanel toolbar tooltip tree treegrid').split(' '),
);

const NATIVE = new Set('button input select textarea summary a area audio video'.split(' '));

export function interactivityOf(el: Element, tag: string): Interactivity | null {
  if (NATIVE.has(tag) && isNativeControl(el, tag)) return 'control';
  if (isBare(el)) return null;
  const role = hasAttr(el, 'role') ? roleOf(el) : '';
  if (role !== '' && isInteractiveRole(role) && isOwnControl(el, role)) return 'control';
  if (isEditingHost(el)) return 'control';
  if (hasListener(el)) return 'listener';
  return isFocusable(el) && role !== '' && !PASSIVE_ROLES.has(role) ? 'listener' : null;
}

function isNativeControl(el: Element, tag: string): boolean {
  switch (tag) {
    case 'a':
    case 'area':
      return hasAttr(el, 'href') || hasAttr(el, 'xlink:href');
    case 'input':
      return (el as HTMLInputElement).type !== 'hidden';
    case 'audio':
    case 'video':
      return hasAttr(el, 'controls');
    case 'summary':
      return isSummaryOfDetails(el);
    default:
      return true;
  }
}

function isSummaryOfDetails(el: Element): boolean {
  const details = parentElementOf(el);
  if (!details || tagOf(details) !== 'details') return false;
  for (let child = firstElementOf(details); child; child = nextElementOf(child)) {
    if (tagOf(child) === 'summary') return child === el;
  }
  return false;
}

// A grid cell or a list box is a control only where it can be focused itself; otherwise what it holds is.
function isOwnControl(el: Element, role: string): boolean {
  return (role !== 'gridcell' && role !== 'listbox') || hasAttr(el, 'tabindex') || hasListener(el);
}

export function isEditingHost(el: Element): boolean {
  const value = attr(el, 'contenteditable');
  return value !== null && value.toLowerCase() !== 'false' && el instanceof HTMLElement && el.isContentEditable;
}

function isFocusable(el: Element): boolean {
  const tabindex = attr(el, 'tabindex');
  return tabindex !== null && Number(tabindex) >= 0;
}

function hasListener(el: Element): boolean {
  return LISTENER_ATTRIBUTES.some((name) => hasAttr(el, name));
}

const MAIN_ROLES = new Set(
  'button checkbox combobox link menuitem option radio searchbox slider spinbutton switch tab textbox'.split(' '),
);

// How much an element deserves a place when not all of them fit; see rank().
export function strengthOf(kind: Interactivity, role: string, name: string): number {
  const base = kind === 'region' ? 0 : kind === 'control' && MAIN_ROLES.has(role) ? 4 : 2;
  return base + (name === '' ? 0 : 1);
}

// The role to show: what HTML leaves without an ARIA role still needs a word that says how to use it.
export function shownRole(el: Element, tag: string): string {
  const role = roleOf(el);
  if (role !== '' && role !== 'generic' && role !== 'presentation') return role;
  if (tag === 'input') return /^(file|color)$/.test((el as HTMLInputElement).type) ? 'button' : 'textbox';
  if (tag === 'summary') return 'button';
  if (isEditingHost(el)) return 'textbox';
  return tag === 'audio' || tag === 'video' ? 'media' : 'clickable';
}
