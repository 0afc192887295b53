// Accessible name and description (accname 1.2), with whitespace collapsed.

import { Memo, styleOf } from '../cache';
import {
  attr,
  byIds,
  composedNodes,
  firstElementOf,
  hasAttr,
  isElement,
  isText,
  matchesCss,
  nextElementOf,
  queryScope,
  shadowRootOf,
  tagOf,
  textContentOf,
} from '../dom';
import { pseudoText } from './generated_content';
import { labelsOf } from './labels';
import { isSecret } from '../projector/projector_secret';
import { isEditingHost, isNameProhibited, roleOf } from './roles';
import { withoutSecrets } from '../secrets/typed_secrets';
import { normalise } from '../text';
import { isHiddenForAria } from '../visibility';

const names = new Memo<string>();

export function nameOf(el: Element): string {
  return names.get(el, computeName);
}

function computeName(el: Element): string {
  if (isNameProhibited(roleOf(el))) return '';
  return normalise(withoutSecrets(nameOfNode(el, startWalk(el, 'self'))));
}

// The text that is all there is to a name, save generated content: a plain element without references, labels or
// children. null when naming the element takes more than that.
export function plainText(el: Element): string | null {
  const plain = !NATIVE_NAMES[tagOf(el)] || (tagOf(el) === 'button' && labelsOf(el).length === 0);
  if (!plain || firstElementOf(el) || shadowRootOf(el) || matchesCss(el, NAMING)) return null;
  return normalise(textContentOf(el));
}

const NAMING = '[aria-label],[aria-labelledby],[aria-owns],[title],slot';

const untypedNames = new Memo<string>();

// The name without what is typed or chosen in fields inside of what names it: the same whoever filled them in.
export function untypedNameOf(el: Element): string {
  return untypedNames.get(el, computeUntypedName);
}

function computeUntypedName(el: Element): string {
  if (isNameProhibited(roleOf(el))) return '';
  return normalise(withoutSecrets(nameOfNode(el, startWalk(el, 'self', 'left_out'))));
}

export function descriptionOf(el: Element): string {
  const described = byIds(el, 'aria-describedby');
  if (described.length > 0) return normalise(joinReferenced(described));
  const stated = attr(el, 'aria-description');
  if (stated?.trim()) return normalise(stated);
  const title = normalise(attr(el, 'title') ?? '');
  return title !== '' && title !== nameOf(el) ? title : '';
}

// Text of an element as it would count in a name, for elements that have no name of their own (paragraph, div).
export function contentOf(el: Element): string {
  return normalise(nameFromContent(el, startWalk(el, 'content')));
}

// How a node came to be looked at; decides which rules apply to it.
type Reason = 'self' | 'content' | 'label' | 'referenced';

interface Walk {
  reason: Reason;
  visited: Set<Element>;
  // Hidden content counts below a hidden element that was asked for explicitly.
  includeHidden: boolean;
  // Inside an id reference no further id reference is followed.
  insideReference: boolean;
  typed: Typed;
}

// What becomes of what is typed or chosen in fields that a name is made of.
type Typed = 'counts' | 'left_out';

function startWalk(el: Element, reason: Reason, typed: Typed = 'counts'): Walk {
  return { reason, visited: new Set(), includeHidden: isHiddenForAria(el), insideReference: reason === 'referenced', typed };
}

function joinReferenced(elements: Element[], typed: Typed = 'counts'): string {
  const texts = elements.map((el) => nameOfNode(el, startWalk(el, 'referenced', typed)));
  return texts.filter((text) => text !== '').join(' ');
}

function nameOfNode(el: Element, walk: Walk): string {
  if (walk.visited.has(el)) return '';
  if (!walk.includeHidden && isHiddenForAria(el)) return '';
  if (!walk.insideReference) {
    const referenced = joinReferenced(byIds(el, 'aria-labelledby'), walk.typed);
    if (referenced.trim() !== '') return referenced;
  }
  walk.visited.add(el);
  return ownName(el, walk);
}

function ownName(el: Element, walk: Walk): string {
  const role = roleOf(el);
  if (walk.reason !== 'self') {
    const value = embeddedValue(el, role);
    if (value !== null) return walk.typed === 'counts' ? value : '';
  }
  const stated = attr(el, 'aria-label');
  if (stated?.trim()) return stated;
  if (role !== 'presentation') {
    const native = nativeName(el, walk);
    if (native.trim() !== '') return native;
  }
  if (takesContent(el, role, walk.reason)) {
    const content = nameFromContent(el, walk);
    if (content.trim() !== '') return content;
  }
  return role === 'presentation' ? '' : tooltip(el);
}

function tooltip(el: Element): string {
  const title = attr(el, 'title');
  if (title?.trim()) return title;
  return el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement ? (attr(el, 'placeholder') ?? '') : '';
}

// A control inside a label or heading counts with its current value. Secrets never become part of a name.
function embeddedValue(el: Element, role: string): string | null {
  const value = shownValue(el, role);
  return value && isSecret(el, '') ? '' : value;
}

function shownValue(el: Element, role: string): string | null {
  switch (role) {
    case 'textbox':
    case 'searchbox':
      return textboxValue(el);
    case 'combobox':
    case 'listbox':
      return chosenOptions(el);
    case 'meter':
    case 'progressbar':
    case 'scrollbar':
    case 'slider':
    case 'spinbutton':
      return attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow') ?? nativeValue(el);
    default:
      return null;
  }
}

function textboxValue(el: Element): string {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement) return el.value;
  return contentOf(el);
}

