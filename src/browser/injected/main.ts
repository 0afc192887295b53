// Entry of the bundle: one global with a dispatch table. Nothing is ever thrown across the border; what goes wrong
// comes back as a failure with a code.

import { handlers as actionHandlers } from './action_api';
import { handlers as queryHandlers } from './query_api';
import { listenForKeys } from './key_guard';
import { rememberHiddenFields } from './projector/projector_secret';
import { handlers as recorderHandlers } from './recorder_api';
import { FailureError, fail, type Handlers } from './result';
import { handlers as stateHandlers } from './state_api';
import { handlers as surveyHandlers } from './survey_api';

const table: Handlers = Object.assign(
  Object.create(null) as Handlers, queryHandlers, actionHandlers, stateHandlers, surveyHandlers, recorderHandlers,
);

function call(name: string, args: unknown): unknown {
  const handler = table[name];
  if (!handler) return fail('invalid_argument', `there is no function "${name}"`);
  if (isLate(args)) return fail('late', 'the call reached the page after its time');
  try {
    const result = handler((args ?? {}) as Record<string, unknown>);
    return result instanceof Promise ? result.catch(toFailure) : result;
  } catch (error) {
    return toFailure(error);
  }
}

// A page that was busy takes up calls whose caller has given up; they must not do anything any more.
function isLate(args: unknown): boolean {
  const notAfter = (args as { not_after?: unknown } | undefined)?.not_after;
  return typeof notAfter === 'number' && Date.now() > notAfter;
}

function toFailure(error: unknown): unknown {
  if (error instanceof FailureError) return error.failure;
  return fail('script_error', error instanceof Error ? `${error.name}: ${error.message}` : String(error));
}

// Evaluating the bundle twice in one world must not forget the refs given out.
const world = globalThis as { __falconer?: { call: typeof call } };
if (!Object.hasOwn(world, '__falconer')) {
  Object.defineProperty(world, '__falconer', { value: Object.freeze({ call }) });
  rememberHiddenFields();
  listenForKeys();
}
