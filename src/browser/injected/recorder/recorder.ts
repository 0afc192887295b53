// Tells what a person does in this document: trusted events only, before the page's own scripts hear of them, in the
// order in which they happen. Whatever an agent's turn sends is left out.

import { rememberHiddenFields } from '../projector/projector_secret';
import { tellChoice } from './choices';
import { Keys } from './keys';
import { Pointing, targetOf } from './pointing';
import { AGENT, type Hand, Teller } from './teller';
import { Typing } from './typing';

const LISTEN = { capture: true, passive: true };

class Recorder {
  readonly document = document;
  private readonly teller = new Teller();
  private readonly typing = new Typing(this.teller);
  private readonly pointing = new Pointing(this.teller);
  private readonly keys = new Keys(this.teller, this.typing);
  // document.open() takes the listeners away, and leaves this.
  private readonly renewals = new MutationObserver(() => this.listen());

  begin(): void {
    this.teller.introduce();
    this.listen();
    this.renewals.observe(document, { childList: true });
  }

  private listen(): void {
    rememberHiddenFields();
    for (const type of Object.keys(HEARD)) window.addEventListener(type, this.hear, LISTEN);
  }

  end(): void {
    this.flush();
    this.renewals.disconnect();
    for (const type of Object.keys(HEARD)) window.removeEventListener(type, this.hear, LISTEN);
  }

  flush(): void {
    this.keys.settle();
    this.typing.flush();
  }

  // Who acts is another from now on; `from` acted until now, where that was not known.
  handOver(from: Hand, to: Hand): void {
    this.typing.settle(from);
    this.teller.hand ??= from;
    this.keys.settle();
    if (to === AGENT) this.typing.forget();
    this.teller.hand = to;
  }

  private readonly hear = (event: Event): void => {
    if (event.isTrusted && this.teller.hand !== AGENT) HEARD[event.type]!(this.parts, event);
  };

  private get parts(): Parts {
    return { teller: this.teller, typing: this.typing, pointing: this.pointing, keys: this.keys };
  }
}

interface Parts {
  teller: Teller;
  typing: Typing;
  pointing: Pointing;
  keys: Keys;
}

const HEARD: Record<string, (parts: Parts, event: Event) => void> = {
  pointerdown: ({ typing, pointing }, event) => {
    const at = targetOf(event);
    if (at && !typing.isIn(at)) typing.flush();
    pointing.down(event as PointerEvent);
  },
  pointerup: ({ pointing }, event) => pointing.up(event as PointerEvent),
  pointercancel: ({ pointing }) => pointing.cancel(),
  click: ({ pointing }, event) => pointing.click(event as PointerEvent),
  auxclick: ({ pointing }, event) => pointing.click(event as PointerEvent),
  dragstart: ({ pointing }, event) => pointing.dragStart(event as DragEvent),
  drop: ({ pointing }, event) => pointing.drop(event as DragEvent),
  keydown: ({ keys }, event) => keys.down(event as KeyboardEvent),
  focusin: ({ typing }, event) => onTarget(event, (at) => typing.enter(at)),
  focusout: ({ typing }, event) => onTarget(event, (at) => typing.isIn(at) && typing.flush()),
  beforeinput: ({ typing, keys }, event) => {
    keys.typed(event as InputEvent);
    onTarget(event, (at) => typing.note(at));
  },
  input: ({ typing }, event) => onTarget(event, (at) => typing.note(at)),
  change: ({ typing, teller }, event) => {
    onTarget(event, (at) => {
      if (!typing.isIn(at)) typing.flush();
      tellChoice(at, teller);
    });
  },
  submit: ({ typing }) => typing.flush(),
  beforeunload: (parts) => leave(parts),
  pagehide: (parts) => leave(parts),
};

function onTarget(event: Event, then: (at: Element) => void): void {
  const at = targetOf(event);
  if (at) then(at);
}

function leave({ typing, pointing, keys }: Parts): void {
  keys.settle();
  typing.flush();
  pointing.leave();
}

let current: Recorder | null = null;

export function beginRecording(): void {
  current?.end();
  current = new Recorder();
  current.begin();
}

export function renewRecording(): void {
  if (current && current.document !== document) beginRecording();
}

export function endRecording(): void {
  current?.end();
  current = null;
}

export function flushRecording(): void {
  current?.flush();
}

export function handOverRecording(from: Hand, to: Hand): void {
  current?.handOver(from, to);
}
