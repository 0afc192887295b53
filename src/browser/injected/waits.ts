// Conditions a caller can wait for. Each is a function of the present moment that says whether it holds, what was
// observed, and whether only animation frames can tell that it changed.

import { choiceArg, numberArg, objectArg, stringArg } from './arguments';
import { cached } from './cache';
import { attributeReader, propertyReader } from './element_values';
import { project } from './projector/projector';
import { stateOptions } from './state_api';
import { type Moment, type Outcome, until } from './pending';
import { readText } from './reading';
import { type Args, type Failure, fail, FailureError, isFailure } from './result';
import { resolveMany, type Target } from './selectors/selectors';
import { RestWatch } from './stability';
import { matcher, type MatchMode, shorten } from './text';
import { ariaStates, isEditable, isEnabled, isVisible } from './visibility';

interface Check {
  holds: boolean;
  observed: unknown;
  frames: boolean;
  againInMs?: number;
  state?: unknown; // the page as it was found, for who would read it next
}

type Condition = (moment: Moment) => Check | Failure;

export interface WaitResult {
  satisfied: true;
  observed: unknown;
  waited_ms: number;
  state?: unknown;
}

const MAX_TEXT = 100_000;
const MAX_OBSERVED = 200;

const KINDS: Record<string, (args: Args) => Condition> = {
  selector: selectorCondition,
  text: textCondition,
  dom_quiet: quietCondition,
  element_state: stateCondition,
  count: countCondition,
  state_change: stateChangeCondition,
  drawn: drawnCondition,
};

export function wait(args: Args): Promise<WaitResult | Failure> {
  const spec = objectArg(args, 'condition');
  const kind = choiceArg(spec, 'kind', Object.keys(KINDS));
  const condition = KINDS[kind]!(spec);
  let observed: unknown;
  const probe = (moment: Moment): Outcome<WaitResult> => {
    const check = cached(() => condition(moment));
    if (isFailure(check)) return { done: check };
    observed = check.observed;
    if (check.holds) {
      const { state } = check;
      return { done: { satisfied: true, observed, waited_ms: Math.round(moment.waitedMs), ...(state !== undefined && { state }) } };
    }
    const pending = fail('timeout', `condition ${kind} did not hold`, { detail: { observed } });
    return { pending, frames: check.frames, ...(check.againInMs !== undefined && { againInMs: check.againInMs }) };
  };
  return until(probe, {
    timeoutMs: numberArg(args, 'timeout_ms'),
    id: args.id === undefined ? undefined : String(args.id),
    onTimeout: (_, ms) => fail('timeout', `condition ${kind} did not hold within ${Math.round(ms)} ms`, { detail: { observed } }),
  });
}

const STATES = ['attached', 'detached', 'visible', 'hidden', 'enabled', 'disabled', 'editable', 'checked', 'unchecked', 'stable'] as const;
type State = (typeof STATES)[number];
// These can change by style or by script without any signal.
const FRAME_STATES = /^(visible|hidden|stable|checked|unchecked)$/;

function selectorCondition(args: Args): Condition {
  const target = objectArg(args, 'target') as Target;
  const state = choiceArg(args, 'state', STATES, 'visible');
  const rest = new RestWatch();
  return (moment) => {
    const found = resolveMany(target);
    if (isFailure(found)) return goneIsFine(found, state);
    if (args.strict === true && found.length > 1) return tooMany(found.length);
    const holds = stateHolds(found, state, rest, moment);
    return { holds, observed: { count: found.length }, frames: FRAME_STATES.test(state) };
  };
}

function tooMany(count: number): Failure {
  return fail('target_ambiguous', `the target matches ${count} elements`);
}

// A reference to an element that no longer exists answers the question whether it is gone.
function goneIsFine(failure: Failure, state: State): Check | Failure {
  const isGone = failure.error.code === 'stale_ref' || failure.error.code === 'detached';
  if (!isGone || (state !== 'detached' && state !== 'hidden')) return failure;
  return { holds: true, observed: { count: 0 }, frames: false };
}

// Of several matches one is enough, except to be gone or hidden: that holds for all of them.
function stateHolds(found: Element[], state: State, rest: RestWatch, moment: Moment): boolean {
  switch (state) {
    case 'attached':
      return found.length > 0;
    case 'detached':
      return found.length === 0;
    case 'hidden':
      return !found.some(isVisible);
    case 'stable':
      return found[0] !== undefined && isVisible(found[0]) && rest.isAtRest(found[0], 'strict', moment);
    default:
      return found.some(STATE_TESTS[state]);
  }
}

export const STATE_TESTS: Record<Exclude<State, 'attached' | 'detached' | 'hidden' | 'stable'>, (el: Element) => boolean> = {
  visible: isVisible,
  enabled: isEnabled,
  disabled: (el) => !isEnabled(el),
  editable: isEditable,
  checked: (el) => ariaStates(el).checked === true,
  unchecked: (el) => ariaStates(el).checked === false,
};

