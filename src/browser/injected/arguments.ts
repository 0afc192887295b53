// Readers for the arguments of handlers. A wrong one ends the call with `invalid_argument` that names it.

import { type Args, fail, FailureError } from './result';

function invalid(name: string, expected: string): never {
  throw new FailureError(fail('invalid_argument', `${name}: expected ${expected}`));
}

export function numberArg(args: Args, name: string, fallback?: number): number {
  const value: unknown = args[name] ?? fallback;
  return typeof value === 'number' && Number.isFinite(value) ? value : invalid(name, 'a number');
}

export function stringArg(args: Args, name: string, fallback?: string): string {
  const value: unknown = args[name] ?? fallback;
  return typeof value === 'string' ? value : invalid(name, 'a string');
}

export function choiceArg<T extends string>(args: Args, name: string, choices: readonly T[], fallback?: T): T {
  const value: unknown = args[name] ?? fallback;
  return choices.find((choice) => choice === value) ?? invalid(name, `one of ${choices.join(', ')}`);
}

export function listArg(args: Args, name: string): Args[] {
  const value: unknown = args[name];
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null);
  return isList ? value : invalid(name, 'a list of objects');
}

export function objectArg(args: Args, name: string): Args {
  const value: unknown = args[name];
  return typeof value === 'object' && value !== null ? (value as Args) : invalid(name, 'an object');
}
