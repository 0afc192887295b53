// What the driver calls to act on a page: prepare a press, fill, focus, select, read, scroll, wait.

import { awaitElement, controlFor, firstMissing, type Need } from './actionability';
import { choiceArg, listArg, numberArg, objectArg, stringArg } from './arguments';
import { cached } from './cache';
import { describe } from './describe';
import { tagOf } from './dom';
import { extractOne, type ExtractRequest, WHAT } from './extract';
import { compare, fillElement, refuseUnfillable } from './fill';
import { type Meeting, meet, metAt, reactingTo } from './facts/element_facts';
import { fingerprintOf } from './fingerprint/fingerprint';
import { lastingSelectors } from './fingerprint/lasting_selectors';
import { placeCaret, releaseFocus, takeFocus } from './focus';
import { boxOf, type Point } from './geometry';
import { arm, BUTTONS, disarm, type GuardedAction, guardFor } from './hit_guard';
import { nameOf } from './aria/names';
import { guardKeys, keysWentAstray } from './key_guard';
import { cancel } from './pending';
import { type PointerAction, prepare, type Prepared } from './prepare';
import { deepFocus } from './projector/projector';
import { holdsTyped, isSecret, noteSecret } from './projector/projector_secret';
import { handleFor, refFor } from './registry';
import { type Args, type Failure, fail, type Handlers, isFailure } from './result';
import { roleOf } from './aria/roles';
import { containerFor, rootScroller, scrollAndReport, viewport } from './scroll';
import { choose, findOptions, refuseOtherThanList } from './select';
import { resolveMany, resolveStrict, type Target } from './selectors/selectors';
import { nextFrame } from './signals';
import { ariaStates, isEditable } from './visibility';
import { changedState, wait } from './waits';

const POINTER_ACTIONS: readonly PointerAction[] = ['click', 'hover', 'drag', 'drop'];
const DEFAULT_LIMIT = 100;
const DEFAULT_MAX_CHARS = 20_000;

function targetOf(args: Args): Target {
  return objectArg(args, 'target') as Target;
}

function infoOf(el: Element): object {
  return { role: roleOf(el), name: nameOf(el), tag: tagOf(el), description: describe(el) };
}

function identify(el: Element, args: Args): { ref: string; info: object } {
  return cached(() => ({ ref: refFor(el, numberArg(args, 'doc')), info: infoOf(el) }));
}

async function prepareAction(args: Args): Promise<object> {
  const action = choiceArg(args, 'action', POINTER_ACTIONS);
  disarm();
  const prepared = await prepare({
    target: targetOf(args),
    action,
    position: args.position === undefined ? undefined : positionOf(args),
    force: args.force === true,
    stable: choiceArg(args, 'stable', ['fast', 'strict'] as const, 'fast'),
    timeoutMs: numberArg(args, 'timeout_ms'),
    token: stringArg(args, 'token'),
  });
  if (isFailure(prepared)) return prepared;
  const met = args.meet === true ? meet(metAt(prepared.element, prepared.point)) : null;
  const known = met ? knownBy(met.element, args) : {};
  // What is forced goes where it goes, unless somebody decided on what it meets.
  if (action !== 'drop' && (args.force !== true || met)) armFor(prepared.element, action, met, args);
  return { ...preparedAnswer(prepared, args), ...(met && { met: met.facts }), ...known };
}

// What is met, for whoever wants to know it again.
function knownBy(el: Element, args: Args): { fingerprint?: object } {
  return args.fingerprint === true ? { fingerprint: fingerprintOf(el, lastingSelectors) } : {};
}

function positionOf(args: Args): Point {
  const position = objectArg(args, 'position');
  return { x: numberArg(position, 'x'), y: numberArg(position, 'y') };
}

function armFor(target: Element, action: GuardedAction, met: Meeting | null, args: Args): void {
  const button = choiceArg(args, 'button', BUTTONS, 'left');
  const forced = args.force === true;
  arm({ token: stringArg(args, 'token'), target, action, button, count: numberArg(args, 'count', 1), met, forced });
}

