// What is typed into a field, told as a whole when the field is left. What is typed into one that keeps secrets is never
// told, not even how long it is.

import { deepContains } from '../dom';
import { type Fingerprint } from '../fingerprint/fingerprint';
import { untypedLabelsOf } from '../aria/names';
import { isSecret, valueIn } from '../projector/projector_secret';
import { AGENT, type Hand, knownBy, type Teller } from './teller';

interface Draft {
  el: Element;
  element: Fingerprint;
  before: string;
  hand: Hand;
}

const MAX_CHARACTERS = 4096;
const TYPED_TYPES = /^(email|number|password|search|tel|text|url)$/;
const SET_TYPES = /^(color|date|datetime-local|month|range|time|week)$/;

export class Typing {
  private draft: Draft | null = null;
  // Of the field that has the focus, before anything is typed.
  private entered: { el: Element; value: string } | null = null;

  constructor(private readonly teller: Teller) {}

  enter(el: Element): void {
    if (isWritable(el)) this.entered = { el, value: textIn(el) };
  }

  // Something was typed, or is about to be.
  note(el: Element): void {
    if (this.teller.hand === AGENT || !isWritable(el) || this.draft?.el === el) return;
    this.flush();
    const before = this.entered?.el === el ? this.entered.value : textIn(el);
    this.draft = { el, element: knownBy(el), before, hand: this.teller.hand };
  }

  isIn(el: Element): boolean {
    return this.draft !== null && deepContains(this.draft.el, el);
  }

  // The person is elsewhere from now on, or the page goes.
  flush(text = this.draft ? textIn(this.draft.el) : ''): void {
    const { draft } = this;
    this.draft = null;
    if (!draft || text === draft.before) return;
    this.entered = { el: draft.el, value: text };
    const { el, element, hand } = draft;
    if (keepsSecret(el)) {
      this.teller.tell({ kind: 'type', element, secret: true }, hand);
      this.teller.keepBack(text);
    } else if (text === '') this.teller.tell({ kind: 'clear', element }, hand);
    else this.teller.tell({ kind: isSet(el) ? 'fill' : 'type', element, text: firstOf(text) }, hand);
  }

  textNow(): string {
    return this.draft ? textIn(this.draft.el) : '';
  }

  // Who typed until now, where that was not known.
  settle(from: Hand): void {
    if (this.draft && this.draft.hand === null) this.draft.hand = from;
  }

  // Others write from now on: what fields hold is theirs.
  forget(): void {
    this.flush();
    this.entered = null;
  }
}

export function keepsSecret(el: Element): boolean {
  return isSecret(el, untypedLabelsOf(el).join(' '));
}

export function isWritable(el: Element): boolean {
  if (el instanceof HTMLInputElement) return TYPED_TYPES.test(el.type) || SET_TYPES.test(el.type);
  return isMultiLine(el);
}

// Where Enter is a letter like others.
export function isMultiLine(el: Element): boolean {
  return el instanceof HTMLTextAreaElement || (el instanceof HTMLElement && el.isContentEditable);
}

// Set as a whole, not letter by letter.
function isSet(el: Element): boolean {
  return el instanceof HTMLInputElement && SET_TYPES.test(el.type);
}

function textIn(el: Element): string {
  return el instanceof HTMLElement && el.isContentEditable ? el.innerText.replace(/\n$/, '') : valueIn(el);
}

function firstOf(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : Array.from(text).slice(0, MAX_CHARACTERS).join('');
}
