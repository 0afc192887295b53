// LiveFeed: the pictures of one session, one after the other, for as long as somebody looks.

import { type Api, explainError } from './api';
import { wordsOf } from './format';
import { parseFrame } from './frames';
import type { JsonObject } from './types';

export interface FeedView {
  /** The newest picture. Resolves when it is on the screen: until then no other one comes. */
  show(picture: Blob): Promise<void>;
  /** What there is to say instead of a picture. */
  say(text: string): void;
  /** What came of something that was done in the page; "" when it was done. */
  done(why: string): void;
}

interface FeedMessage {
  type?: string;
  state?: string;
  reason?: string;
  message?: string;
  view?: { width: number; height: number };
  result?: { failure?: { message: string } };
}

// A view that was open once is worth trying again; one that never was is not.
const kReopenAfter = 2000;
// Letters of one word come closer to each other than this.
const kTogether = 400;
// Of WebSocket.readyState.
const kOpening = 0;

const kStates: Record<string, string> = {
  starting: 'Waiting for the first picture…',
  hidden: 'The page cannot be shown now.',
  no_page: 'No page is open.',
  lost: 'The browser is gone; another one may come.',
  ended: 'The session has ended.',
};

// Browsers complain about a socket that is closed before it is open.
function leave(socket: WebSocket): void {
  if (socket.readyState === kOpening) socket.onopen = () => socket.close();
  else socket.close();
}

export class LiveFeed {
  private readonly stopper = new AbortController();
  private socket: WebSocket | null = null;
  // The window of the page in CSS pixels, which the pictures show scaled.
  private window: { width: number; height: number } | null = null;
  private latest: Uint8Array<ArrayBuffer> | null = null;
  private isDrawing = false;
  private typed = '';
  private typing: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly api: Api, private readonly session: string, private readonly view: FeedView) {}

  start(): void {
    this.view.say('Opening the live view…');
    this.api.openStream(this.session, this.stopper.signal).then(
      (socket) => (typeof socket === 'string' ? this.say(socket) : this.follow(socket)),
      (error: unknown) => this.say(`No live view. ${explainError(error)}`),
    );
  }
  stop(): void {
    this.stopper.abort();
  }

  /** Does something in the page, as the person who has taken over. */
  act(spec: JsonObject): void {
    if (this.socket?.readyState !== WebSocket.OPEN) return this.view.done('The live view is not open.');
    this.socket.send(JSON.stringify({ type: 'input', action_spec: spec }));
  }
  /** Clicks at a place of the picture, given as shares of its width and height. */
  click(x: number, y: number): void {
    this.sendTyped();
    if (!this.window) return this.view.done('The size of the page is not known yet.');
    this.act({ action_type: 'click', x: Math.round(x * this.window.width), y: Math.round(y * this.window.height) });
  }

  /** Types where the focus of the page is. What is typed quickly goes as one text. */
  type(text: string): void {
    this.typed += text;
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.sendTyped(), kTogether);
  }
  /** Presses a key there. */
  press(key: string): void {
    this.sendTyped();
    this.act({ action_type: 'press', key });
  }
  private sendTyped(): void {
    clearTimeout(this.typing);
    const text = this.typed;
    this.typed = '';
    if (text) this.act({ action_type: 'type', text });
  }

  private follow(socket: WebSocket): void {
    if (this.stopper.signal.aborted) return leave(socket);
    this.socket = socket;
    this.stopper.signal.addEventListener('abort', () => leave(socket));
    let wasOpen = false;
    socket.onopen = () => {
      wasOpen = true;
      this.say(kStates['starting']!);
    };
    socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) => {
      try {
        if (typeof message.data === 'string') this.read(message.data);
        else this.latest = parseFrame(message.data)?.picture ?? this.latest;
      } catch (error) {
        wasOpen = false;
        this.say(`The live view cannot be read: ${(error as Error).message}.`);
        socket.close();
      }
      void this.draw();
    };
    socket.onclose = (event: CloseEvent) => {
      if (this.stopper.signal.aborted) return;
      if (wasOpen) this.reopen();
      else if (event.code === 1006) this.say('The live view was refused.');
    };
  }

  private reopen(): void {
    const timer = setTimeout(() => this.start(), kReopenAfter);
    this.stopper.signal.addEventListener('abort', () => clearTimeout(timer));
  }

  // What the server says between the pictures.
  private read(text: string): void {
    const message = JSON.parse(text) as FeedMessage;
    if (message.type === 'result') this.view.done(message.result?.failure?.message ?? '');
    if (message.type === 'error') this.view.done(message.message ?? 'It was refused.');
    if (message.type !== 'status') return;
    this.window = message.view ?? this.window;
    const told = kStates[message.state ?? ''];
    if (told) this.say(message.reason ? `${told} (${wordsOf(message.reason).toLowerCase()})` : told);
  }

  // Only the newest picture is drawn: what came while one was drawn is out of date.
  private async draw(): Promise<void> {
    if (this.isDrawing || !this.latest || this.stopper.signal.aborted) return;
    this.isDrawing = true;
    const picture = new Blob([this.latest], { type: 'image/jpeg' });
    this.latest = null;
    try {
      await this.view.show(picture);
    } catch {
      // Half a picture is none; the next one comes.
    }
    this.isDrawing = false;
    void this.draw();
  }

  private say(text: string): void {
    if (!this.stopper.signal.aborted) this.view.say(text);
  }
}