function preparedAnswer({ element, point, rect, attempts, waitedMs, scrolled }: Prepared, args: Args): object {
  return {
    ...identify(element, args),
    handle: handleFor(element),
    point,
    rect,
    attempts,
    waited_ms: Math.round(waitedMs),
    scrolled,
  };
}

// With `before`, which is a state_change condition, it tells the state too when that has changed.
function hitResult(args: Args): object {
  const guard = guardFor(stringArg(args, 'token'));
  if (!guard) return { armed: false, hit: null, events: [], click_delivered: false };
  if (args.disarm === true) disarm();
  const state = args.before === undefined ? undefined : changedState(objectArg(args, 'before'));
  return { armed: true, ...guard.verdict, click_delivered: guard.delivered, ...(state && { state }) };
}

async function fillAction(args: Args): Promise<object> {
  const el = await awaitElement({
    target: targetOf(args),
    timeoutMs: numberArg(args, 'timeout_ms'),
    token: args.token,
    needs: args.force === true ? [] : ['visible', 'enabled', 'editable'],
    followLabel: true,
    refuse: refuseUnfillable,
  });
  if (isFailure(el)) return el;
  const pause = stopToMeet(el, args);
  if (pause) return pause;
  const value = stringArg(args, 'value');
  noteTyping(el, value, args);
  const filled = await fillElement(el, value);
  return isFailure(filled) ? filled : { ...identify(el, args), ...filled };
}

// Whether a field holds a value, without telling it; waits for editors that take their time.
async function checkValue(args: Args): Promise<object> {
  const value = stringArg(args, 'value');
  const differs = (el: Element): Failure | null => (compare(el, value).value_matches ? null : fail('timeout', 'the value differs'));
  const waited = await awaitElement({ ...requestFor(args, []), refuse: refuseUnfillable, missing: differs });
  const el = isFailure(waited) && waited.error.code === 'timeout' ? resolveStrict(targetOf(args)) : waited;
  return isFailure(el) ? el : { ...identify(el, args), ...compare(controlFor(el), value) };
}

async function focusAction(args: Args): Promise<object> {
  const caret = choiceArg(args, 'caret', ['end', 'keep', 'select_all'] as const, 'keep');
  const el = await awaitElement(requestFor(args, ['visible', 'enabled']));
  if (isFailure(el)) return el;
  const stop = stopToMeet(el, args) ?? refuseEditing(el, args);
  if (stop) return stop;
  noteTyping(el, args.value, args);
  const refused = takeFocus(el);
  if (refused) return refused;
  placeCaret(el, caret);
  // Secrets go nowhere else either.
  if (args.met_as !== undefined || args.secret === true) guardKeys(stringArg(args, 'token'), el);
  const isPassword = el instanceof HTMLInputElement && el.type === 'password';
  return { ...identify(el, args), editable: isEditable(el), is_password: isPassword };
}

// With `meet` it only tells what would be acted on. With `met_as`, that must still be as it was told then.
function stopToMeet(el: Element, args: Args): object | null {
  if (args.meet === true) return { ...identify(el, args), handle: handleFor(el), ...meetingAnswer(meet(el)), ...knownBy(el, args) };
  const changed = args.met_as !== undefined && meet(el).leadsTo !== args.met_as;
  return changed ? fail('detached', `${describe(el)} has changed since it was looked at`) : null;
}

function meetingAnswer({ facts, leadsTo }: Meeting): object {
  return { met: facts, met_as: leadsTo };
}

// A field that hides what is typed is remembered, whatever the page makes of it later.
function noteTyping(el: Element, value: unknown, args: Args): void {
  if (args.secret === true) noteSecret(el, typeof value === 'string' ? value : '');
  else isSecret(el, '');
}

// What is left of a secret after a few keys is a secret that nobody knows any more.
function refuseEditing(el: Element, args: Args): Failure | null {
  if (args.edits !== true || !holdsTyped(el)) return null;
  return fail('secret_field', `a secret was typed into ${describe(el)}: it can be filled anew or cleared, not edited`);
}

