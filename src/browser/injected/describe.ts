// How an element is shown to people and models.

import { attr, rectOf, tagOf } from './dom';
import { leadingText } from './selectors/engine_text';
import { testIdOf } from './selectors/fingerprint';
import { nameOf } from './aria/names';
import { refFor } from './registry';
import { roleOf } from './aria/roles';
import { shorten } from './text';
import { isEnabled, isVisible } from './visibility';

const NAME_LIMIT = 60;
// Names of custom elements are the page's own words.
const PLAIN_TAG = /^[a-z][a-z0-9]{0,15}$/;

export interface ElementInfo {
  ref: string;
  role: string;
  name: string;
  tag: string;
  type?: string;
  text?: string;
  rect: { x: number; y: number; width: number; height: number };
  visible: boolean;
  enabled: boolean;
  description: string;
}

// One line that tells which element is meant, e.g. `button "Save" #"save"`. It becomes part of sentences of ours: every
// word that a page chose stands in quotes. Never contains what was typed.
export function describe(el: Element): string {
  const role = roleOf(el);
  const tag = tagOf(el);
  const parts = [role === '' || role === 'presentation' ? (PLAIN_TAG.test(tag) ? tag : quoted(tag)) : role];
  const name = nameOf(el) || shownText(el);
  if (name !== '') parts.push(quoted(name));
  const id = attr(el, 'id');
  const testId = testIdOf(el);
  if (id) parts.push(`#${quoted(id)}`);
  else if (testId) parts.push(`[testid=${quoted(testId)}]`);
  return parts.join(' ');
}

function quoted(words: string): string {
  return JSON.stringify(shorten(words, NAME_LIMIT));
}

export function elementInfo(el: Element, doc: number): ElementInfo {
  const { x, y, width, height } = rectOf(el);
  const info: ElementInfo = {
    ref: refFor(el, doc),
    role: roleOf(el),
    name: nameOf(el),
    tag: tagOf(el),
    rect: { x, y, width, height },
    visible: isVisible(el),
    enabled: isEnabled(el),
    description: describe(el),
  };
  const type = typeOf(el);
  if (type) info.type = type;
  const text = shownText(el);
  if (text !== '' && text !== info.name) info.text = text;
  return info;
}

function typeOf(el: Element): string | undefined {
  const typed = el instanceof HTMLInputElement || el instanceof HTMLButtonElement || el instanceof HTMLSelectElement;
  return typed ? el.type : undefined;
}

// What can be typed into or chosen from shows no text: it would be the user's.
function shownText(el: Element): string {
  if (el instanceof HTMLSelectElement || (el instanceof HTMLElement && el.isContentEditable)) return '';
  return leadingText(el);
}
