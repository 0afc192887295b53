// Handlers of the state service: the projection of the document, words in it, and where its secrets are.

import { choiceArg, listArg, numberArg, objectArg, stringArg } from './arguments';
import { cached } from './cache';
import { find } from './projector/projector_find';
import { project, type StateOptions } from './projector/projector';
import { type Args, fail, FailureError, type Handlers } from './result';
import { coverSecrets, uncoverSecrets } from './secrets/secret_cover';
import { beginWatch, endWatch } from './secrets/secret_watch';
import { learnSecrets } from './secrets/typed_secrets';

const DEFAULT_LIMITS = { elements: 48, texts: 40, forms: 6, errors: 12 };
const MAX_LIMIT = 5000;
const MAX_MARGIN_PX = 100_000;
const MAX_QUERY = 200;
// The page, the compositor and the screen each work on another frame: what this one shows is seen by the fourth at the latest.
const FRAMES_TO_REDRAW = 4;

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

  // Secrets that were typed into other documents of this site.
  learn_secrets(args) {
    learnSecrets(listArg(args, 'secrets').map((secret) => stringArg(secret, 'value')));
    return {};
  },

  // Follows whatever shows a secret, until its places are asked for.
  watch_secrets(args) {
    beginWatch(stringArg(args, 'token'), args.follow === 'stream' ? 'stream' : 'picture');
    return {};
  },

  // Ends it; see SecretPlaces.
  secret_places(args) {
    return endWatch(stringArg(args, 'token')) ?? fail('invalid_argument', 'token: nobody watches by this name');
  },

  // Answers once nothing that was drawn before is seen any more.
  redrawn: () => new Promise<object>((resolve) => afterFrames(FRAMES_TO_REDRAW, () => resolve({}))),

  // Takes secrets out of what is printed, and puts them back.
  cover_secrets() {
    return { covered: coverSecrets() };
  },
  uncover_secrets() {
    uncoverSecrets();
    return {};
  },
};

function afterFrames(count: number, then: () => void): void {
  if (count === 0) then();
  else requestAnimationFrame(() => afterFrames(count - 1, then));
}

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