// What keys go to, in this frame or in one inside it.
function focusedAction(args: Args): object {
  const focus = deepFocus();
  if (!focus) return { focused: false, page_has_it: guardPage(args) };
  if (/^(embed|frame|iframe|object)$/.test(tagOf(focus))) return { focused: true, in_frame: true };
  isSecret(focus, '');
  const refused = refuseEditing(focus, args);
  if (refused) return refused;
  guardKeys(stringArg(args, 'token'), focus);
  return { focused: true, ...identify(focus, args), ...meetingAnswer(meet(focus)), ...knownBy(focus, args) };
}

// Nothing has the focus in the whole page only where the outermost frame says so.
function guardPage(args: Args): boolean {
  if (window !== window.top) return false;
  guardKeys(stringArg(args, 'token'), null);
  return true;
}

// Without a time to wait it looks once.
function requestFor(args: Args, needs: readonly Need[]): Parameters<typeof awaitElement>[0] {
  return { target: targetOf(args), timeoutMs: numberArg(args, 'timeout_ms', 0), token: args.token, needs, followLabel: true };
}

function blurAction(args: Args): object {
  const el = resolveStrict(targetOf(args));
  if (isFailure(el)) return el;
  releaseFocus(controlFor(el));
  return identify(el, args);
}

async function selectAction(args: Args): Promise<object> {
  const wanted = listArg(args, 'options');
  const missing = (el: Element): Failure | null => {
    const found = findOptions(el as HTMLSelectElement, wanted);
    return isFailure(found) ? found : null;
  };
  const refuse = (el: Element): Failure | null => refuseOtherThanList(el, wanted);
  const el = await awaitElement({ ...requestFor(args, ['visible', 'enabled']), refuse, missing });
  if (isFailure(el)) return el;
  const pause = stopToMeet(el, args);
  if (pause) return pause;
  const list = el as HTMLSelectElement;
  const options = findOptions(list, wanted);
  if (isFailure(options)) return options;
  return takeFocus(list) ?? { ...identify(list, args), ...choose(list, options) };
}

// With `want`, gives the control the time to show that state; then tells the state it is in.
async function checkedState(args: Args): Promise<object> {
  const differs = (el: Element): Failure | null =>
    args.want === undefined || stateOf(el) === args.want ? null : fail('timeout', 'the state differs');
  const waited = await awaitElement({ ...requestFor(args, []), refuse: refuseUncheckable, missing: differs });
  const el = isFailure(waited) && waited.error.code === 'timeout' ? resolveStrict(targetOf(args)) : waited;
  if (isFailure(el)) return el;
  return cached(() => {
    const control = controlFor(el);
    return { ...identify(control, args), checked: stateOf(control), kind: kindOf(control) };
  });
}

function stateOf(el: Element): boolean | 'mixed' | undefined {
  const { checked, pressed } = ariaStates(el);
  return checked ?? pressed;
}

function refuseUncheckable(el: Element): Failure | null {
  return stateOf(el) === undefined ? fail('wrong_element', `${describe(el)} cannot be checked`) : null;
}

function kindOf(el: Element): string {
  return el instanceof HTMLInputElement && roleOf(el) !== 'switch' ? el.type : roleOf(el);
}

async function extractAction(args: Args): Promise<object> {
  const what = choiceArg(args, 'what', [...WHAT, 'count'] as const);
  const page = what === 'html' ? 'html' : 'body';
  const target: Target = args.target === undefined ? { steps: [{ engine: 'css', body: page }] } : targetOf(args);
  if (what === 'count') {
    const found = resolveMany(target);
    return isFailure(found) ? found : { count: found.length };
  }
  const request: ExtractRequest = {
    what,
    name: what === 'attribute' ? stringArg(args, 'name') : '',
    limit: numberArg(args, 'limit', DEFAULT_LIMIT),
    maxChars: numberArg(args, 'max_chars', DEFAULT_MAX_CHARS),
    doc: numberArg(args, 'doc'),
  };
  if (args.many === true) return cached(() => extractMany(target, request));
  const el = await awaitElement({ ...requestFor({ ...args, target }, []), followLabel: false });
  return isFailure(el) ? el : cached(() => extractOne(el, request));
}

