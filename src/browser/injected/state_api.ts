// Handlers of the state service: the projection of the document, words in it, and where its secrets are.

import { choiceArg, numberArg, objectArg, stringArg } from './arguments';
import { cached } from './cache';
import { checkVisibility } from './dom';
import { nameOf } from './aria/names';
import { find } from './projector/projector_find';
import { project, type StateOptions } from './projector/projector';
import { boxOf, heightOf, widthOf } from './projector/projector_geometry';
import { isTiny } from './projector/projector_controls';
import { secretFields } from './projector/projector_secret';
import { type Args, fail, FailureError, type Handlers } from './result';

const DEFAULT_LIMITS = { elements: 48, texts: 40, forms: 6, errors: 12 };
const MAX_LIMIT = 5000;
const MAX_MARGIN_PX = 100_000;
const MAX_QUERY = 200;

export const handlers: Handlers = {
  // The state of this document; see StateView.
  state(args) {
    const options = stateOptions(args);
    return cached(() => project(options));
  },

  // Elements anywhere in the page that show or are called by all the words of `text`, best first.
  find(args) {
    const doc = wholeArg(args, 'doc');
    const limit = wholeArg(args, 'limit', 20, MAX_LIMIT);
    const text = stringArg(args, 'text');
    if (text.trim() === '' || text.length > MAX_QUERY) {
      return fail('invalid_argument', `text: expected 1 to ${MAX_QUERY} characters`);
    }
    return cached(() => find(text, doc, limit));
  },

  // Boxes of the fields whose pixels must not be shown, in viewport coordinates, also beyond the viewport.
  secret_rects() {
    return cached(() => ({ rects: secretRects() }));
  },
};

export function stateOptions(args: Args): StateOptions {
  const limits = { ...DEFAULT_LIMITS };
  const wanted = args['limits'] === undefined ? {} : objectArg(args, 'limits');
  for (const section of Object.keys(limits) as (keyof typeof limits)[]) {
    limits[section] = wholeArg(wanted, section, limits[section], MAX_LIMIT);
  }
  return {
    doc: wholeArg(args, 'doc'),
    mode: choiceArg(args, 'mode', ['viewport', 'page'], 'viewport'),
    margin: wholeArg(args, 'margin_px', 0, MAX_MARGIN_PX),
    offset: wholeArg(args, 'offset', 0),
    limits,
  };
}

function wholeArg(args: Args, name: string, fallback?: number, most = Number.MAX_SAFE_INTEGER): number {
  const value = numberArg(args, name, fallback);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new FailureError(fail('invalid_argument', `${name}: expected a whole number from 0 to ${most}`));
}

function secretRects(): { x: number; y: number; width: number; height: number }[] {
  const shown = secretFields(nameOf).filter((el) => checkVisibility(el, { visibilityProperty: true }));
  const boxes = shown.map(boxOf).filter((box) => !isTiny(box));
  return boxes.map((box) => ({ x: box.left, y: box.top, width: widthOf(box), height: heightOf(box) }));
}
