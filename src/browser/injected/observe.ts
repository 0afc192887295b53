// Observations for rules: what the elements of a target are like at this moment. Facts only; whether they are as they
// should be is judged elsewhere, from what is answered here.

import { choiceArg, objectArg, stringArg } from './arguments';
import { cached } from './cache';
import { attributeReader, propertyReader, type Reader, styleReader } from './element_values';
import { readText } from './reading';
import { type Args, type Failure, isFailure } from './result';
import { resolveMany, type Target } from './selectors/selectors';
import { shorten } from './text';
import { STATE_TESTS } from './waits';

// Elements that are read one by one; all of them are counted.
const MAX_READ = 20;
const MAX_TEXT = 4000;

type Found = Record<string, unknown>;

const OBSERVERS: Record<string, (found: Element[], args: Args) => Found> = {
  count: () => ({}),
  states: (found) => ({ states: Object.fromEntries(Object.entries(STATE_TESTS).map(([name, holds]) => [name, found.filter(holds).length])) }),
  texts: (found) => ({ texts: found.slice(0, MAX_READ).map((el) => readText(el, MAX_TEXT).text) }),
  attribute: (found, args) => ({ values: read(found, attributeReader(stringArg(args, 'name'))) }),
  property: (found, args) => ({ values: read(found, propertyReader(stringArg(args, 'name'))) }),
  style: (found, args) => ({ values: read(found, styleReader(stringArg(args, 'name'))) }),
};

export function observe(args: Args): unknown {
  const observer = OBSERVERS[choiceArg(args, 'what', Object.keys(OBSERVERS))]!;
  return cached(() => {
    const found = present(resolveMany(objectArg(args, 'target') as Target));
    return isFailure(found) ? found : { matches: found.length, ...observer(found, args) };
  });
}

// An element that no longer exists is one that does not match.
function present(found: Element[] | Failure): Element[] | Failure {
  if (!isFailure(found)) return found;
  return found.error.code === 'stale_ref' || found.error.code === 'detached' ? [] : found;
}

// A value that nobody may see is there, but not told.
function read(found: Element[], reader: Reader): unknown[] {
  return found.slice(0, MAX_READ).map((el) => {
    const value = reader(el);
    if (isFailure(value)) return { withheld: true };
    return typeof value === 'string' ? shorten(value, MAX_TEXT) : value;
  });
}
