// Handlers that find and describe elements.

import { cached } from './cache';
import { elementInfo } from './describe';
import { elementAt } from './dom';
import { selectorSet } from './selectors/generator';
import { observe } from './observe';
import { handleFor, refFor } from './registry';
import { type Args, fail, type Handlers, isFailure } from './result';
import { resolveMany, resolveStrict } from './selectors/selectors';
import { numberArg } from './arguments';

const DEFAULT_LIMIT = 50;

export const handlers: Handlers = { query, resolve, describe, element_at, element, observe };

function query(args: Args): unknown {
  return cached(() => {
    const found = resolveMany(args.target);
    if (isFailure(found)) return found;
    const doc = numberArg(args, 'doc');
    const shown = found.slice(0, numberArg(args, 'limit', DEFAULT_LIMIT));
    return { count: found.length, elements: shown.map((el) => elementInfo(el, doc)) };
  });
}

function resolve(args: Args): unknown {
  return cached(() => {
    const el = resolveStrict(args.target);
    if (isFailure(el)) return el;
    const doc = numberArg(args, 'doc');
    return { handle: handleFor(el), ref: refFor(el, doc), info: elementInfo(el, doc) };
  });
}

function describe(args: Args): unknown {
  return cached(() => {
    const el = resolveStrict(args.target);
    if (isFailure(el)) return el;
    return { info: elementInfo(el, numberArg(args, 'doc')), selectors: selectorSet(el) };
  });
}

function element_at(args: Args): unknown {
  return cached(() => {
    const x = numberArg(args, 'x');
    const y = numberArg(args, 'y');
    const el = elementAt(x, y);
    return el ? elementInfo(el, numberArg(args, 'doc')) : fail('outside_viewport', `there is no element at ${x},${y}`);
  });
}

// Answers with the element itself: the driver asks for a remote object, not for a value.
function element(args: Args): unknown {
  return resolveStrict(args.target);
}
