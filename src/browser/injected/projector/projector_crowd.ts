// Long lists and tables: which of very many siblings are in reach, without asking each of them where it is.

import { boxOf, type Box } from './projector_geometry';

export interface Range {
  first: number;
  // One past the last.
  end: number;
}

const PROBES = 9;
// Neighbours of different height in one line of a grid: the edge found by bisection may be off by some.
const SLACK = 12;

// Siblings laid out one after the other, from top to bottom. Null where they are not: then each has to be asked.
export function rangeInReach(siblings: readonly Element[], reach: Box): Range | null {
  if (!isTopDown(siblings)) return null;
  const first = bisect(siblings, (box) => box.bottom > reach.top);
  const end = bisect(siblings, (box) => box.top >= reach.bottom);
  return { first: Math.max(0, first - SLACK), end: Math.min(siblings.length, end + SLACK) };
}

function isTopDown(siblings: readonly Element[]): boolean {
  let above = -Infinity;
  for (let i = 0; i < PROBES; ++i) {
    const box = boxFrom(siblings, Math.floor((i * (siblings.length - 1)) / (PROBES - 1)), siblings.length);
    if (!box) continue;
    if (box.top < above) return false;
    above = box.top;
  }
  return true;
}

// The first index whose box satisfies `reached`, given that all later ones do too.
function bisect(siblings: readonly Element[], reached: (box: Box) => boolean): number {
  let low = 0;
  let high = siblings.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const box = boxFrom(siblings, middle, high);
    if (!box || reached(box)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// The box at `index`, or of the next sibling before `end` that has one: rows that are filtered out have none.
function boxFrom(siblings: readonly Element[], index: number, end: number): Box | null {
  for (let i = index; i < end; ++i) {
    const box = boxOf(siblings[i]!);
    if (box.right > box.left || box.bottom > box.top) return box;
  }
  return null;
}
