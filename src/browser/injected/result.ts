// How injected functions report failure: a plain object with a stable code, never an exception.

// Code -> may the same call succeed later without the caller changing anything?
const RETRYABLE = {
  target_not_found: true,
  target_ambiguous: false,
  stale_ref: false,
  invalid_selector: false,
  invalid_argument: false,
  not_visible: true,
  not_enabled: true,
  not_editable: true,
  not_stable: true,
  obscured: true,
  outside_viewport: true,
  detached: true,
  wrong_element: false,
  wrong_value: false,
  option_not_found: true,
  secret_field: false,
  cancelled: false,
  timeout: true,
  late: false,
  script_error: false,
} as const;

export type FailureCode = keyof typeof RETRYABLE;

export interface Candidate {
  description: string;
  selector: string;
}

export interface FailureExtra {
  retryable?: boolean;
  candidates?: Candidate[];
  detail?: unknown;
}

export interface Failure {
  error: FailureExtra & { code: FailureCode; message: string };
}

export function fail(code: FailureCode, message: string, extra: FailureExtra = {}): Failure {
  return { error: { code, message, retryable: RETRYABLE[code], ...extra } };
}

export function isFailure(value: unknown): value is Failure {
  return typeof value === 'object' && value !== null && 'error' in value && !(value instanceof Node);
}

// Thrown inside the bundle where returning a Failure through many frames would hide the logic;
// the dispatcher turns it back into the value.
export class FailureError extends Error {
  constructor(readonly failure: Failure) {
    super(failure.error.message);
  }
}

// Arguments come from the driver as JSON; every handler reads and checks what it needs.
export type Args = Record<string, any>;
export type Handler = (args: Args) => unknown;
export type Handlers = Record<string, Handler>;
