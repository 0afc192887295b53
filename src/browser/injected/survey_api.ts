// Handlers that look at the whole document for whoever knows elements by their fingerprints.

import { listArg, numberArg } from './arguments';
import { probe, survey } from './fingerprint/survey';
import { type Args, fail, type Handlers } from './result';
import type { Step } from './selectors/selectors';

const MAX_TARGETS = 500;
const MAX_ELEMENTS = 2000;

export const handlers: Handlers = {
  // Which of the targets, each a list of selectors, are there now.
  probe(args) {
    const targets = listArg(args, 'targets');
    if (targets.length > MAX_TARGETS) return fail('invalid_argument', `targets: expected at most ${MAX_TARGETS}`);
    return { findings: probe(targets.map(selectorsOf), numberArg(args, 'doc')) };
  },

  // Everything that can be acted on, with fingerprints.
  survey(args) {
    return { elements: survey(Math.min(numberArg(args, 'most'), MAX_ELEMENTS), numberArg(args, 'doc')) };
  },
};

function selectorsOf(target: Args): Step[][] {
  return listArg(target, 'selectors').map((selector) => listArg(selector, 'steps') as Step[]);
}
