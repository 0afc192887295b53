// The guard closes the gap between checking a point and pressing it: at the first trusted event of the action it
// looks again at what is hit and, if that is not the target, stops every event of the action before the page can
// react.

import { type Meeting, meet, reactingTo } from './facts/element_facts';
import { aimOf, describeInterceptor, type Interceptor, reaches } from './hit';

export type GuardedAction = 'click' | 'hover' | 'drag';

export const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;
type Button = (typeof BUTTONS)[number];

export interface GuardPlan {
  token: string;
  target: Element;
  action: GuardedAction;
  button: Button;
  count: number;
  // What was decided on: nothing else may be hit, nor the same thing made to lead elsewhere.
  met: Meeting | null;
  // The target may be covered.
  forced: boolean;
}

export interface Verdict {
  hit: boolean | null; // null: no event of the action has arrived
  interceptor?: Interceptor;
  events: string[]; // those that were let through, in order
}

const PRESS_EVENTS = ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'auxclick', 'contextmenu', 'dblclick'];
// The end of a press that began elsewhere: the browser finds the frame under the mouse anew for every event.
const ENDS = ['pointerup', 'mouseup'];
const MOVE_EVENTS = ['pointermove', 'mousemove'];
const EVENTS: Record<GuardedAction, string[]> = { click: PRESS_EVENTS, hover: MOVE_EVENTS, drag: PRESS_EVENTS };

// The event that carries the effect of a press, by button.
const EFFECT: Record<Button, string> = {
  left: 'click',
  middle: 'auxclick',
  right: 'contextmenu',
  back: 'auxclick',
  forward: 'auxclick',
};
const MAX_EVENTS = 32;
// A guard whose driver went away must not judge what a person does later.
const LIFETIME_MS = 10_000;

const LISTEN = { capture: true, passive: false };

let current: HitGuard | null = null;

// The listeners stay: without a guard they do nothing, and adding them anew for every action would be its largest
// cost. Adding them again is needed all the same, because document.open() takes them away.
export function arm(plan: GuardPlan): void {
  current = new HitGuard(plan);
  for (const type of EVENTS[plan.action]) window.addEventListener(type, forward, LISTEN);
}

export function disarm(): void {
  current = null;
}

function forward(event: Event): void {
  if (event.isTrusted) current?.onEvent(event);
}

export function guardFor(token: string): HitGuard | null {
  return current?.token === token ? current : null;
}

export class HitGuard {
  readonly verdict: Verdict = { hit: null, events: [] };
  private readonly armedAt = performance.now();
  private effectSeen = false;
  private blockedPresses = 0;
  private over = false;

  constructor(private readonly plan: GuardPlan) {}

  get token(): string {
    return this.plan.token;
  }

  get delivered(): boolean {
    return this.verdict.hit === true && this.effectSeen;
  }

  onEvent(event: Event): void {
    if (!EVENTS[this.plan.action].includes(event.type)) return;
    this.over ||= performance.now() - this.armedAt > LIFETIME_MS || this.isForeign(event);
    if (this.over || this.isOnlyAnEnd(event)) return;
    this.verdict.hit ??= this.judge(event);
    if (this.verdict.hit) this.letThrough(event);
    else this.block(event);
  }

  private judge(event: Event): boolean {
    const hit = aimOf(event);
    const { target, forced } = this.plan;
    if ((forced || reaches(target, hit)) && this.isAsDecided(hit)) return true;
    this.verdict.interceptor = describeInterceptor(target, hit);
    return false;
  }

  private isAsDecided(hit: Element): boolean {
    const { met, target } = this.plan;
    if (!met) return true;
    const now = reactingTo(hit, target);
    return now === met.element && meet(now).leadsTo === met.leadsTo;
  }

  private letThrough(event: Event): void {
    const { events } = this.verdict;
    if (events.length < MAX_EVENTS) events.push(event.type);
    if (this.isEffect(event)) this.effectSeen = true;
  }

  private block(event: Event): void {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (event.type === this.lastType()) ++this.blockedPresses;
  }

  // Once all events of a stopped action have come, the next press is somebody else's. Events do not tell which press
  // they belong to when their pointerdown was stopped, hence the counting.
  private isForeign(event: Event): boolean {
    if (this.verdict.hit !== false || !/^pointer(down|move)$/.test(event.type)) return false;
    return this.blockedPresses >= (this.plan.action === 'click' ? this.plan.count : 1);
  }

  // A target that was never pressed was not hit, even when the mouse is let go over it.
  private isOnlyAnEnd(event: Event): boolean {
    return this.verdict.hit === null && ENDS.includes(event.type);
  }

  private lastType(): string {
    const { action, button } = this.plan;
    if (action !== 'click') return action === 'hover' ? 'mousemove' : 'pointerup';
    return button === 'left' ? 'click' : 'auxclick';
  }

  private isEffect(event: Event): boolean {
    switch (this.plan.action) {
      case 'hover':
        return true;
      case 'drag':
        return event.type === 'pointerdown';
      default:
        return event.type === EFFECT[this.plan.button] && this.isLastPress(event);
    }
  }

  private isLastPress(event: Event): boolean {
    return event.type === 'contextmenu' || (event as UIEvent).detail >= this.plan.count;
  }
}
