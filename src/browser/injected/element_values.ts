// Values of elements by name, as conditions and observations read them: attributes, a short list of properties, computed
// styles. Never markup, never the content of secret fields.

import { styleOf } from './cache';
import { attr } from './dom';
import { refuseSecret } from './extract';
import { type Args, fail, FailureError } from './result';
import { withoutSecrets } from './secrets/typed_secrets';

export type Reader = (el: Element) => unknown;

// What may be read by name: state of controls, never markup.
const PROPERTIES = new Set(
  ('checked childElementCount complete currentTime disabled ended hidden href indeterminate innerText max min multiple open ' +
    'paused readOnly required selected selectedIndex src textContent type value valueAsNumber ' +
    'files.length options.length selectedOptions.length value.length').split(' '),
);
// Those whose value tells what a secret field holds.
const TEXTUAL = /^(value|valueAsNumber|innerText|textContent)/;

export function attributeReader(name: string): Reader {
  return (el) => (name.toLowerCase() === 'value' ? refuseSecret(el) : null) ?? open(attr(el, name));
}

export function propertyReader(name: string): Reader {
  if (!PROPERTIES.has(name)) throw new FailureError(fail('invalid_argument', `property: ${name} cannot be read`));
  const path = name.split('.');
  return (el) => (TEXTUAL.test(name) ? refuseSecret(el) : null) ?? open(follow(el, path));
}

export function styleReader(name: string): Reader {
  return (el) => styleOf(el).getPropertyValue(name) || null;
}

function open(value: unknown): unknown {
  return typeof value === 'string' ? withoutSecrets(value) : value;
}

function follow(el: Element, path: string[]): unknown {
  let value: unknown = el;
  for (const step of path) value = (value as Args | null | undefined)?.[step];
  return value ?? null;
}