function chosenOptions(el: Element): string {
  if (el instanceof HTMLSelectElement) return Array.from(el.selectedOptions, (option) => option.label).join(' ');
  if (el instanceof HTMLInputElement) return el.value;
  const chosen: string[] = [];
  for (const option of queryScope(el, '[role=option][aria-selected=true]')) chosen.push(nameOf(option));
  return chosen.join(' ');
}

function nativeValue(el: Element): string {
  const valued = el instanceof HTMLInputElement || el instanceof HTMLMeterElement || el instanceof HTMLProgressElement;
  return valued ? String(el.value) : '';
}

// Name given by the host language: label, alt, caption, legend, figcaption, value of a button, svg title.
function nativeName(el: Element, walk: Walk): string {
  const rule = NATIVE_NAMES[tagOf(el)];
  return rule ? rule(el, walk) : '';
}

type NameRule = (el: Element, walk: Walk) => string;

const NATIVE_NAMES: Record<string, NameRule> = Object.assign(Object.create(null) as Record<string, NameRule>, {
  area: (el: Element) => attr(el, 'alt') ?? '',
  button: fromLabels,
  fieldset: fromChild('legend'),
  figure: fromChild('figcaption'),
  img: (el: Element) => attr(el, 'alt') ?? '',
  input: inputName,
  meter: fromLabels,
  optgroup: (el: Element) => attr(el, 'label') ?? '',
  option: (el: Element) => attr(el, 'label') ?? '',
  output: fromLabels,
  progress: fromLabels,
  select: fromLabels,
  // The title of a drawing is never rendered, yet it is what names it.
  svg: (el: Element, walk: Walk) => fromChild('title')(el, { ...walk, includeHidden: true }),
  table: tableName,
  textarea: fromLabels,
});

const BUTTON_DEFAULTS: Record<string, string> = { submit: 'Submit', reset: 'Reset', image: 'Submit' };

function inputName(el: Element, walk: Walk): string {
  const input = el as HTMLInputElement;
  const labelled = fromLabels(el, walk);
  if (labelled.trim() !== '') return labelled;
  if (!/^(button|image|reset|submit)$/.test(input.type)) return '';
  const stated = input.type === 'image' ? attr(el, 'alt') : attr(el, 'value');
  return stated?.trim() ? stated : attr(el, 'title')?.trim() ? '' : (BUTTON_DEFAULTS[input.type] ?? '');
}

function fromLabels(el: Element, walk: Walk): string {
  // The control is in walk.visited, so a label around it does not count its value.
  const texts = labelsOf(el).map((label) => {
    return normalise(nameOfNode(label, { ...walk, reason: 'label', includeHidden: isHiddenForAria(label) }));
  });
  return texts.filter((text) => text !== '').join(' ');
}

// The texts that label a control for a person: its id references, else aria-label, else its <label> elements.
export function labelTextsOf(el: Element, typed: Typed = 'counts'): string[] {
  const referenced = byIds(el, 'aria-labelledby');
  if (referenced.length > 0) return [normalise(joinReferenced(referenced, typed))];
  const stated = attr(el, 'aria-label');
  if (stated?.trim()) return [normalise(stated)];
  return labelsOf(el).map((label) => normalise(nameOfNode(label, { ...startWalk(label, 'label', typed), visited: new Set([el]) })));
}

export function untypedLabelsOf(el: Element): string[] {
  return labelTextsOf(el, 'left_out');
}

function fromChild(tag: string): NameRule {
  return (el, walk) => {
    for (let child = firstElementOf(el); child; child = nextElementOf(child)) {
      if (tagOf(child) === tag) return nameOfNode(child, { ...walk, reason: 'label' });
    }
    return '';
  };
}

function tableName(el: Element, walk: Walk): string {
  return fromChild('caption')(el, walk) || (attr(el, 'summary') ?? '');
}

const CONTENT_ROLES = new Set(
  ('button cell checkbox columnheader comment gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row ' +
    'rowheader switch tab tooltip treeitem').split(' '),
);
// Widgets of their own, whose text does not belong to the name of what surrounds them.
const CONTENT_BARRIERS = new Set(
  'alertdialog application dialog grid menu menubar radiogroup tablist tabpanel toolbar tree treegrid'.split(' '),
);

function takesContent(el: Element, role: string, reason: Reason): boolean {
  if (CONTENT_ROLES.has(role)) return true;
  if (reason === 'content') return !CONTENT_BARRIERS.has(role);
  return reason !== 'self' || (role === '' && (tagOf(el) === 'label' || isPlainClickable(el)));
}

// A focusable or clickable element without a role is known by its text.
function isPlainClickable(el: Element): boolean {
  return hasAttr(el, 'tabindex') || hasAttr(el, 'onclick');
}

function nameFromContent(el: Element, walk: Walk): string {
  if (walk.typed === 'left_out' && isEditingHost(el)) return '';
  const parts: string[] = [pseudoText(el, '::before')];
  for (const node of composedNodes(el)) {
    if (isText(node)) parts.push(node.data);
    else if (isElement(node)) parts.push(childText(node, walk));
  }
  for (const owned of byIds(el, 'aria-owns')) parts.push(childText(owned, walk));
  parts.push(pseudoText(el, '::after'));
  return parts.join('');
}

const SILENT = /^(head|link|meta|noscript|script|style|template|title)$/;

function childText(el: Element, walk: Walk): string {
  const tag = tagOf(el);
  if (tag === 'br') return '\n';
  if (SILENT.test(tag)) return '';
  const text = nameOfNode(el, { ...walk, reason: 'content' });
  return isInline(el) ? text : ` ${text} `;
}

function isInline(el: Element): boolean {
  const display = styleOf(el).display;
  return display === 'inline' || display === 'contents';
}
