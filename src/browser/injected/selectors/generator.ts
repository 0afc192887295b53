// Selectors for a given element, best first. What a person would say (test id, role and name, label, text) is
// preferred to structure; every selector returned has been checked to find this element and no other.

import { cached } from '../cache';
import { attr, documentOf, parentElementOf, parentOrHost, previousElementOf, queryScope, rootOf, tagOf, textContentOf } from '../dom';
import { QUERIES, type Step } from './engines';
import { textOf } from './engine_text';
import { testIdOf } from './fingerprint';
import { serialise } from './grammar';
import { labelTextsOf, nameOf } from '../aria/names';
import { roleOf } from '../aria/roles';
import { normalise } from '../text';
import { isHiddenForAria } from '../visibility';

export interface Selector {
  selector: string;
  kind: string;
  // Lower is better: how likely the selector is to break when the page changes.
  score: number;
}

export interface Proposal {
  steps: Step[];
  kind: string;
  score: number;
}

const MAX_SELECTORS = 8;
const MAX_TEXT = 80;
// Much more than that, blanks and scripts included, is no text that an element could be named by.
const MAX_READ = 4000;
const MAX_ANCESTORS = 8;
const MAX_NTH = 5;
const CHAIN_PENALTY = 20;
const NTH_PENALTY = 10_000;
const PATH_SCORE = 10_000_000;

export function selectorSet(el: Element): Selector[] {
  return cached(() => {
    const own = proposals(el);
    const unique = own.filter((proposal) => isUnique(proposal.steps, el));
    if (unique.length === 0) unique.push(...chained(el, own));
    if (unique.length === 0) unique.push(...numbered(el, own));
    unique.push(pathProposal(el));
    return withoutDoubles(unique.sort((a, b) => a.score - b.score).map(toSelector)).slice(0, MAX_SELECTORS);
  });
}

function withoutDoubles(sorted: Selector[]): Selector[] {
  const best = new Map<string, Selector>();
  for (const selector of sorted) if (!best.has(selector.selector)) best.set(selector.selector, selector);
  return Array.from(best.values());
}

export function bestSelector(el: Element): string {
  return selectorSet(el)[0]!.selector;
}

function toSelector({ steps, kind, score }: Proposal): Selector {
  return { selector: serialise(steps), kind, score };
}

// Everything the element itself offers, whether unique or not.
export function proposals(el: Element): Proposal[] {
  const list: Proposal[] = [];
  const add = (kind: string, score: number, step: Step): number => list.push({ steps: [step], kind, score });
  const exactly = (kind: string, score: number, text: string | null): void => {
    if (text !== null && isTellable(text)) add(kind, score, { engine: kind, body: text, mode: 'exact' });
  };
  const testId = testIdOf(el);
  if (testId) add('testid', 1, { engine: 'testid', body: testId });
  for (const proposal of roleProposals(el)) list.push(proposal);
  exactly('placeholder', 120, attr(el, 'placeholder'));
  for (const label of labelTextsOf(el)) exactly('label', 140, label);
  if (tagOf(el) === 'img') exactly('alt', 160, attr(el, 'alt'));
  if (textContentOf(el).length <= MAX_READ) exactly('text', 180, normalise(textOf(el)));
  exactly('title', 200, attr(el, 'title'));
  const id = attr(el, 'id');
  if (id && !looksGenerated(id)) add('id', 500, { engine: 'css', body: `#${CSS.escape(id)}` });
  const byAttributes = attributeCss(el);
  if (byAttributes) add('css', 520, { engine: 'css', body: byAttributes });
  return list;
}

function roleProposals(el: Element): Proposal[] {
  const role = roleOf(el);
  if (role === '' || role === 'presentation' || role === 'generic' || isHiddenForAria(el)) return [];
  const name = nameOf(el);
  const bare: Proposal = { steps: [{ engine: 'role', role }], kind: 'role', score: 510 };
  if (!isTellable(name)) return [bare];
  return [{ steps: [{ engine: 'role', role, name, mode: 'exact' }], kind: 'role', score: 100 }, bare];
}

// Short enough to be read, and made of words: icon fonts use glyphs that mean nothing as text.
function isTellable(text: string): boolean {
  return text.trim() !== '' && text.length <= MAX_TEXT && !/[\ue000-\uf8ff]/.test(text);
}

