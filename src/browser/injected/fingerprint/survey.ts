// The whole document at once: which of many targets are there now, and everything that can be acted on.

import { cached } from '../cache';
import { rootClip } from '../projector/projector_geometry';
import { PageWalk } from '../projector/projector_walk';
import { refFor } from '../registry';
import { FailureError } from '../result';
import { queryAll, type Step } from '../selectors/selectors';
import { isEnabled, isVisible } from '../visibility';
import { ElementLists } from './element_lists';
import { type Fingerprint, fingerprintOf } from './fingerprint';
import { listedSelectors } from './lasting_selectors';

export interface Finding {
  matches: number;
  // Which of the target's selectors found it; -1 for none.
  selector: number;
  // Of the only match.
  ref?: string;
  usable?: true;
}

export interface SeenElement {
  ref: string;
  fingerprint: Fingerprint;
}

// Lists are worth it for more targets than this.
const FEW = 8;

// By the first of its selectors that finds anything; one that makes no sense finds nothing.
export function probe(targets: readonly (readonly Step[][])[], doc: number): Finding[] {
  const lists = targets.length > FEW ? new ElementLists() : null;
  return cached(() => targets.map((selectors) => findingOf(selectors, lists, doc)));
}

function findingOf(selectors: readonly Step[][], lists: ElementLists | null, doc: number): Finding {
  for (let at = 0; at < selectors.length; ++at) {
    const steps = selectors[at]!;
    const found = (steps.length === 1 && lists?.find(steps[0]!)) || matchesOf(steps);
    if (found.length > 1) return { matches: found.length, selector: at };
    const [only] = found;
    if (only) return { matches: 1, selector: at, ref: refFor(only, doc), ...(isVisible(only) && isEnabled(only) && { usable: true }) };
  }
  return { matches: 0, selector: -1 };
}

function matchesOf(steps: Step[]): Element[] {
  try {
    return queryAll(steps);
  } catch (error) {
    if (error instanceof FailureError) return [];
    throw error;
  }
}

// What can be acted on, also out of sight, in document order.
export function survey(most: number, doc: number): SeenElement[] {
  return cached(() => {
    const walk = new PageWalk(rootClip('page', 0), 'page', 0);
    walk.run();
    const lists = new ElementLists();
    const selectorsOf = (el: Element): string[] => listedSelectors(el, lists);
    return walk.controls.found.slice(0, most).map(({ el }) => ({ ref: refFor(el, doc), fingerprint: fingerprintOf(el, selectorsOf) }));
  });
}
