// The secrets that were typed into pages of this site, and the forms in which a page may show them again.

import { FormIndex, type Range } from './form_index';

const typed = new Set<string>();

// What is shorter stands in texts by chance, and what is a little longer in the middle of other words.
const MIN_TYPED = 4;
const MIN_INSIDE = 8;
// Of a long one its greater part tells too: a page may show it without its first or last letters.
const MIN_PARTED = 12;
const PART = 0.75;

const MASK = '\u2022\u2022\u2022';

// Every form, those that tell a secret in the middle of a text, and these without their blanks.
const anywhere = new FormIndex();
const inside = new FormIndex();
const squeezed = new FormIndex();

export function learnSecrets(values: readonly string[]): void {
  for (const value of values) {
    if (value.length < MIN_TYPED || typed.has(value)) continue;
    typed.add(value);
    anywhere.add(value);
    if (value.length >= MIN_INSIDE) formsOf(value).forEach(learnForm);
  }
}

function learnForm(form: string): void {
  anywhere.add(form);
  inside.add(form);
  squeezed.add(withoutBlanks(form));
}

export function hasTypedSecrets(): boolean {
  return typed.size > 0;
}

export function tellsSecret(text: string): boolean {
  return hasTypedSecrets() && (typed.has(text) || inside.find(text).length > 0);
}

// The text with all secrets taken out: whoever compares by it cannot guess them letter by letter.
export function withoutSecrets(text: string): string {
  if (!hasTypedSecrets()) return text;
  let open = '';
  let end = 0;
  for (const { from, to } of anywhere.find(text)) {
    open += text.slice(end, from) + MASK;
    end = to;
  }
  return open + text.slice(end);
}

// Where secrets are in a text that has no blanks, whatever blanks they have themselves.
export function secretsInSqueezed(text: string): Range[] {
  return squeezed.find(text);
}

export function withoutBlanks(text: string): string {
  return text.replace(/\s+/g, '');
}

function formsOf(value: string): string[] {
  const bytes = new TextEncoder().encode(value);
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
  return [value, escaped(value), hex, ...[0, 1, 2].map((before) => base64(bytes, before)), ...partsOf(value)];
}

function escaped(value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    // Half a character has no form for addresses.
    return value;
  }
}

// The characters that only these bytes decide when `before` bytes of a group stand in front of them.
function base64(bytes: Uint8Array, before: number): string {
  const text = btoa('\0'.repeat(before) + String.fromCharCode(...bytes));
  return text.slice(Math.ceil((8 * before) / 6), Math.floor((8 * (before + bytes.length)) / 6));
}

function partsOf(value: string): string[] {
  if (value.length < MIN_PARTED) return [];
  const size = Math.ceil(value.length * PART);
  return Array.from({ length: value.length - size + 1 }, (_, at) => value.slice(at, at + size));
}
