// Selectors of an element that are likely to find it, and nothing else, also tomorrow: what a person would say of it,
// else what its author calls it. Nothing in them was typed.

import { attr, hasAttr, parentOrHost, queryScope } from '../dom';
import { labelTextsOf, nameOf, untypedLabelsOf, untypedNameOf } from '../aria/names';
import { QUERIES, type Step } from '../selectors/engines';
import { pathProposal, type Proposal, proposals } from '../selectors/generator';
import { serialise } from '../selectors/grammar';
import { withoutSecrets } from '../secrets/typed_secrets';
import { BoundedSearch } from './bounded_search';
import type { ElementLists } from './element_lists';
import { isTypedInto } from './typed_into';

const MAX_SELECTORS = 6;
const MAX_LENGTH = 256;
const MAX_ANCESTORS = 6;
// An ancestor with more in it is no row or card any more.
const MAX_INSIDE = 400;
// Counts, prices and dates change; what is named after them is worn out before an id is.
const WEAR_OF_DIGITS = 450;

// How dear it is to look: engines not named here are looked up natively.
const DEAR: Record<string, number> = { role: 1, label: 2, text: 3 };

// On behalf of an action that waits. There is always one, if only the way down to the element.
export function lastingSelectors(el: Element): string[] {
  const search = new BoundedSearch();
  const own = lastingProposals(el);
  const alone = own.filter(({ steps }) => search.isAlone(steps[0]!, el));
  if (alone.length === 0) alone.push(...withinAncestor(el, own, search));
  if (alone.length === 0) alone.push(pathProposal(el));
  return bestOf(alone);
}

// On behalf of whoever looks at the whole page: only those that can be looked up in lists.
export function listedSelectors(el: Element, lists: ElementLists): string[] {
  return bestOf(lastingProposals(el).filter(({ steps }) => isOnly(lists.find(steps[0]!) ?? [], el)));
}

function bestOf(alone: Proposal[]): string[] {
  const sorted = alone.sort((a, b) => wearOf(a) - wearOf(b)).map(({ steps }) => serialise(steps));
  return sorted.filter((selector) => selector.length <= MAX_LENGTH && withoutSecrets(selector) === selector).slice(0, MAX_SELECTORS);
}

function wearOf({ steps, score }: Proposal): number {
  return steps.some(({ name, body }) => /\d/.test(name ?? body ?? '')) ? score + WEAR_OF_DIGITS : score;
}

// The cheapest to look up first.
function lastingProposals(el: Element): Proposal[] {
  return proposals(el)
    .filter((proposal) => lasts(proposal, el))
    .sort((a, b) => (DEAR[a.steps[0]!.engine] ?? 0) - (DEAR[b.steps[0]!.engine] ?? 0));
}

function lasts({ kind, steps }: Proposal, el: Element): boolean {
  switch (kind) {
    case 'role':
      return steps[0]!.name !== undefined && nameOf(el) === untypedNameOf(el);
    case 'label':
      return labelTextsOf(el).join() === untypedLabelsOf(el).join();
    case 'text':
      return !isTypedInto(el);
    case 'css':
      return hasAttr(el, 'name') || /^[^?#]+$/.test(attr(el, 'href') ?? '');
    default:
      return true;
  }
}

// "the Delete button in the row of Alice": inside the nearest ancestor that can be told apart.
function withinAncestor(el: Element, own: readonly Proposal[], search: BoundedSearch): Proposal[] {
  let above = parentOrHost(el);
  for (let depth = 0; above && depth < MAX_ANCESTORS; ++depth, above = parentOrHost(above)) {
    const anchor = above;
    if (queryScope(anchor, '*').length > MAX_INSIDE) return [];
    const inner = own.find(({ steps }) => isOnly(foundIn(anchor, steps[0]!), el));
    if (!inner) return [];
    const outer = lastingProposals(anchor).find(({ kind, steps }) => kind !== 'text' && search.isAlone(steps[0]!, anchor));
    if (outer) return [{ steps: [...outer.steps, ...inner.steps], kind: inner.kind, score: Math.max(outer.score, inner.score) }];
  }
  return [];
}

function foundIn(anchor: Element, step: Step): readonly Element[] {
  return QUERIES[step.engine]!(step, anchor);
}

function isOnly(found: readonly Element[], el: Element): boolean {
  return found.length === 1 && found[0] === el;
}
