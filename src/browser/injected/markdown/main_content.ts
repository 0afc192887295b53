// Which element holds the content of the page.

import { parentOf, queryDeep, tagOf } from '../dom';
import { type Boilerplate, isInside } from './boilerplate';
import type { Weights } from './weights';

interface Place {
  selector: string;
  share: number; // of the sentences around it that must be in it
}

const PLACES: readonly Place[] = [
  { selector: 'main, [role=main]', share: 0.5 },
  { selector: 'article, [role=article], [itemprop=articleBody]', share: 0.7 },
];

export function mainContent(root: Element, weights: Weights, boilerplate: Boilerplate): Element {
  let scope = root;
  for (const { selector, share } of PLACES) {
    const places = queryDeep(scope, selector).filter((el) => !isInside(el, boilerplate));
    const best = heaviest(places, weights);
    if (!best || hasPeers(best, places)) continue;
    if (weights.of(best).prose >= share * proseIn(scope, weights, boilerplate)) scope = best;
  }
  return scope;
}

// The heading of the page where it stands outside of the content.
export function headingFor(main: Element, root: Element): Element | null {
  if (tagOf(main) === 'h1' || queryDeep(main, 'h1').some(isSeen)) return null;
  return queryDeep(root, 'h1').find(isSeen) ?? null;
}

function isSeen(el: Element): boolean {
  return el.checkVisibility();
}

function heaviest(places: Element[], weights: Weights): Element | undefined {
  return places.reduce<Element | undefined>((best, el) => (!best || weights.of(el).prose > weights.of(best).prose ? el : best), undefined);
}

// The posts of a thread are articles side by side: none of them is the content on its own.
function hasPeers(best: Element, places: Element[]): boolean {
  return places.some((el) => el !== best && parentOf(el) === parentOf(best));
}

function proseIn(scope: Element, weights: Weights, boilerplate: Boilerplate): number {
  let prose = weights.of(scope).prose;
  const subtract = (el: Element): void => {
    for (const child of Array.from(el.children)) {
      if (weights.of(child).prose === 0) continue;
      if (boilerplate.is(child)) prose -= weights.of(child).prose;
      else subtract(child);
    }
  };
  subtract(scope);
  return prose;
}
