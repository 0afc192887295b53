// What a request would send, held against what the page's form shows. The page cannot be trusted, so
// what matters is what is sent and not shown.

import type { NamedValue, PageState, StateElement } from './types';

export type DiffKind = 'same' | 'chosen' | 'differs' | 'not_shown' | 'masked' | 'not_sent';

export interface DiffRow {
  kind: DiffKind;
  field: string;
  /** null: it is not sent. */
  sent: string | null;
  /** The label of the field in the page; "" when it shows none such. */
  label: string;
  shown: string | null;
}

/** null when the page has no form that could be meant. */
export function diffForm(sent: NamedValue[], page: PageState): DiffRow[] | null {
  const forms = (page.forms ?? []).map((form) => (page.elements ?? []).filter((element) => isField(element) && element.form === form.ref));
  const best = forms.map((fields) => ({ fields, score: scoreOf(sent, fields) })).sort((a, b) => b.score - a.score)[0];
  if (!best || best.score === 0) return null;
  return rowsOf(sent, best.fields);
}

function rowsOf(sent: NamedValue[], fields: StateElement[]): DiffRow[] {
  const left = [...fields];
  const take = (index: number): StateElement | null => (index < 0 ? null : left.splice(index, 1)[0]!);
  // By name first: a value that stands in two fields must not be taken from the one that is named.
  const named = sent.map((field) => take(left.findIndex((element) => isNamed(field, element))));
  const rows = sent.map((field, i) => rowOf(field, named[i] ?? take(left.findIndex((element) => isValue(field, element)))));
  const unsent = left.filter((element) => element.value_hint || element.filled);
  return rows.concat(unsent.map((element) => (
    { kind: 'not_sent', field: '', sent: null, label: element.name ?? '', shown: element.value_hint ?? '(filled)' })));
}

function rowOf(field: NamedValue, element: StateElement | null): DiffRow {
  const base = { field: field.name, sent: field.value, label: element?.name ?? '' };
  if (isMasked(field.value) || element?.secret) return { ...base, kind: 'masked', shown: null };
  if (!element) return { ...base, kind: 'not_shown', shown: null };
  const shown = element.value_hint ?? '';
  if (shown === field.value) return { ...base, kind: 'same', shown };
  // What a choice is called and what it sends are two things.
  return { ...base, kind: kChoices.includes(element.role ?? '') ? 'chosen' : 'differs', shown };
}

function scoreOf(sent: NamedValue[], fields: StateElement[]): number {
  return sent.filter((field) => fields.some((element) => isNamed(field, element) || isValue(field, element))).length;
}

const kChoices = ['combobox', 'listbox', 'radio', 'checkbox', 'switch'];
const kFieldRoles = ['textbox', 'searchbox', 'combobox', 'checkbox', 'radio', 'spinbutton', 'slider', 'listbox', 'switch'];

function isField(element: StateElement): boolean {
  return kFieldRoles.includes(element.role ?? '') || ['input', 'select', 'textarea'].includes(element.tag ?? '') && element.type !== 'submit';
}
function isMasked(value: string): boolean {
  return /\*{3,}|\[[A-Z_]+(:[^\]]*)?\]/.test(value);
}
function isValue(field: NamedValue, element: StateElement): boolean {
  return field.value !== '' && element.value_hint === field.value;
}
// "card_number" and "Card number".
function isNamed(field: NamedValue, element: StateElement): boolean {
  const plain = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
  const name = plain(field.name);
  const label = plain(element.name ?? '');
  return name !== '' && label !== '' && (name === label || (name.length >= 4 && (label.startsWith(name) || label.endsWith(name))) || (label.length >= 4 && name.endsWith(label)));
}
