// Presses and drags. The element is looked at when the button goes down: what it does may change the page at once.

import { deepContains, elementAt } from '../dom';
import { type Fingerprint } from '../fingerprint/fingerprint';
import { reactingTo } from '../facts/element_facts';
import { type Box, boxOf, sameBox } from '../geometry';
import { elementsAt } from '../projector/projector_document';
import { deepFocus } from '../projector/projector';
import { roleOf } from '../aria/roles';
import { ariaStates } from '../visibility';
import { modifiersOf } from './keys';
import { isPressedByKeys, knownBy, type Teller } from './teller';
import { isWritable } from './typing';

interface Press {
  el: Element;
  element: Fingerprint;
  x: number;
  y: number;
  box: Box;
  // By the platform's own drag.
  dragged: Element | null;
  isOver: boolean;
}

const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'] as const;
const DRAG_PX = 8;
const TOGGLES = new Set(['checkbox', 'radio', 'switch']);

export class Pointing {
  private press: Press | null = null;
  // The control that a label passes the press on to.
  private passedOn: Element | null = null;

  constructor(private readonly teller: Teller) {}

  down(event: PointerEvent): void {
    const el = reactingAt(event);
    this.passedOn = null;
    this.press = { el, element: knownBy(el), x: event.clientX, y: event.clientY, box: boxOf(el), dragged: null, isOver: false };
  }

  up(event: PointerEvent): void {
    const { press } = this;
    if (!press || press.dragged || Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG_PX) return;
    const to = this.droppedOn(press, event);
    if (!to) return;
    press.isOver = true;
    this.teller.tell({ kind: 'drag', element: press.element, to: knownBy(to) });
  }

  // What selects text, draws or moves a slider is no drag from one thing to another. Text may be selected on the way of
  // something that follows the pointer.
  private droppedOn({ el, box }: Press, { clientX, clientY }: PointerEvent): Element | null {
    const stays = sameBox(boxOf(el), box);
    if (isWritable(el) || (stays && getSelection()?.isCollapsed === false)) return null;
    const under = elementsAt(clientX, clientY).find((at) => !deepContains(el, at));
    if (!under || deepContains(under, el)) return null;
    const to = reactingTo(elementAt(clientX, clientY) ?? under, under);
    return deepContains(el, to) ? under : to;
  }

  cancel(): void {
    if (!this.press?.dragged) this.press = null;
  }

  dragStart(event: DragEvent): void {
    const el = targetOf(event);
    if (!el) return;
    this.press = { el, element: knownBy(el), x: event.clientX, y: event.clientY, box: boxOf(el), dragged: el, isOver: false };
  }

  // A file that comes from elsewhere was not dragged here.
  drop(event: DragEvent): void {
    const to = targetOf(event);
    if (to && this.press?.dragged) this.teller.tell({ kind: 'drag', element: this.press.element, to: knownBy(to) });
    this.press = null;
  }

  click(event: PointerEvent): void {
    const hit = targetOf(event);
    if (!hit || this.wasPassedOn(hit)) return;
    if (event.pointerType === '') return this.pressedByKey(hit);
    const { press } = this;
    this.press = null;
    if (press?.isOver || press?.dragged) return;
    const el = press && isStillMeant(press.el, hit) ? press.el : reactingTo(hit, hit);
    const element = press?.el === el ? press.element : knownBy(el);
    if (isChooser(el)) return;
    if (!deepContains(el, hit)) this.passedOn = el;
    const checked = event.button === 0 ? stateAfter(el, hit) : undefined;
    if (checked !== undefined) return this.teller.tell({ kind: checked ? 'check' : 'uncheck', element });
    const modifiers = modifiersOf(event);
    this.teller.tell({ kind: 'click', element, button: BUTTONS[event.button] ?? 'left', count: Math.min(3, Math.max(1, event.detail)), modifiers });
  }

  private wasPassedOn(hit: Element): boolean {
    if (hit !== this.passedOn) return false;
    this.passedOn = null;
    return true;
  }

  // Also Enter in a field presses a button of its form: that is told as the key.
  private pressedByKey(hit: Element): void {
    if (hit !== deepFocus() || !isPressedByKeys(hit) || isChooser(hit)) return;
    const checked = stateAfter(hit, hit);
    const kind = checked === undefined ? 'click' : checked ? 'check' : 'uncheck';
    this.teller.tell({ kind, element: knownBy(hit) });
  }

  // A page that goes while the button is down went because of it.
  leave(): void {
    if (this.press && !this.press.dragged && !isChooser(this.press.el)) this.teller.tell({ kind: 'click', element: this.press.element });
    this.press = null;
  }
}

export function targetOf(event: Event): Element | null {
  const at = event.composedPath()[0];
  return at instanceof Element ? at : null;
}

function reactingAt(event: PointerEvent): Element {
  const hit = targetOf(event) ?? document.documentElement;
  return reactingTo(hit, hit);
}

// Of a press that began on one element and ended on another, the click goes to what holds both.
function isStillMeant(el: Element, hit: Element): boolean {
  return !el.isConnected || deepContains(hit, el) || reactingTo(hit, hit) === el;
}

// What is chosen there is told when it is chosen.
function isChooser(el: Element): boolean {
  if (el instanceof HTMLInputElement) return el.type === 'file';
  return el instanceof HTMLSelectElement || (el instanceof HTMLOptionElement && el.closest('select') !== null);
}

// The state that a press leaves a checkbox, radio button or switch in; undefined for all else. A native one that was hit
// itself has changed already.
function stateAfter(el: Element, hit: Element): boolean | undefined {
  if (el instanceof HTMLInputElement && /^(checkbox|radio)$/.test(el.type)) {
    return el === hit ? el.checked : el.type === 'radio' || !el.checked;
  }
  const role = roleOf(el);
  const { checked } = ariaStates(el);
  if (!TOGGLES.has(role) || checked === undefined) return undefined;
  return role === 'radio' || checked !== true;
}
