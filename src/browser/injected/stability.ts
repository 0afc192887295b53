// Has an element come to rest?

import { closestComposed, rectOf } from './dom';
import { type Box, sameBox } from './geometry';
import type { Moment } from './pending';

export type StabilityMode = 'fast' | 'strict';

// Animating these leaves every box where it is.
const STILL_PROPERTY = new RegExp(
  '^(accentColor|backdropFilter|background.*|border.*(Color|Radius)|boxShadow|caretColor|clip.*|color|cursor|fill.*|filter|' +
    'mask.*|opacity|outline.*|pointerEvents|stroke.*|text(Decoration|Emphasis|Shadow).*|visibility|willChange|zIndex)$',
);
const KEYFRAME_META = new Set(['offset', 'computedOffset', 'easing', 'composite']);

// Compares the box of one element from frame to frame.
export class RestWatch {
  private seen: { el: Element; box: Box; frame: number } | null = null;
  private rested = false;

  // strict: the same box in two animation frames. fast: also at once, when nothing is animating it.
  isAtRest(el: Element, mode: StabilityMode, moment: Moment): boolean {
    if (mode === 'fast' && !isAnimated(el)) return true;
    const before = this.seen;
    const box = rectOf(el);
    const isSame = before !== null && before.el === el && sameBox(before.box, box);
    // Between two frames nothing moves by itself: what has come to rest is still there unless it was moved.
    if (moment.cause !== 'frame') return isSame && this.rested;
    this.rested = isSame && before.frame !== moment.frame;
    this.seen = { el, box, frame: moment.frame };
    return this.rested;
  }
}

function isAnimated(el: Element): boolean {
  return closestComposed(el, (at) => at.getAnimations().some(moves)) !== null;
}

function moves(animation: Animation): boolean {
  if (animation.playState !== 'running' || !(animation.effect instanceof KeyframeEffect)) return false;
  // Driven by scrolling, not by time: it rests as long as nobody scrolls.
  if (!(animation.timeline instanceof DocumentTimeline)) return false;
  return animation.effect.getKeyframes().some((frame) => Object.keys(frame).some(movesBox));
}

function movesBox(property: string): boolean {
  return !KEYFRAME_META.has(property) && !STILL_PROPERTY.test(property);
}
