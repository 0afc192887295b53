// Which fields hold a secret: their value never leaves the page, not even as a hint.

import { attr, queryDeep, tagOf, textContentOf } from '../dom';
import { styleOf } from '../cache';
import { hasTypedSecrets, learnSecrets, tellsSecret } from '../secrets/typed_secrets';

const SECRET_AUTOCOMPLETE = /^(current-password|new-password|one-time-code|cc-number|cc-csc|cc-exp(-month|-year)?)$/;

const SECRET_WORDS =
  /(^|[^a-z])(password|passwd|passwort|passphrase|passcode|pwd|pin|cvv2?|cvc2?|csc|ssn|secret|token|otp|totp|mfa code|security code|card number|kennwort|contraseña|mot de passe|senha)([^a-z]|$)/;

// A field that once hid its value keeps its secret when a "show password" switch changes its type.
const onceHidden = new WeakSet<Element>();

// Fields that a secret was typed into.
const typedInto = new WeakSet<Element>();

const FIELDS = 'input,textarea,select,[contenteditable]:not([contenteditable="false"])';

// Input types whose value is not written by the user as text.
const VALUELESS_TYPES = new Set('button checkbox color file hidden image radio range reset submit'.split(' '));

function mayHoldSecret(el: Element): boolean {
  if (el instanceof HTMLInputElement) return !VALUELESS_TYPES.has(el.type);
  const tag = tagOf(el);
  return tag === 'textarea' || tag === 'select' || (el instanceof HTMLElement && el.isContentEditable);
}

// From now on, and for as long as the document lives, the field and whatever holds the same value are secret.
export function noteSecret(el: Element, value: string): void {
  typedInto.add(el);
  learnSecrets([value]);
}

// Does the field hold a secret that was typed into it?
export function holdsTyped(el: Element): boolean {
  return typedInto.has(el) && valueIn(el) !== '';
}

export function isSecret(el: Element, label: string): boolean {
  if (typedInto.has(el)) return true;
  if (!mayHoldSecret(el)) return false;
  if (hasTypedSecrets() && tellsSecret(valueIn(el))) return true;
  if (onceHidden.has(el) || hidesItsText(el)) return true;
  const autocomplete = attr(el, 'autocomplete')?.toLowerCase().split(/\s+/) ?? [];
  if (autocomplete.some((token) => SECRET_AUTOCOMPLETE.test(token))) return true;
  return [attr(el, 'name'), attr(el, 'id'), attr(el, 'placeholder'), label].some(saysSecret);
}

export function valueIn(el: Element): string {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement) return el.value;
  return textContentOf(el);
}

function hidesItsText(el: Element): boolean {
  const hides =
    (el instanceof HTMLInputElement && el.type === 'password') || textSecurityOf(el) !== 'none';
  if (hides) onceHidden.add(el);
  return hides;
}

function textSecurityOf(el: Element): string {
  return styleOf(el).getPropertyValue('-webkit-text-security') || 'none';
}

// Words are told apart in userPin, user_pin and "User PIN" alike, so that "shipping" says nothing.
export function saysSecret(text: string | null): boolean {
  if (!text) return false;
  const words = text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase();
  return SECRET_WORDS.test(words) || SECRET_WORDS.test(words.replace(/[\s_-]+/g, ' '));
}

// A page may show what it hid before anybody looked: fields are remembered when somebody comes to them or types.
export function rememberHiddenFields(): void {
  for (const type of ['focus', 'focusin', 'input']) window.addEventListener(type, remember, { capture: true, passive: true });
}

function remember(event: Event): void {
  const at = event.composedPath()[0];
  if (at instanceof HTMLInputElement && at.type === 'password') onceHidden.add(at);
}

export function secretFields(labelOf: (el: Element) => string): Element[] {
  return queryDeep(document, FIELDS).filter((el) => isSecret(el, labelOf(el)));
}
