// Finding elements: a list of steps, each querying inside the results of the one before or filtering them.

import { cached } from '../cache';
import { describe } from '../describe';
import { elementAt, inDocumentOrder, isConnected, type Root } from '../dom';
import { type Filter, FILTERS, type Query, QUERIES, type Step } from './engines';
import { bestSelector } from './generator';
import { byHandle, elementOf } from '../registry';
import { type Candidate, type Failure, FailureError, fail } from '../result';

export type { Step } from './engines';

// `first` takes the first of several matches instead of refusing them.
export type Target = { ref: string } | { steps: Step[]; first?: boolean } | { handle: number } | { point: { x: number; y: number } };

const MAX_CANDIDATES = 10;

// All matches inside `root` in document order. Throws FailureError(invalid_selector) for steps that make no sense.
export function queryAll(steps: Step[], root: Root = document): Element[] {
  if (!Array.isArray(steps) || steps.length === 0) throw invalid('a selector needs at least one step');
  return cached(() => {
    let found: Element[] | null = null;
    steps.forEach((step, index) => {
      found = runStep(step, index, found, root);
    });
    return found ?? [];
  });
}

function runStep(step: Step, index: number, current: Element[] | null, root: Root): Element[] {
  const query = QUERIES[step?.engine];
  const filter = FILTERS[step?.engine];
  if (!query && !filter) throw invalid(`step ${index + 1}: unknown engine "${step?.engine}"`);
  try {
    if (query) return queryEach(query, step, current ?? [root]);
    if (!current) throw invalid(`step ${index + 1}: "${step.engine}" filters results and cannot come first`);
    return (filter as Filter)(step, current, queryAll);
  } catch (error) {
    if (error instanceof FailureError) throw error;
    throw invalid(`step ${index + 1} (${step.engine}): ${error instanceof Error ? error.message : String(error)}`);
  }
}

function queryEach(query: Query, step: Step, roots: readonly Root[]): Element[] {
  if (roots.length === 1) return query(step, roots[0]!);
  const found = new Set<Element>();
  for (const root of roots) for (const el of query(step, root)) found.add(el);
  return inDocumentOrder(found);
}

function invalid(message: string): FailureError {
  return new FailureError(fail('invalid_selector', message));
}

// The one element the target means, or why there is not exactly one.
export function resolveStrict(target: Target): Element | Failure {
  if (typeof target !== 'object' || target === null) return fail('invalid_selector', 'a target is an object with ref, steps, handle or point');
  if ('ref' in target) return resolveRef(target.ref);
  if ('handle' in target) return resolveHandle(target.handle);
  if ('point' in target) return resolvePoint(target.point);
  return resolveSteps(target.steps, target.first === true);
}

// All elements the target means: like resolveStrict, but any number of matches is fine.
export function resolveMany(target: Target): Element[] | Failure {
  if (typeof target === 'object' && target !== null && 'steps' in target) return queryOrFail(target.steps);
  const one = resolveStrict(target);
  return one instanceof Element ? [one] : one;
}

function resolveRef(ref: unknown): Element | Failure {
  const found = typeof ref === 'string' ? elementOf(ref) : null;
  if (found === null) return fail('invalid_selector', `"${String(ref)}" is not a ref`);
  return found === 'stale' ? fail('stale_ref', `${String(ref)} names no element of this document any more`) : found;
}

function resolveHandle(handle: number): Element | Failure {
  const el = byHandle(handle);
  if (!el) return fail('detached', `the element of handle ${handle} no longer exists`);
  return isConnected(el) ? el : fail('detached', `${describe(el)} left the document`);
}

function resolvePoint(point: { x: number; y: number }): Element | Failure {
  if (!Number.isFinite(point?.x) || !Number.isFinite(point?.y)) return fail('invalid_argument', 'a point needs finite x and y');
  return elementAt(point.x, point.y) ?? fail('outside_viewport', `there is no element at ${point.x},${point.y}`);
}

function resolveSteps(steps: Step[], takeFirst: boolean): Element | Failure {
  return cached(() => {
    const found = queryOrFail(steps);
    if (!Array.isArray(found)) return found;
    if (found.length === 1 || (takeFirst && found.length > 0)) return found[0]!;
    if (found.length === 0) return fail('target_not_found', 'no element matches the selector');
    return fail('target_ambiguous', `the selector matches ${found.length} elements`, { candidates: candidatesOf(found) });
  });
}

function queryOrFail(steps: Step[]): Element[] | Failure {
  try {
    return queryAll(steps);
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
}

function candidatesOf(elements: Element[]): Candidate[] {
  return elements.slice(0, MAX_CANDIDATES).map((el) => ({ description: describe(el), selector: bestSelector(el) }));
}
