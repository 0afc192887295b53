// Telling the driver what was done, at once and in order: by a function that the browser gives to this world only.

import { attr, tagOf } from '../dom';
import { type Fingerprint, fingerprintOf } from '../fingerprint/fingerprint';
import { lastingSelectors } from '../fingerprint/lasting_selectors';

// Who acts: 0 whoever sits in front of a window, 1 an agent, others are people by number. Null in a document that was
// never told: then the driver knows.
export type Hand = number | null;

export const WINDOW = 0;
export const AGENT = 1;

export interface Done {
  kind: string;
  element?: Fingerprint | null;
  [field: string]: unknown;
}

// Quicker than anybody does things; what comes beyond is no person's doing.
const MOST_AT_ONCE = 40;
const REFILL_PER_SECOND = 20;

const TELL = '__falconer_tell';

// Shorter ones stand in any text.
const LEAST_SECRET = 3;
const MOST_SECRETS = 32;

export class Teller {
  hand: Hand = null;
  // Knows the document again: its number in the browser may be another's by the time it is read.
  private readonly document = Array.from(crypto.getRandomValues(new Uint32Array(2)), (part) => part.toString(36)).join('-');
  // What was typed where it is kept secret: a page may show it elsewhere.
  private readonly secrets: string[] = [];
  private left = MOST_AT_ONCE;
  private refilledAt = performance.now();

  // Before anything else, so that the driver learns which document it is.
  introduce(): void {
    this.send({ kind: 'here' });
  }

  tell(done: Done, hand: Hand = this.hand): void {
    if (hand === AGENT || !this.affords()) return;
    this.send({ ...done, ...(this.saysSecret(done.element) && { element: null }), hand });
  }

  // From now on no element that says it is told of.
  keepBack(secret: string): void {
    const words = folded(secret);
    if (words.length < LEAST_SECRET) return;
    this.secrets.push(words);
    if (this.secrets.length > MOST_SECRETS) this.secrets.shift();
  }

  private saysSecret(part: unknown): boolean {
    if (typeof part === 'string') return this.secrets.some((secret) => folded(part).includes(secret));
    return typeof part === 'object' && part !== null && Object.values(part).some((inner) => this.saysSecret(inner));
  }

  private affords(): boolean {
    const now = performance.now();
    this.left = Math.min(MOST_AT_ONCE, this.left + ((now - this.refilledAt) / 1000) * REFILL_PER_SECOND);
    this.refilledAt = now;
    if (this.left < 1) return false;
    --this.left;
    return true;
  }

  private send(message: Done): void {
    const { [TELL]: tell } = globalThis as { [TELL]?: (message: string) => void };
    tell?.(JSON.stringify({ ...message, document: this.document }));
  }
}

function folded(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

export function knownBy(el: Element): Fingerprint {
  return fingerprintOf(el, lastingSelectors);
}

const BUTTON_TYPES = /^(button|color|file|image|reset|submit)$/;
const TOGGLE_TYPES = /^(checkbox|radio)$/;

// What the browser itself presses when this key, or any, is used on it: a click follows.
export function isPressedByKeys(el: Element, key = ' '): boolean {
  if (el instanceof HTMLInputElement) return BUTTON_TYPES.test(el.type) || (key === ' ' && TOGGLE_TYPES.test(el.type));
  const tag = tagOf(el);
  return tag === 'button' || tag === 'summary' || ((tag === 'a' || tag === 'area') && attr(el, 'href') !== null);
}
