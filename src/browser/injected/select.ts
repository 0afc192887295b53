// Choosing options of a native list.

import { describe } from './describe';
import { announceChange } from './fill';
import { type Args, type Failure, fail } from './result';
import { normalise, shorten } from './text';
import { isEnabled } from './visibility';

export interface Chosen {
  value: string;
  label: string;
  index: number;
}

const MAX_LISTED = 20;
const MAX_LABEL = 80;

export function refuseOtherThanList(el: Element, wanted: Args[]): Failure | null {
  if (!(el instanceof HTMLSelectElement)) return fail('wrong_element', `${describe(el)} is not a native list`);
  if (el.multiple || wanted.length === 1) return null;
  return fail('wrong_element', `${describe(el)} takes exactly one option`);
}

// The options meant, or what is missing. Options that are loaded later are waited for.
export function findOptions(list: HTMLSelectElement, wanted: Args[]): HTMLOptionElement[] | Failure {
  const found: HTMLOptionElement[] = [];
  for (const want of wanted) {
    const option = Array.from(list.options).find((candidate) => isMeant(candidate, want));
    if (!option) return fail('option_not_found', `${describe(list)} has no option ${nameOfWanted(want)}`, { detail: available(list) });
    if (!isEnabled(option)) return fail('not_enabled', `option ${nameOfWanted(want)} of ${describe(list)} is disabled`);
    found.push(option);
  }
  return found;
}

// All given properties must agree.
function isMeant(option: HTMLOptionElement, want: Args): boolean {
  if (want.value !== undefined && option.value !== String(want.value)) return false;
  if (want.index !== undefined && option.index !== want.index) return false;
  if (want.label === undefined) return want.value !== undefined || want.index !== undefined;
  const label = normalise(String(want.label));
  return normalise(option.label) === label || normalise(option.text) === label;
}

function nameOfWanted(want: Args): string {
  return JSON.stringify({ value: want.value, label: want.label, index: want.index });
}

function available(list: HTMLSelectElement): object {
  const labels = Array.from(list.options).slice(0, MAX_LISTED).map((option) => shorten(normalise(option.label), MAX_LABEL));
  return { available: labels, total: list.options.length };
}

export function choose(list: HTMLSelectElement, options: HTMLOptionElement[]): { selected: Chosen[]; changed: boolean } {
  const before = Array.from(list.options, (option) => option.selected);
  for (const option of list.options) if (list.multiple) option.selected = options.includes(option);
  if (!list.multiple) options[0]!.selected = true;
  const changed = Array.from(list.options).some((option, at) => option.selected !== before[at]);
  announceChange(list);
  return { selected: Array.from(list.selectedOptions, chosen), changed };
}

function chosen(option: HTMLOptionElement): Chosen {
  return { value: option.value, label: normalise(option.label), index: option.index };
}
