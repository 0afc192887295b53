// Finds the point at which a press or a hover will reach its target: visible, enabled, at rest, in view, uncovered.

import { expired, firstMissing, Located, type Need, refused, refuseOption, type WaitRequest } from './actionability';
import { cached } from './cache';
import { describe } from './describe';
import { type Box, boxOf, insideViewport, type Point, pointAt, pressPoints } from './geometry';
import { describeInterceptor, interceptorAt, isBlanket } from './hit';
import { type Moment, type Outcome, until } from './pending';
import { type Failure, fail, isFailure } from './result';
import { revealPoint } from './scroll';
import { RestWatch, type StabilityMode } from './stability';
import { isVisible } from './visibility';

export type PointerAction = 'click' | 'hover' | 'drag' | 'drop';

export interface PrepareRequest extends WaitRequest {
  action: PointerAction;
  position?: Point | undefined; // relative to the padding box
  force: boolean;
  stable: StabilityMode;
}

export interface Prepared {
  element: Element;
  point: Point;
  rect: Box;
  attempts: number;
  waitedMs: number;
  scrolled: boolean;
}

// The element meant and the element whose box is pressed; they differ for a hidden checkbox behind a drawn label.
interface Aim {
  element: Element;
  surface: Element;
}

interface Obstacle {
  failure: Failure;
  interceptor: Element | null;
}

const STATE_NEEDS: Record<PointerAction, readonly Need[]> = { click: ['enabled'], drag: ['enabled'], hover: [], drop: [] };

// Tried in turn: the first brings the element into view, the others move it out from under what sticks to an edge.
const ALIGNMENTS: ScrollIntoViewOptions[] = [
  { block: 'center', inline: 'nearest' },
  { block: 'end', inline: 'end' },
  { block: 'center', inline: 'center' },
  { block: 'start', inline: 'start' },
];
const SCROLL_AGAIN_AFTER_MS = 500;
const MAX_SCROLL_ROUNDS = 6;

export function prepare(request: PrepareRequest): Promise<Prepared | Failure> {
  const preparation = new Preparation(request);
  return until((moment) => preparation.probe(moment), {
    timeoutMs: request.force ? 0 : request.timeoutMs,
    id: request.token,
    onTimeout: expired,
  });
}

class Preparation {
  private readonly located: Located;
  private readonly rest = new RestWatch();
  private scrolled = false;
  private scrollRounds = 0;
  private scrolledAt = -Infinity;

  constructor(private readonly request: PrepareRequest) {
    this.located = new Located(request.target);
  }

  probe(moment: Moment): Outcome<Prepared> {
    const aim = cached(() => this.check(moment));
    if (isFailure(aim)) return refused(aim);
    const { element, surface } = aim;
    if (!this.request.force && !this.rest.isAtRest(surface, this.request.stable, moment)) {
      return refused(fail('not_stable', `${describe(element)} is moving`));
    }
    const point = this.place(aim, moment);
    if (isFailure(point)) return refused(point);
    const { attempt: attempts, waitedMs } = moment;
    return { done: { element, point, rect: boxOf(surface), attempts, waitedMs, scrolled: this.scrolled } };
  }

  private check(moment: Moment): Aim | Failure {
    const element = this.located.at(moment);
    if (isFailure(element)) return element;
    const surface = surfaceOf(element);
    const states = this.request.force ? [] : STATE_NEEDS[this.request.action];
    const problem = refuseOption(element) ?? firstMissing(surface, ['visible']) ?? firstMissing(element, states);
    return problem ?? { element, surface };
  }

  // Scrolls only when no point can be pressed where the element is now. Scrolling and measuring are synchronous,
  // so all alignments are tried within the same probe.
  private place(aim: Aim, moment: Moment): Point | Failure {
    let found = this.find(aim);
    if (!('failure' in found)) return found;
    if (!this.mayScroll(aim, found, moment)) return found.failure;
    for (const alignment of ALIGNMENTS) {
      this.scrollTo(aim.surface, alignment);
      found = this.find(aim);
      if (!('failure' in found)) return found;
    }
    return found.failure;
  }

  private find({ element, surface }: Aim): Point | Obstacle {
    const points = this.pointsOf(surface);
    const [first] = points;
    if (!first) {
      return { failure: fail('outside_viewport', `${describe(element)} is outside of the viewport`), interceptor: null };
    }
    if (this.request.force) return first;
    let inTheWay: Element | null = null;
    for (const point of points) {
      const interceptor = interceptorAt(element, point);
      if (!interceptor) return point;
      inTheWay ??= interceptor;
    }
    return { failure: obscured(element, inTheWay!), interceptor: inTheWay };
  }

  private pointsOf(surface: Element): Point[] {
    const { target, position } = this.request;
    if ('point' in target) return insideViewport(target.point) ? [target.point] : [];
    if (!position) return pressPoints(surface);
    const point = pointAt(surface, position);
    return insideViewport(point) ? [point] : [];
  }

  private mayScroll({ element }: Aim, { interceptor }: Obstacle, moment: Moment): boolean {
    if ('point' in this.request.target || this.scrollRounds >= MAX_SCROLL_ROUNDS) return false;
    if (interceptor && isBlanket(element, interceptor)) return false;
    if (moment.waitedMs - this.scrolledAt < SCROLL_AGAIN_AFTER_MS) return false;
    this.scrolledAt = moment.waitedMs;
    ++this.scrollRounds;
    return true;
  }

  private scrollTo(surface: Element, alignment: ScrollIntoViewOptions): void {
    this.scrolled = true;
    surface.scrollIntoView({ ...alignment, behavior: 'instant' });
    const { position } = this.request;
    if (position) revealPoint(surface, () => pointAt(surface, position));
  }
}

function obscured(element: Element, interceptor: Element): Failure {
  const { description, root } = describeInterceptor(element, interceptor);
  const where = root ? `${description} in ${root}` : description;
  return fail('obscured', `${describe(element)} is covered by ${where}`, { detail: { interceptor: description, root } });
}

// Designers hide the native checkbox and draw its label instead; there the label is what a person presses.
function surfaceOf(el: Element): Element {
  if (!(el instanceof HTMLInputElement) || !/^(checkbox|radio)$/.test(el.type) || isVisible(el)) return el;
  return Array.from(el.labels ?? []).find(isVisible) ?? el;
}
