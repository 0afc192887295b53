// Waiting for a condition: probe now, then again whenever the page may have changed, until it holds or time is up.

import { type Failure, fail } from './result';
import { type Cause, signals, type Watcher } from './signals';

// What a probe learns about its moment.
export interface Moment {
  cause: 'start' | 'timer' | Cause;
  changed: boolean; // content or state may differ from what the previous probe saw
  frame: number; // animation frames since the wait began
  attempt: number; // 1 for the first probe
  waitedMs: number;
}

// `done` ends the wait (with a value or a failure that waiting cannot cure). `pending` says what is still missing;
// `frames` asks for a probe at every animation frame, needed where layout or style decides; `againInMs` asks for one
// after that time, needed where the passing of time decides.
export type Outcome<T> = { done: T | Failure } | { pending: Failure; frames: boolean; againInMs?: number };
export type Probe<T> = (moment: Moment) => Outcome<T>;

export interface UntilOptions {
  timeoutMs: number;
  id?: string | undefined;
  onTimeout(last: Failure, waitedMs: number): Failure;
}

// A wait may take a fifth of the page's time: after a probe that took t, the next one is at least 4 t away.
const PROBE_PAUSE_FACTOR = 4;
const CHEAP_PROBE_MS = 0.15;

const running = new Map<string, { settle(value: Failure): void }>();

export function until<T>(probe: Probe<T>, options: UntilOptions): Promise<T | Failure> {
  return new Promise((resolve, reject) => new PendingWait<T>(probe, options, resolve, reject).start());
}

// Ends the wait started with this id; it answers `cancelled`. False when no such wait is running.
export function cancel(id: string): boolean {
  const wait = running.get(id);
  wait?.settle(fail('cancelled', 'the wait was cancelled'));
  return wait !== undefined;
}

class PendingWait<T> implements Watcher {
  wantsFrames = false;
  private readonly startedAt = performance.now();
  private changed = true;
  private frame = 0;
  private attempt = 0;
  private probeAgainAt = 0;
  private last: Failure | null = null;
  private settled = false;
  private deadline: ReturnType<typeof setTimeout> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly probe: Probe<T>,
    private readonly options: UntilOptions,
    private readonly resolve: (value: T | Failure) => void,
    private readonly reject: (reason: unknown) => void,
  ) {}

  start(): void {
    this.run('start');
    if (this.settled) return;
    if (this.options.timeoutMs <= 0) return this.expire();
    const { id } = this.options;
    if (id !== undefined) {
      cancel(id);
      running.set(id, this);
    }
    this.deadline = setTimeout(() => this.onDeadline(), this.options.timeoutMs);
    signals.add(this);
  }

  notify(cause: Cause): void {
    if (cause === 'change') this.changed = true;
    if (cause === 'frame') ++this.frame;
    if (performance.now() >= this.probeAgainAt) this.run(cause);
    else if (cause !== 'frame' && !this.wantsFrames) this.probeLater(this.probeAgainAt - performance.now());
  }

  settle(value: T | Failure): void {
    if (this.settled) return;
    this.settled = true;
    clearTimeout(this.deadline);
    clearTimeout(this.later);
    if (this.deadline !== undefined) signals.remove(this);
    if (running.get(this.options.id ?? '') === this) running.delete(this.options.id!);
    this.resolve(value);
  }

  private probeLater(ms: number): void {
    clearTimeout(this.later);
    this.later = setTimeout(() => this.run('timer'), ms);
  }

  private run(cause: Moment['cause']): void {
    if (this.settled) return;
    const began = performance.now();
    const moment = { cause, changed: this.changed, frame: this.frame, attempt: ++this.attempt, waitedMs: began - this.startedAt };
    this.changed = false;
    try {
      this.accept(this.probe(moment));
    } catch (error) {
      this.abandon(error);
    }
    const ended = performance.now();
    const cost = ended - began;
    this.probeAgainAt = cost > CHEAP_PROBE_MS ? ended + cost * PROBE_PAUSE_FACTOR : 0;
  }

  private accept(outcome: Outcome<T>): void {
    if ('done' in outcome) return this.settle(outcome.done);
    this.last = outcome.pending;
    this.wantsFrames = outcome.frames;
    if (outcome.frames) signals.requestFrame();
    if (outcome.againInMs !== undefined) this.probeLater(outcome.againInMs);
  }

  private abandon(error: unknown): void {
    this.reject(error);
    this.settle(fail('script_error', 'the wait failed'));
  }

  private onDeadline(): void {
    this.changed = true;
    this.run('timer');
    this.expire();
  }

  private expire(): void {
    if (!this.settled) this.settle(this.options.onTimeout(this.last!, performance.now() - this.startedAt));
  }
}
