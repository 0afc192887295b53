// What is about to be met by an action, for whoever decides whether it may happen: which element reacts, where it leads
// and what it sends. Everything is read in this world, where the page's scripts cannot answer for the browser.

import { cached, styleOf } from '../cache';
import { attr, closestComposed, deepContains, elementAt, matchesCss, parentOf, tagOf } from '../dom';
import type { Point } from '../geometry';
import { labelTextsOf, nameOf } from '../aria/names';
import { baseUri } from '../projector/projector_document';
import { interactivityOf, shownRole } from '../projector/projector_interactive';
import { visibleText } from '../projector/projector_text';
import { testIdOf } from '../selectors/fingerprint';
import { shorten } from '../text';
import { type FormFacts, formFacts, formOf, groupFacts, isSubmitter, submitterAround } from './form_facts';

export interface ElementFacts {
  role: string;
  name: string;
  label: string;
  tag: string;
  type: string;
  identifier: string;
  href: string;
  form: FormFacts | null;
}

const MAX_TEXT = 200;
const MAX_URL = 2048;

const FIELD = 'input,select,textarea';
const LINK = 'a[href],area[href],a[*|href]';

// What is met at a point: not what the caller named, but what the press reaches there. A named element may hold others.
export function metAt(target: Element, point: Point): Element {
  return reactingTo(elementAt(point.x, point.y) ?? target, target);
}

// The element that reacts to a press on `hit`: the nearest around it that is made for it, the control of a label, or
// the whole of the area whose cursor says that it can be pressed.
export function reactingTo(hit: Element, target: Element): Element {
  const found = closestComposed(hit, isPressable);
  if (found) return found instanceof HTMLLabelElement ? (found.control ?? found) : found;
  if (styleOf(hit).cursor === 'pointer') return pointedArea(hit);
  return deepContains(target, hit) ? target : hit;
}

function isPressable(el: Element): boolean {
  const tag = tagOf(el);
  return tag === 'label' || tag === 'option' || interactivityOf(el, tag) !== null;
}

function pointedArea(el: Element): Element {
  let area = el;
  for (let at = parentOf(el); at && styleOf(at).cursor === 'pointer'; at = parentOf(at)) area = at;
  return area;
}

// An element, what was told about it, and what would leave with a press on it: two looks that agree in this lead to the
// same decision.
export interface Meeting {
  element: Element;
  facts: ElementFacts;
  leadsTo: string;
}

export function meet(element: Element): Meeting {
  const facts = cached(() => factsOf(element));
  return { element, facts, leadsTo: destinationOf(facts) };
}

function factsOf(el: Element): ElementFacts {
  const tag = tagOf(el);
  const href = linkAround(el);
  return {
    role: shownRole(el, tag),
    name: shorten(nameOf(el), MAX_TEXT),
    label: shorten(labelOf(el), MAX_TEXT),
    tag,
    type: typeOf(el),
    identifier: shorten(attr(el, 'id') || attr(el, 'name') || testIdOf(el), MAX_TEXT),
    href: shorten(href, MAX_URL),
    form: formAround(el, href),
  };
}

function destinationOf({ tag, type, href, form }: ElementFacts): string {
  return JSON.stringify([tag, type, href, form?.action ?? '', form?.method ?? '']);
}

function labelOf(el: Element): string {
  if (matchesCss(el, FIELD) || (el instanceof HTMLElement && el.isContentEditable)) return labelTextsOf(el).join(' ');
  return visibleText(el, MAX_TEXT);
}

function typeOf(el: Element): string {
  return el instanceof HTMLInputElement || el instanceof HTMLButtonElement ? el.type.toLowerCase() : '';
}

// A link reacts also to a press on what it wraps, a button included.
function linkAround(el: Element): string {
  const link = closestComposed(el, (at) => matchesCss(at, LINK));
  if (!link) return '';
  if (link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement) return link.href;
  return absolute(attr(link, 'href') ?? attr(link, 'xlink:href') ?? '');
}

function absolute(href: string): string {
  try {
    return new URL(href, baseUri()).href;
  } catch {
    return href;
  }
}

// A link that leads away does not send the form it stands in; one that leads nowhere may be made to.
function formAround(el: Element, href: string): FormFacts | null {
  const submitter = submitterAround(el);
  if (submitter?.form) return formFacts(submitter.form, submitter);
  if (href !== '' && leadsAway(href)) return null;
  const form = formOf(el);
  if (form) return formFacts(form, null);
  return isAButton(el) ? groupFacts(el) : null;
}

function leadsAway(href: string): boolean {
  if (href.startsWith('javascript:')) return false;
  const here = baseUri().split('#')[0];
  return href.split('#')[0] !== here || !href.includes('#');
}

function isAButton(el: Element): boolean {
  return isSubmitter(el) || (!matchesCss(el, FIELD) && /^(button|link|menuitem|clickable)$/.test(shownRole(el, tagOf(el))));
}