// Elements that cannot be read this way are reported in their place, they do not spoil the others.
function extractMany(target: Target, request: ExtractRequest): object {
  const found = resolveMany(target);
  if (isFailure(found)) return found;
  const items: object[] = [];
  let room = request.maxChars;
  for (const el of found) {
    if (items.length >= request.limit || room <= 0) break;
    const item = extractOne(el, { ...request, maxChars: room });
    room -= JSON.stringify(item).length;
    items.push(item);
  }
  return { items, count: found.length, truncated: items.length < found.length };
}

async function scrollAction(args: Args): Promise<object> {
  const el = args.target === undefined ? null : await awaitElement(requestFor(args, []));
  if (isFailure(el)) return el;
  return { ...(el && identify(el, args)), ...scrollFrom(el, args) };
}

function scrollFrom(el: Element | null, args: Args): object {
  const to = args.to === undefined ? null : choiceArg(args, 'to', ['top', 'bottom', 'into_view'] as const);
  if (to === 'into_view') return el ? scrollIntoView(el) : fail('invalid_argument', 'to: into_view needs a target');
  const dx = numberArg(args, 'dx', 0);
  const dy = to === 'top' ? -Infinity : to === 'bottom' ? Infinity : numberArg(args, 'dy', 0);
  const container = containerFor(el, dx, dy);
  return scrollAndReport(container, () => {
    if (to) container.scrollTo({ top: to === 'top' ? 0 : container.scrollHeight, behavior: 'instant' });
    else container.scrollBy({ left: dx, top: dy, behavior: 'instant' });
  });
}

function scrollIntoView(el: Element): object {
  const report = scrollAndReport(rootScroller(), () => el.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' }));
  return { ...report, rect: boxOf(el) };
}

function rectAction(args: Args): object {
  const el = resolveStrict(targetOf(args));
  return isFailure(el) ? el : { ...identify(el, args), rect: boxOf(el) };
}

// What is needed to know before files are put into a field, or into the chooser that something else opens.
async function fileField(args: Args): Promise<object> {
  const closed = (el: Element): Failure | null => (isFileField(el) ? firstMissing(el, ['enabled']) : null);
  const el = await awaitElement({ ...requestFor(args, []), missing: closed });
  if (isFailure(el)) return el;
  const takesMany = isFileField(el) && (el.multiple || el.webkitdirectory);
  const met = args.meet === true ? { met: meet(el).facts, ...knownBy(el, args) } : {};
  return { ...identify(el, args), handle: handleFor(el), is_file_field: isFileField(el), takes_many: takesMany, ...met };
}

// What something would be dropped on, if it is there already.
function metAction(args: Args): object {
  const el = resolveStrict(targetOf(args));
  return isFailure(el) ? el : { ...identify(el, args), met: meet(reactingTo(el, el)).facts };
}

function isFileField(el: Element): el is HTMLInputElement {
  return el instanceof HTMLInputElement && el.type === 'file';
}

export const handlers: Handlers = {
  prepare: prepareAction,
  hit_result: hitResult,
  fill: fillAction,
  check_value: checkValue,
  focus: focusAction,
  focused: focusedAction,
  keys_seen: (args) => ({ astray: keysWentAstray(stringArg(args, 'token')) }),
  met: metAction,
  blur: blurAction,
  select: selectAction,
  checked_state: checkedState,
  extract: extractAction,
  file_field: fileField,
  scroll: scrollAction,
  viewport,
  next_frame: () => new Promise<object>((resolve) => nextFrame(() => resolve({}))),
  rect: rectAction,
  wait,
  cancel_wait: (args) => ({ cancelled: cancel(stringArg(args, 'id')) }),
};
