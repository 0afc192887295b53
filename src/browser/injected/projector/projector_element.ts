// One control as the state shows it. Values are hints, and those of secret fields are never shown.

import { styleOf } from '../cache';
import { attr, tagOf } from '../dom';
import { descriptionOf } from '../aria/names';
import { type Found, MAX_NAME } from './projector_controls';
import { baseUri } from './projector_document';
import { isObscured, type Layer, normalised } from './projector_geometry';
import { isEditingHost } from './projector_interactive';
import { isSecret } from './projector_secret';
import { refFor } from '../registry';
import { normalise, shorten } from '../text';
import type { Unseen } from '../unseen/unseen';
import { unseenName } from '../unseen/unseen_name';
import { ariaStates, type AriaStates } from '../visibility';

export interface OptionView {
  label: string;
  selected?: true;
}

export interface ElementView extends Omit<AriaStates, 'disabled'> {
  ref: string;
  role: string;
  name: string;
  tag: string;
  type?: string;
  enabled: boolean;
  visible: true;
  in_viewport: boolean;
  focused?: true;
  secret?: true;
  filled?: boolean;
  value_hint?: string;
  placeholder?: string;
  options?: OptionView[];
  options_total?: number;
  href?: string;
  bbox: [number, number, number, number];
  in_overlay?: true;
  obscured?: true;
  description?: string;
  form?: string;
  group?: string;
  // How its name is shown, when not plainly.
  unseen?: Unseen;
}

const MAX_TYPE = 24;
const MAX_VALUE = 40;
const MAX_HREF = 120;
const MAX_OPTIONS = 20;
const MAX_OPTION = 60;
const MAX_DESCRIPTION = 80;

export interface ViewFacts {
  doc: number;
  focus: Element | null;
  layers: readonly Layer[];
}

export function elementView(found: Found, { doc, focus, layers }: ViewFacts): ElementView {
  const { el, tag, role, name } = found;
  const { disabled, ...states } = ariaStates(el);
  const view: ElementView = {
    ref: refFor(el, doc),
    role,
    name: shorten(name, MAX_NAME),
    tag,
    ...typeOf(el),
    enabled: !disabled && !found.inert && styleOf(found.label ?? el).pointerEvents !== 'none',
    visible: true,
    in_viewport: found.inViewport,
    ...states,
    ...valueOf(el, name),
    bbox: normalised(found.box),
  };
  if (el === focus) view.focused = true;
  if (found.inOverlay) view.in_overlay = true;
  if (found.inViewport && isObscured(el, found.box, found.view, found.label, layers)) view.obscured = true;
  const unseen = unseenName(el, name, layers);
  if (unseen) view.unseen = unseen;
  return Object.assign(view, referencesOf(found, doc));
}

function referencesOf({ el, name, form }: Found, doc: number): Partial<ElementView> {
  const more: Partial<ElementView> = {};
  const href = hrefOf(el);
  if (href) more.href = href;
  const description = descriptionOf(el);
  if (description !== '' && description !== name) more.description = shorten(description, MAX_DESCRIPTION);
  if (form) more.form = refFor(form, doc);
  return more;
}

function typeOf(el: Element): { type?: string } {
  if (el instanceof HTMLInputElement) return { type: shorten(el.type, MAX_TYPE) };
  return el instanceof HTMLButtonElement && el.type === 'submit' && el.form ? { type: 'submit' } : {};
}

type ValuePart = Pick<ElementView, 'secret' | 'filled' | 'value_hint' | 'placeholder' | 'options' | 'options_total'>;

function valueOf(el: Element, label: string): ValuePart {
  const secret = isSecret(el, label);
  const part: ValuePart = el instanceof HTMLSelectElement ? optionsOf(el, secret) : {};
  const placeholder = normalise(attr(el, 'placeholder') ?? attr(el, 'aria-placeholder') ?? '');
  if (placeholder !== '' && placeholder !== label) part.placeholder = shorten(placeholder, MAX_NAME);
  const value = rawValue(el);
  if (value === null) return part;
  if (secret) return { ...part, secret: true, filled: value !== '' };
  const hint = normalise(value.slice(0, MAX_VALUE * 4));
  return hint === '' ? part : { ...part, value_hint: shorten(hint, MAX_VALUE) };
}

const BUTTON_TYPES = /^(button|checkbox|image|radio|reset|submit)$/;

// What the user entered or chose; null for what holds no value.
function rawValue(el: Element): string | null {
  if (el instanceof HTMLInputElement) return inputValue(el);
  if (el instanceof HTMLTextAreaElement) return el.value;
  if (el instanceof HTMLSelectElement) return Array.from(el.selectedOptions, (option) => option.label).join(', ');
  if (isEditingHost(el)) return el.textContent ?? '';
  return attr(el, 'aria-valuetext') ?? attr(el, 'aria-valuenow');
}

function inputValue(input: HTMLInputElement): string | null {
  if (BUTTON_TYPES.test(input.type)) return null;
  if (input.type === 'file') return Array.from(input.files ?? [], (file) => file.name).join(', ');
  return input.value;
}

// The first labels, and the chosen one even if it comes later in a long list.
function optionsOf(select: HTMLSelectElement, secret: boolean): ValuePart {
  const all = Array.from(select.options);
  const shown = all.slice(0, MAX_OPTIONS);
  const chosen = select.options[select.selectedIndex];
  if (chosen && !secret && !shown.includes(chosen)) shown[MAX_OPTIONS - 1] = chosen;
  const options = shown.map((option) => optionView(option, secret));
  return all.length > MAX_OPTIONS ? { options, options_total: all.length } : { options };
}

function optionView(option: HTMLOptionElement, secret: boolean): OptionView {
  const label = shorten(normalise(option.label), MAX_OPTION);
  return option.selected && !secret ? { label, selected: true } : { label };
}

// Where a link leads: origin and path. Queries and fragments often carry tokens, user info always does.
export function hrefOf(el: Element): string | null {
  const raw = el instanceof HTMLAnchorElement || el instanceof HTMLAreaElement ? el.href : svgHref(el);
  if (!raw) return null;
  let url: URL;
  try {
    url = new URL(raw, baseUri());
  } catch {
    return null;
  }
  if (url.protocol === 'http:' || url.protocol === 'https:') return shorten(url.origin + url.pathname, MAX_HREF);
  if (url.protocol === 'mailto:' || url.protocol === 'tel:') return shorten(url.protocol + url.pathname, MAX_HREF);
  return url.protocol;
}

function svgHref(el: Element): string | null {
  if (tagOf(el) !== 'a') return null;
  return attr(el, 'href') ?? attr(el, 'xlink:href');
}
