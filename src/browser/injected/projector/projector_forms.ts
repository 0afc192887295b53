// Forms: which fields belong together, what is still missing, and what sends them.

import { attr, matchesCss, queryScope } from '../dom';
import { nameOf } from '../aria/names';
import type { Found } from './projector_controls';
import { visibleText } from './projector_text';
import { refFor } from '../registry';
import { normalise, shorten } from '../text';
import { ariaStates } from '../visibility';

export interface FormView {
  ref: string;
  name: string;
  fields: string[];
  required_missing: number;
  submit: string | null;
  invalid: string[];
}

const MAX_FIELDS = 24;
const MAX_NAME = 80;
export const SUBMITS = 'button:not([type="button"],[type="reset"]),input[type="submit"],input[type="image"]';
const ACTIVE = 'button,input[type="submit"],input[type="image"],input[type="reset"],input[type="button"],a,summary';

export function formViews(forms: Iterable<Element>, found: readonly Found[], doc: number): FormView[] {
  const views: FormView[] = [];
  for (const form of membersFirst(forms, found)) {
    const members = found.filter((one) => one.form === form);
    if (members.length > 0) views.push(formView(form, members, doc));
  }
  return views;
}

// The forms that were walked through, then those that own a control from afar (by its form attribute).
function membersFirst(forms: Iterable<Element>, found: readonly Found[]): Set<Element> {
  const all = new Set(forms);
  for (const { form } of found) if (form) all.add(form);
  return all;
}

function formView(form: Element, members: readonly Found[], doc: number): FormView {
  const fields = members.filter(({ el }) => !matchesCss(el, ACTIVE)).slice(0, MAX_FIELDS);
  const submit = members.find(({ el }) => matchesCss(el, SUBMITS)) ?? members.find(({ role }) => role === 'button');
  return {
    ref: refFor(form, doc),
    name: shorten(formName(form), MAX_NAME),
    fields: fields.map(({ el }) => refFor(el, doc)),
    required_missing: requiredMissing(form, fields),
    submit: submit ? refFor(submit.el, doc) : null,
    invalid: fields.filter(({ el }) => ariaStates(el).invalid).map(({ el }) => refFor(el, doc)),
  };
}

export function formName(form: Element): string {
  const name = nameOf(form);
  if (name !== '') return name;
  const heading = queryScope(form, 'legend,h1,h2,h3,h4,[role="heading"]')[0];
  const text = heading ? visibleText(heading, MAX_NAME) : '';
  return text !== '' ? text : normalise(attr(form, 'name') ?? attr(form, 'id') ?? '');
}

const formElements = Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'elements')!.get!;

// Counts the whole form, also the fields out of sight; the radio buttons of one choice count once.
function requiredMissing(form: Element, fields: readonly Found[]): number {
  const controls = form instanceof HTMLFormElement ? [...(formElements.call(form) as HTMLFormControlsCollection)] : fields.map(({ el }) => el);
  const choices = new Set<string>();
  let missing = 0;
  for (const control of controls) {
    if (!isMissing(control)) continue;
    const choice = control instanceof HTMLInputElement && control.type === 'radio' ? control.name : '';
    if (choice !== '' && choices.has(choice)) continue;
    choices.add(choice);
    ++missing;
  }
  return missing;
}

function isMissing(control: Element): boolean {
  const native = control instanceof HTMLInputElement || control instanceof HTMLSelectElement || control instanceof HTMLTextAreaElement;
  if (native && control.willValidate && control.validity.valueMissing) return true;
  if (attr(control, 'aria-required') !== 'true') return false;
  return native ? control.value === '' : (control.textContent ?? '').trim() === '';
}
