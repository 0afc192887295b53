// The form that an element would send: where to, how, by which button, and what it asks for. Values of secret fields
// are never told.

import { attr, closestComposed, closestComposedCss, hasAttr, matchesCss, parentOf, queryDeep, tagOf } from '../dom';
import { nameOf } from '../aria/names';
import { explicitRole, roleOf } from '../aria/roles';
import { baseUri, bodyElement } from '../projector/projector_document';
import { formName, SUBMITS } from '../projector/projector_forms';
import { isSecret, saysSecret } from '../projector/projector_secret';
import { tellsSecret } from '../secrets/typed_secrets';
import { normalise, shorten } from '../text';

export interface FieldFacts {
  name: string;
  type: string;
  autocomplete: string;
  label: string;
  value: string;
}

export interface FormFacts {
  action: string;
  method: string;
  name: string;
  role: string;
  submit: string;
  fields: FieldFacts[];
}

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;
type Submitter = HTMLButtonElement | HTMLInputElement;

const MAX_URL = 2048;
const MAX_NAME = 120;
const MAX_VALUE = 200;
const MAX_FIELDS = 64;
const MAX_LOOKED_AT = 2000;
const MAX_CLIMB = 8;

const FIELDS = 'input,select,textarea';
const BUTTON_TYPES = /^(button|image|reset|submit)$/;
// What the fields of a page without forms stand in.
const GROUPS = '[role="form"],[role="search"],search,dialog,[role="dialog"],[role="alertdialog"],fieldset';

const formAction = getter('action');
const formMethod = getter('method');
const formElements = getter('elements');

// A form hides its own properties behind fields of the same name.
function getter(name: string): () => unknown {
  return Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, name)!.get!;
}

// The form of a field or a button, also one that names it by its id; of anything else the form around it.
export function formOf(el: Element): HTMLFormElement | null {
  if (isField(el) || el instanceof HTMLButtonElement) return el.form;
  const around = closestComposedCss(el, 'form');
  return around instanceof HTMLFormElement ? around : null;
}

export function isSubmitter(el: Element): el is Submitter {
  return (el instanceof HTMLButtonElement && el.type === 'submit') || (el instanceof HTMLInputElement && /^(image|submit)$/.test(el.type));
}

// The button that a press on `el` would send its form with, if it is one or lies in one.
export function submitterAround(el: Element): Submitter | null {
  const found = closestComposed(el, (at) => isSubmitter(at) && at.form !== null);
  return found as Submitter | null;
}

// `submitter` is null where no button is pressed: then Enter sends the form by its first one.
export function formFacts(form: HTMLFormElement, submitter: Submitter | null): FormFacts {
  const button = submitter ?? defaultButton(form);
  const overrulesAction = button !== null && hasAttr(button, 'formaction');
  const overrulesMethod = button !== null && hasAttr(button, 'formmethod');
  const action = overrulesAction ? button.formAction : String(formAction.call(form));
  const method = overrulesMethod ? button.formMethod : String(formMethod.call(form));
  return {
    action: shorten(action, MAX_URL),
    method: method.toLowerCase(),
    name: shorten(formName(form), MAX_NAME),
    role: landmarkRole(form),
    submit: button ? shorten(nameOf(button), MAX_NAME) : '',
    fields: fieldFacts(membersOf(form)),
  };
}

// Many pages send what is in fields that no form holds. What stands together counts as one; how it is sent is unknown.
export function groupFacts(el: Element): FormFacts | null {
  const group = closestComposedCss(el, GROUPS);
  const holder = group && holdsFields(group) ? group : nearestHolder(el);
  if (!holder) return null;
  return {
    action: shorten(baseUri(), MAX_URL),
    method: '',
    name: shorten(formName(holder), MAX_NAME),
    role: landmarkRole(holder),
    submit: shorten(nameOf(el), MAX_NAME),
    fields: fieldFacts(queryDeep(holder, FIELDS).filter(isField)),
  };
}

function nearestHolder(el: Element): Element | null {
  let at = parentOf(el);
  for (let climbed = 0; at && at !== bodyElement() && climbed < MAX_CLIMB; ++climbed, at = parentOf(at)) {
    if (holdsFields(at)) return at;
  }
  return null;
}

function holdsFields(el: Element): boolean {
  return queryDeep(el, FIELDS).some((field) => isField(field) && isFilledIn(field));
}

function landmarkRole(el: Element): string {
  const own = explicitRole(el) || roleOf(el);
  if (own === 'search') return own;
  return closestComposedCss(el, 'search,[role="search"]') ? 'search' : own;
}

function defaultButton(form: HTMLFormElement): Submitter | null {
  return submittersOf(form).find(isSubmitter) ?? null;
}

// In tree order, the pictures among them too, which the form's own list leaves out. Those that name the form by its id
// are found wherever they are in its tree.
function submittersOf(form: HTMLFormElement): Element[] {
  return queryDeep(form.getRootNode() as Document, SUBMITS).filter((el) => (el as Submitter).form === form);
}

function membersOf(form: HTMLFormElement): Field[] {
  const members: Field[] = [];
  const all = formElements.call(form) as HTMLFormControlsCollection;
  for (let i = 0, length = Math.min(all.length, MAX_LOOKED_AT); i < length; ++i) {
    const member = all[i]!;
    if (isField(member)) members.push(member);
  }
  return members;
}

function isField(el: Element): el is Field {
  return el instanceof HTMLInputElement || el instanceof HTMLSelectElement || el instanceof HTMLTextAreaElement;
}

function isFilledIn(field: Field): boolean {
  return !(field instanceof HTMLInputElement) || !(BUTTON_TYPES.test(field.type) || field.type === 'hidden');
}

// Where there are more than can be told, those that tell most come first: a long form must not hide what it asks for.
function fieldFacts(all: readonly Field[]): FieldFacts[] {
  const asked = all.filter((field) => !(field instanceof HTMLInputElement) || !BUTTON_TYPES.test(field.type));
  const told = asked.length <= MAX_FIELDS ? asked : [...asked.filter(isTelling), ...asked.filter((field) => !isTelling(field))];
  return told.slice(0, MAX_FIELDS).map(fieldFact);
}

function isTelling(field: Field): boolean {
  return hasAttr(field, 'autocomplete') || matchesCss(field, '[type="password" i],[type="file" i]') || isSecret(field, '');
}

function fieldFact(field: Field): FieldFacts {
  const label = normalise(nameOf(field) || (attr(field, 'placeholder') ?? ''));
  return {
    name: shorten(attr(field, 'name') ?? attr(field, 'id') ?? '', MAX_NAME),
    type: field instanceof HTMLInputElement ? field.type : tagOf(field),
    autocomplete: shorten(attr(field, 'autocomplete') ?? '', MAX_NAME),
    label: shorten(label, MAX_NAME),
    value: shorten(openValue(field, label), MAX_VALUE),
  };
}

function openValue(field: Field, label: string): string {
  if (isSecret(field, label) || tellsSecret(field.value) || saysSecret(attr(field, 'name'))) return '';
  if (field instanceof HTMLSelectElement) return Array.from(field.selectedOptions, (option) => option.value).join(', ');
  if (!(field instanceof HTMLInputElement)) return field.value;
  if (field.type === 'file') return '';
  return /^(checkbox|radio)$/.test(field.type) && !field.checked ? '' : field.value;
}
