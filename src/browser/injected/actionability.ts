// When is an element ready to be acted on? Waits until it is, and says which condition failed last when it is not.

import { cached } from './cache';
import { describe } from './describe';
import { closestComposedCss, closestCss, isConnected, matchesCss } from './dom';
import { type Moment, type Outcome, until } from './pending';
import { type Failure, fail, isFailure } from './result';
import { resolveStrict, type Target } from './selectors/selectors';
import { isEditable, isEnabled, isVisible } from './visibility';

export type Need = 'visible' | 'enabled' | 'editable';

export interface WaitRequest {
  target: Target;
  timeoutMs: number;
  token?: string | undefined;
}

export interface ElementRequest extends WaitRequest {
  needs: readonly Need[];
  // A label stands for its control.
  followLabel: boolean;
  // Refuses elements the action can never work on; asked before any waiting.
  refuse?: (el: Element) => Failure | null;
  // A condition of the action's own, checked after the needs.
  missing?: (el: Element) => Failure | null;
}

const FIELD = 'input, textarea, select, button, a, [role=button], [role=link], [role=checkbox], [role=radio], [role=switch]';
const STANDS_ALONE = 'input, textarea, select, [contenteditable]:not([contenteditable="false" i])';
const STATE_CARRIER = 'button, [role=button], [role=checkbox], [role=radio], [role=switch]';

// The control a label (or something in one) stands for; the element itself when it is no part of a label.
export function controlFor(el: Element): Element {
  if (matchesCss(el, FIELD) || (el instanceof HTMLElement && el.isContentEditable)) return el;
  const label = closestComposedCss(el, 'label');
  return (label instanceof HTMLLabelElement && label.control) || el;
}

// The element whose state decides whether a press works: the disabled button around an icon, a label's control.
function stateCarrier(el: Element): Element {
  if (matchesCss(el, STANDS_ALONE)) return el;
  const carrier = closestComposedCss(el, STATE_CARRIER);
  return carrier ?? controlFor(el);
}

const CHECKS: Record<Need, (el: Element) => Failure | null> = {
  visible: (el) => (isVisible(el) ? null : fail('not_visible', `${describe(el)} is not visible`)),
  enabled: (el) => (isEnabled(stateCarrier(el)) ? null : fail('not_enabled', `${describe(el)} is disabled`)),
  editable: (el) => (isEditable(el) ? null : fail('not_editable', `${describe(el)} is not editable`)),
};

export function firstMissing(el: Element, needs: readonly Need[]): Failure | null {
  for (const need of needs) {
    const missing = CHECKS[need](el);
    if (missing) return missing;
  }
  return null;
}

// Keeps the element found until the page changes: on a big page finding it is the expensive part of a probe.
export class Located {
  private found: Element | null = null;

  constructor(private readonly target: Target) {}

  at(moment: Moment): Element | Failure {
    if (this.found && !moment.changed && isConnected(this.found)) return this.found;
    const result = resolveStrict(this.target);
    this.found = isFailure(result) ? null : result;
    return result;
  }
}

// A failure that waiting may cure keeps the wait going, any other ends it.
export function refused<T>(failure: Failure): Outcome<T> {
  return failure.error.retryable ? { pending: failure, frames: true } : { done: failure };
}

// Keeps the code of the condition that was not met, so that the caller knows what to change.
export function expired(last: Failure, waitedMs: number): Failure {
  const waited = `${last.error.message} (waited ${Math.round(waitedMs)} ms)`;
  return { error: { ...last.error, message: waited } };
}

// Waits until the target is one element that fulfils the needs.
export function awaitElement(request: ElementRequest): Promise<Element | Failure> {
  const located = new Located(request.target);
  const probe = (moment: Moment): Outcome<Element> => cached(() => probeElement(request, located.at(moment)));
  return until(probe, { timeoutMs: request.timeoutMs, id: request.token, onTimeout: expired });
}

function probeElement(request: ElementRequest, found: Element | Failure): Outcome<Element> {
  if (isFailure(found)) return refused(found);
  const el = request.followLabel ? controlFor(found) : found;
  const problem = request.refuse?.(el) ?? firstMissing(el, request.needs) ?? request.missing?.(el);
  return problem ? refused(problem) : { done: el };
}

// The options of a drop-down are drawn by the browser outside of the page and cannot be pressed.
export function refuseOption(el: Element): Failure | null {
  if (!(el instanceof HTMLOptionElement)) return null;
  const list = closestCss(el, 'select');
  if (!(list instanceof HTMLSelectElement) || list.multiple || list.size > 1) return null;
  return fail('wrong_element', `${describe(el)} is an option of a drop-down: select it on ${describe(list)}`);
}
