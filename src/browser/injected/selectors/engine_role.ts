// Elements by ARIA role, accessible name and state.

import { queryDeep, type Root } from '../dom';
import type { Step } from './engines';
import { roleCandidates } from '../aria/implicit_roles';
import { nameOf, plainText } from '../aria/names';
import { isKnownRole, roleOf } from '../aria/roles';
import { matcher, normalise } from '../text';
import { type AriaStates, ariaStates, isHiddenForAria } from '../visibility';

const STATES = ['checked', 'pressed', 'selected', 'expanded', 'level', 'disabled'] as const;
// Where these are absent the element simply is not pressed, selected or disabled; absence of the others is a third value.
const ABSENT_IS_FALSE: ReadonlySet<string> = new Set(['pressed', 'selected', 'disabled']);

export function queryRole(step: Step, root: Root): Element[] {
  const role = canonicalRole(step.role);
  if (!isKnownRole(role)) throw new Error(`unknown role "${step.role}"`);
  const wantsName = step.name === undefined ? null : matcher(step.name, step.mode, step.flags);
  const exact = step.mode === 'exact' && step.name !== undefined ? normalise(step.name) : null;
  return queryDeep(root, roleCandidates(role)).filter((el) => {
    if (roleOf(el) !== role || (exact !== null && cannotBeNamed(el, exact)) || !hasStates(el, step)) return false;
    if (!step.includeHidden && isHiddenForAria(el)) return false;
    return wantsName === null || wantsName(nameOf(el));
  });
}

// Spares most elements of a long list the full computation of their names.
export function cannotBeNamed(el: Element, name: string): boolean {
  const part = plainText(el);
  return part !== null && !name.includes(part);
}

function canonicalRole(role: string | undefined): string {
  const lower = (role ?? '').toLowerCase();
  if (lower === 'none') return 'presentation';
  return lower === 'image' ? 'img' : lower;
}

function hasStates(el: Element, step: Step): boolean {
  if (!STATES.some((state) => step[state] !== undefined)) return true;
  const states = ariaStates(el);
  return STATES.every((state) => step[state] === undefined || stateValue(states, state) === step[state]);
}

function stateValue(states: AriaStates, state: (typeof STATES)[number]): unknown {
  return states[state] ?? (ABSENT_IS_FALSE.has(state) ? false : undefined);
}
