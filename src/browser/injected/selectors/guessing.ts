// Selectors that look into attributes and texts by themselves could guess a secret that the page shows there, letter by
// letter. Where it does, they are refused, whatever they look for.

import { queryDeep, type Root, shadowRootsIn } from '../dom';
import { textNodesOf } from '../projector/projector_document';
import { fail, FailureError } from '../result';
import { hasTypedSecrets, tellsSecret, withoutSecrets } from '../secrets/typed_secrets';

// An attribute with a part of its value. A whole value is known already to whoever asks for it.
const LOOKS_INSIDE = /[~|^$*]=/;

export function refuseGuessingCss(selector: string): void {
  if (hasTypedSecrets() && LOOKS_INSIDE.test(selector) && attributesTell()) throw refusal();
}

export function refuseGuessingXPath(): void {
  if (hasTypedSecrets() && (attributesTell() || textsTell())) throw refusal();
}

function refusal(): FailureError {
  return new FailureError(fail('secret_field', 'the page shows a secret: name the element by its ref, role, label or text'));
}

function attributesTell(): boolean {
  return queryDeep(document, '*').some((el) => Array.from(el.attributes).some(({ value }) => isTelling(value)));
}

function textsTell(): boolean {
  const roots: Root[] = [document, ...shadowRootsIn(document)];
  return roots.some((root) => {
    const walker = textNodesOf(root);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) if (isTelling((node as Text).data)) return true;
    return false;
  });
}

// Also a short one in the middle of other words.
function isTelling(text: string): boolean {
  return tellsSecret(text) || withoutSecrets(text) !== text;
}
