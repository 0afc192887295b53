// What is chosen from lists, and which files are given to a page.

import { knownBy, type Teller } from './teller';
import { keepsSecret } from './typing';

const MAX_OPTIONS = 64;
const MAX_FILES = 16;
const MAX_NAME = 255;

export function tellChoice(el: Element, teller: Teller): void {
  if (el instanceof HTMLSelectElement) tellOptions(el, teller);
  else if (el instanceof HTMLInputElement && el.type === 'file') tellFiles(el, teller);
}

function tellOptions(el: HTMLSelectElement, teller: Teller): void {
  const element = knownBy(el);
  if (keepsSecret(el)) return teller.tell({ kind: 'select', element, secret: true });
  const chosen = Array.from(el.selectedOptions).slice(0, MAX_OPTIONS);
  teller.tell({ kind: 'select', element, options: chosen.map((option) => namedIn(el, option)) });
}

// As people read it, where that names one option alone.
function namedIn(el: HTMLSelectElement, option: HTMLOptionElement): { label: string } | { value: string } {
  const isAlone = Array.from(el.options).filter(({ label }) => label === option.label).length === 1;
  return isAlone && option.label.trim() !== '' ? { label: option.label } : { value: option.value };
}

// Names only: where the files are is nobody's business.
function tellFiles(el: HTMLInputElement, teller: Teller): void {
  const files = Array.from(el.files ?? []).slice(0, MAX_FILES);
  if (files.length > 0) teller.tell({ kind: 'upload', element: knownBy(el), files: files.map(({ name }) => name.slice(0, MAX_NAME)) });
}