// Ids that a build or framework makes up change with the next build or render.
export function looksGenerated(id: string): boolean {
  if (/^[:«_]|[:»]$/.test(id) || /[0-9a-f]{8}-[0-9a-f]{4}-/i.test(id)) return true;
  const digits = id.replace(/\D/g, '').length;
  if (digits >= 4 && digits * 3 > id.length) return true;
  return id.split(/[-_:.]/).some(isScrambled);
}

// Long runs that change between letters and digits or lower and upper case again and again.
function isScrambled(word: string): boolean {
  if (word.length < 8) return false;
  const kinds = Array.from(word, (char) => (/\d/.test(char) ? 'd' : /[A-Z]/.test(char) ? 'u' : 'l'));
  const changes = kinds.filter((kind, at) => at > 0 && kind !== kinds[at - 1]).length;
  return changes * 3 > word.length;
}

function attributeCss(el: Element): string | null {
  const tag = CSS.escape(tagOf(el));
  const parts = ['name', 'type', 'href', 'for'].flatMap((name) => {
    const value = attr(el, name);
    return value && value.length <= MAX_TEXT ? [`[${name}=${JSON.stringify(value)}]`] : [];
  });
  return parts.length > 0 ? tag + parts.join('') : null;
}

function runSteps(steps: Step[], root: Element | Document): Element[] {
  let found: (Element | Document)[] = [root];
  for (const step of steps) found = found.flatMap((at) => QUERIES[step.engine]!(step, at));
  return Array.from(new Set(found)) as Element[];
}

function isUnique(steps: Step[], el: Element): boolean {
  const found = runSteps(steps, documentOf(el));
  return found.length === 1 && found[0] === el;
}

// "the Delete button in the row of Alice": an ancestor that can be told apart, then the element inside it.
function chained(el: Element, own: Proposal[]): Proposal[] {
  const found: Proposal[] = [];
  let above = parentOrHost(el);
  for (let depth = 0; above && depth < MAX_ANCESTORS && found.length === 0; ++depth, above = parentOrHost(above)) {
    const anchor = above;
    const outer = proposals(anchor).filter((proposal) => proposal.kind !== 'text' && isUnique(proposal.steps, anchor));
    for (const inner of own) {
      if (outer[0] && isUnique([...outer[0].steps, ...inner.steps], el)) found.push(join(outer[0], inner));
    }
  }
  return found;
}

function join(outer: Proposal, inner: Proposal): Proposal {
  return {
    steps: [...outer.steps, ...inner.steps],
    kind: inner.kind,
    score: Math.max(outer.score, inner.score) + CHAIN_PENALTY,
  };
}

function numbered(el: Element, own: Proposal[]): Proposal[] {
  for (const proposal of own) {
    const index = runSteps(proposal.steps, documentOf(el)).indexOf(el);
    if (index < 0 || index > MAX_NTH) continue;
    return [{ ...proposal, steps: [...proposal.steps, { engine: 'nth', index }], score: proposal.score + NTH_PENALTY }];
  }
  return [];
}

// The last resort: the way down from the root of the tree, through hosts where there are shadow roots.
export function pathProposal(el: Element): Proposal {
  const steps: Step[] = [];
  for (let at: Element | null = el; at; ) {
    steps.unshift({ engine: 'css', body: pathInScope(at) });
    const root = rootOf(at);
    at = root instanceof ShadowRoot ? root.host : null;
  }
  return { steps, kind: 'path', score: PATH_SCORE };
}

function pathInScope(el: Element): string {
  const parts: string[] = [];
  const root = rootOf(el) as Document | ShadowRoot;
  for (let at: Element | null = el; at; at = parentElementOf(at)) {
    parts.unshift(partOf(at));
    const path = parts.join(' > ');
    if (queryScope(root, path).length === 1) return path;
  }
  return parts.join(' > ');
}

function partOf(el: Element): string {
  const tag = CSS.escape(tagOf(el));
  let position = 1;
  for (let at = previousElementOf(el); at; at = previousElementOf(at)) if (tagOf(at) === tagOf(el)) ++position;
  const id = attr(el, 'id');
  return id && !looksGenerated(id) ? `#${CSS.escape(id)}` : `${tag}:nth-of-type(${position})`;
}
