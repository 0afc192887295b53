// The table of selector engines. A query finds elements below a root; a filter thins out what was found.

import { attr, queryDeep, type Root } from '../dom';
import { queryCss } from './engine_css';
import { queryRole } from './engine_role';
import { queryText, textOf } from './engine_text';
import { TEST_ID_ATTRIBUTES } from './fingerprint';
import { refuseGuessingCss, refuseGuessingXPath } from './guessing';
import { labelTextsOf } from '../aria/names';
import { type MatchMode, matcher } from '../text';
import { isVisible } from '../visibility';

export interface Step {
  engine: string;
  body?: string;
  mode?: MatchMode;
  flags?: string;
  role?: string;
  name?: string;
  checked?: boolean | 'mixed';
  pressed?: boolean | 'mixed';
  selected?: boolean;
  expanded?: boolean;
  level?: number;
  disabled?: boolean;
  includeHidden?: boolean;
  index?: number;
  value?: boolean;
  steps?: Step[];
}

export type Query = (step: Step, root: Root) => Element[];
export type Search = (steps: Step[], root: Root) => Element[];
export type Filter = (step: Step, elements: Element[], search: Search) => Element[];

function table<T>(rows: Record<string, T>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, rows);
}

export const QUERIES = table<Query>({
  css: queryGuardedCss,
  xpath: queryXPath,
  text: (step, root) => queryText(bodyOf(step), step.mode, step.flags, root),
  role: queryRole,
  label: queryLabel,
  placeholder: byAttribute('placeholder', '[placeholder]'),
  alt: byAttribute('alt', 'img[alt],area[alt],input[alt],[role=img][alt]'),
  title: byAttribute('title', '[title]'),
  testid: (step, root) => queryDeep(root, TEST_ID_ATTRIBUTES.map((name) => attributeEquals(name, bodyOf(step))).join(',')),
  id: (step, root) => queryDeep(root, attributeEquals('id', bodyOf(step))),
});

export const FILTERS = table<Filter>({
  nth: (step, elements) => {
    if (!Number.isInteger(step.index)) throw new Error('needs a whole number as index');
    const el = elements.at(step.index as number);
    return el ? [el] : [];
  },
  visible: (step, elements) => elements.filter((el) => isVisible(el) === (step.value ?? true)),
  has: (step, elements, search) => elements.filter((el) => search(stepsOf(step), el).length > 0),
  'has-not': (step, elements, search) => elements.filter((el) => search(stepsOf(step), el).length === 0),
  'has-text': (step, elements) => {
    const accepts = matcher(bodyOf(step), step.mode, step.flags);
    return elements.filter((el) => accepts(textOf(el)));
  },
});

function bodyOf(step: Step): string {
  if (typeof step.body !== 'string' || step.body.trim() === '') throw new Error('needs a text as body');
  return step.body;
}

function stepsOf(step: Step): Step[] {
  if (!Array.isArray(step.steps)) throw new Error('needs inner steps');
  return step.steps;
}

function attributeEquals(name: string, value: string): string {
  return `[${name}="${value.replace(/["\\]/g, '\\$&').replace(/\n/g, '\\a ')}"]`;
}

function byAttribute(name: string, selector: string): Query {
  return (step, root) => {
    const accepts = matcher(bodyOf(step), step.mode, step.flags);
    return queryDeep(root, selector).filter((el) => accepts(attr(el, name) ?? ''));
  };
}

export const LABELLED = 'input:not([type=hidden]),select,textarea,button,meter,output,progress,[aria-label],[aria-labelledby]';

function queryLabel(step: Step, root: Root): Element[] {
  const accepts = matcher(bodyOf(step), step.mode, step.flags);
  return queryDeep(root, LABELLED).filter((el) => labelTextsOf(el).some(accepts));
}

function queryGuardedCss(step: Step, root: Root): Element[] {
  refuseGuessingCss(bodyOf(step));
  return queryCss(bodyOf(step), root);
}

// XPath knows nothing of shadow roots: it sees the tree of its root only.
function queryXPath(step: Step, root: Root): Element[] {
  refuseGuessingXPath();
  const body = bodyOf(step);
  const inDocument = root instanceof Document;
  const expression = !inDocument && body.startsWith('/') ? `.${body}` : body;
  const context = root instanceof ShadowRoot ? root.host : root;
  const result = document.evaluate(expression, context, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  const found: Element[] = [];
  for (let i = 0; i < result.snapshotLength; ++i) {
    const node = result.snapshotItem(i);
    if (node instanceof Element) found.push(node);
  }
  return found;
}
