// ARIA role of an element: the first valid explicit role, else the implicit one of HTML-AAM.
// Elements without a meaning of their own (div, span) have the role ''.

import { Memo } from '../cache';
import { attr, hasAttr, matchesCss, parentElementOf, parentOf, tagOf } from '../dom';
import { implicitRole } from './implicit_roles';

const KNOWN_ROLES = words(
  'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox comment',
  'complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid gridcell',
  'group heading img insertion link list listbox listitem log main mark marquee math menu menubar menuitem',
  'menuitemcheckbox menuitemradio meter navigation note option paragraph presentation progressbar radio radiogroup region row',
  'rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong subscript suggestion superscript',
  'switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem',
);

const INTERACTIVE_ROLES = words(
  'button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox',
  'slider spinbutton switch tab textbox treeitem',
);

const NAME_PROHIBITED_ROLES = words(
  'caption code deletion emphasis generic insertion mark paragraph presentation strong subscript superscript suggestion term time',
);

// Attributes that give an element a meaning even when it claims to have none.
const GLOBAL_ARIA =
  '[aria-atomic],[aria-busy],[aria-controls],[aria-current],[aria-describedby],[aria-details],[aria-flowto],' +
  '[aria-keyshortcuts],[aria-label],[aria-labelledby],[aria-live],[aria-owns],[aria-relevant],[aria-roledescription]';

function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

export function isInteractiveRole(role: string): boolean {
  return INTERACTIVE_ROLES.has(role);
}

export function isKnownRole(role: string): boolean {
  return KNOWN_ROLES.has(role);
}

export function isNameProhibited(role: string): boolean {
  return NAME_PROHIBITED_ROLES.has(role);
}

const roles = new Memo<string>();

export function roleOf(el: Element): string {
  return roles.get(el, computeRole);
}

function computeRole(el: Element): string {
  const explicit = explicitRole(el);
  if (explicit === '') return implicitRole(el);
  return explicit === 'presentation' && keepsMeaning(el) ? implicitRole(el) : explicit;
}

export function explicitRole(el: Element): string {
  const value = attr(el, 'role');
  if (value === null) return '';
  for (const token of value.toLowerCase().split(/\s+/)) {
    if (token === 'none') return 'presentation';
    if (token === 'image') return 'img';
    if (KNOWN_ROLES.has(token)) return token;
  }
  return '';
}

// ARIA "presentational roles conflict resolution": a global attribute or focusability wins over presentation.
export function keepsMeaning(el: Element): boolean {
  return matchesCss(el, GLOBAL_ARIA) || isFocusable(el);
}

export function isFocusable(el: Element): boolean {
  const tabindex = attr(el, 'tabindex');
  if (tabindex !== null && /^\s*[+-]?\d/.test(tabindex)) return true;
  switch (tagOf(el)) {
    case 'a':
    case 'area':
      return hasAttr(el, 'href');
    case 'button':
    case 'select':
    case 'textarea':
      return !hasAttr(el, 'disabled');
    case 'input':
      return !hasAttr(el, 'disabled') && attr(el, 'type')?.toLowerCase() !== 'hidden';
    case 'iframe':
      return true;
    case 'summary':
      return parentElementOf(el)?.localName === 'details';
    case 'audio':
    case 'video':
      return hasAttr(el, 'controls');
    default:
      return isEditingHost(el);
  }
}

export function isEditingHost(el: Element): boolean {
  const value = attr(el, 'contenteditable');
  return value !== null && /^(|true|plaintext-only)$/i.test(value.trim());
}

const LANDMARK_TAGS = words('article aside dialog fieldset footer form header main nav search section');
const LANDMARK_ROLES = words(
  'alertdialog banner complementary contentinfo dialog form group main navigation region search tabpanel',
);

const landmarks = new Memo<Element | null>();

// The nearest landmark, dialog or form around an element; tells equal controls apart.
export function landmarkOf(el: Element): Element | null {
  const parent = parentOf(el);
  return parent && landmarks.get(parent, nearestLandmark);
}

function nearestLandmark(el: Element): Element | null {
  return LANDMARK_TAGS.has(tagOf(el)) || LANDMARK_ROLES.has(explicitRole(el)) ? el : landmarkOf(el);
}
