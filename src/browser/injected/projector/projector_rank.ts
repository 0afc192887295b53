// Which controls are shown when not all of them fit: the most useful ones, in document order.

import type { Found } from './projector_controls';
import { areaOf, intersection } from './projector_geometry';
import { strengthOf } from './projector_interactive';

export interface RankFacts {
  focus: Element | null;
  // Fields that an error message speaks of.
  faulty: ReadonlySet<Element>;
}

const SIZE_CLASSES = 4;

// A number that orders by layer, focus, being in sight, strength, faults and size, the first difference deciding.
export function scoreOf(found: Found, facts: RankFacts): number {
  const digits: [value: number, base: number][] = [
    [found.inOverlay ? 1 : 0, 2],
    [found.el === facts.focus ? 1 : 0, 2],
    [found.inViewport ? 1 : 0, 2],
    [strengthOf(found.kind, found.role, found.name), 6],
    [facts.faulty.has(found.el) ? 1 : 0, 2],
    [sizeClass(found), SIZE_CLASSES],
  ];
  return digits.reduce((score, [value, base]) => score * base + value, 0);
}

// Orders of magnitude: differences of pixels must not outweigh the order of the document.
function sizeClass({ box, view, inViewport }: Found): number {
  const area = areaOf(inViewport ? intersection(box, view) : box);
  if (area < 16 * 16) return 0;
  if (area < 100 * 40) return 1;
  return area < 400 * 100 ? 2 : SIZE_CLASSES - 1;
}

// One page of the ranking, back in document order.
export function choose(all: readonly Found[], facts: RankFacts, offset: number, limit: number): Found[] {
  if (offset === 0 && all.length <= limit) return all.slice();
  const order = all.map((found, index) => ({ found, index, score: scoreOf(found, facts) }));
  order.sort((a, b) => b.score - a.score || a.index - b.index);
  const page = order.slice(offset, offset + limit);
  page.sort((a, b) => a.index - b.index);
  return page.map(({ found }) => found);
}