function textCondition(args: Args): Condition {
  const body = stringArg(args, 'text');
  const mode = choiceArg(args, 'mode', ['substring', 'exact', 'regex'] as const, 'substring');
  const wanted = args.absent !== true;
  const search = args.target ? inTarget(objectArg(args, 'target') as Target, body, mode) : inPage(body, mode);
  return () => {
    const found = search();
    if (isFailure(found)) return found;
    const { shown, exists } = found;
    return { holds: shown === wanted, observed: { found: shown }, frames: exists && !shown };
  };
}

interface TextSearch {
  shown: boolean;
  exists: boolean;
}

function inPage(body: string, mode: MatchMode): () => TextSearch | Failure {
  const target: Target = { steps: [{ engine: 'text', body, mode }] };
  return () => {
    const found = resolveMany(target);
    return isFailure(found) ? found : { shown: found.some(isVisible), exists: found.length > 0 };
  };
}

function inTarget(target: Target, body: string, mode: MatchMode): () => TextSearch | Failure {
  const matches = textMatcher(body, mode);
  return () => {
    const found = resolveMany(target);
    if (isFailure(found)) return found;
    return { shown: found.some((el) => matches(readText(el, MAX_TEXT).text)), exists: found.length > 0 };
  };
}

function textMatcher(body: string, mode: MatchMode): (text: string) => boolean {
  try {
    return matcher(body, mode);
  } catch {
    throw new FailureError(fail('invalid_argument', 'text: not a regular expression'));
  }
}

function quietCondition(args: Args): Condition {
  const quietMs = numberArg(args, 'quiet_ms');
  let since = 0;
  return (moment) => {
    if (moment.changed) since = moment.waitedMs;
    const quietFor = moment.waitedMs - since;
    const holds = quietFor >= quietMs;
    return { holds, observed: { quiet_for_ms: Math.round(quietFor) }, frames: false, againInMs: Math.max(0, quietMs - quietFor) };
  };
}

function stateCondition(args: Args): Condition {
  const target = objectArg(args, 'target') as Target;
  const read = args.property === undefined ? attributeReader(stringArg(args, 'attribute')) : propertyReader(stringArg(args, 'property'));
  const accepts = acceptor(args);
  return () => {
    const found = resolveMany(target);
    if (isFailure(found)) return found;
    if (found.length > 1) return tooMany(found.length);
    if (!found[0]) return { holds: false, observed: { count: 0 }, frames: false };
    const value = read(found[0]);
    if (isFailure(value)) return value;
    return { holds: accepts(value), observed: { value: bounded(value) }, frames: args.property !== undefined };
  };
}

function bounded(value: unknown): unknown {
  return typeof value === 'string' ? shorten(value, MAX_OBSERVED) : value;
}

function acceptor(args: Args): (value: unknown) => boolean {
  if (args.matches !== undefined) {
    const matches = textMatcher(stringArg(args, 'matches'), 'regex');
    return (value) => value !== null && matches(String(value));
  }
  if (args.equals !== undefined) return (value) => value === args.equals || (value !== null && String(value) === String(args.equals));
  return (value) => value !== null && value !== false;
}

const COMPARE = { eq: (a: number, b: number) => a === b, gte: (a: number, b: number) => a >= b, lte: (a: number, b: number) => a <= b };

function countCondition(args: Args): Condition {
  const target = objectArg(args, 'target') as Target;
  const compare = COMPARE[choiceArg(args, 'op', ['eq', 'gte', 'lte'] as const, 'eq')];
  const wanted = numberArg(args, 'n');
  return () => {
    const found = resolveMany(target);
    if (isFailure(found)) return found;
    return { holds: compare(found.length, wanted), observed: { count: found.length }, frames: false };
  };
}

// The page shows something else than when its state had the given hash.
function stateChangeCondition(args: Args): Condition {
  const before = stringArg(args, 'content_hash');
  const options = stateOptions({ ...(args['read_as'] === undefined ? {} : objectArg(args, 'read_as')), doc: numberArg(args, 'doc') });
  return () => {
    const state = project(options);
    return { holds: state.content_hash !== before, observed: { content_hash: state.content_hash }, frames: false, state };
  };
}

// The state of this moment, when such a condition holds.
export function changedState(args: Args): object | undefined {
  const check = cached(() => stateChangeCondition(args)({ cause: 'start', changed: true, frame: 0, attempt: 1, waitedMs: 0 }));
  return !isFailure(check) && check.holds ? (check.state as object) : undefined;
}

// What was scrolled or changed before this wait is on the screen: two animation frames have come.
function drawnCondition(): Condition {
  return ({ frame }) => ({ holds: frame >= 2, observed: { frames: frame }, frames: true });
}
