// Live: what happens at the server, told to whoever in the console wants to know. One connection for
// all; when it breaks, the next one goes on behind the last event that came.

import { type Api, ApiError, explainError } from './api';
import { EventReader } from './event_reader';
import type { JsonObject } from './types';

export interface News {
  name: string;
  data: JsonObject;
}

/** What pages wait for. */
export type Topic = 'turn' | 'approval' | 'session' | 'ledger' | 'policy';

// Which pages an event is news for. Events are records of the ledger, under the name of their kind.
const kTopics: Record<string, Topic[]> = {
  turn_opened: ['turn', 'session', 'ledger'],
  turn_closed: ['turn', 'session', 'ledger'],
  refusal: ['turn', 'ledger'],
  approval: ['approval', 'ledger'],
  // Among them who drives a session.
  decision: ['session', 'ledger'],
  lease: ['session', 'ledger'],
  operator: ['session', 'ledger'],
  policy: ['policy', 'ledger'],
  // Said by the stream of itself.
  stream: [],
  end: [],
};

export function isAbout(news: News, topics: Topic[]): boolean {
  return news.name === kResync || (kTopics[news.name] ?? ['ledger']).some((topic) => topics.includes(topic));
}

/** absent: the server tells no news. */
export type LiveStatus = 'connecting' | 'live' | 'waiting' | 'absent' | 'stopped';

type Listener = (news: News) => void;

const kFirstPause = 1000;
const kLongestPause = 30_000;

/** Everything may have changed: some events were missed for good. */
export const kResync = 'resync';

export class Live {
  status: LiveStatus = 'connecting';
  why = '';
  private readonly listeners = new Set<Listener>();
  private readonly watchers = new Set<() => void>();
  private readonly reader = new EventReader();
  private readonly stopper = new AbortController();
  private pause: number;
  private hadConnection = false;

  constructor(private readonly api: Api, private readonly onWrongKey: () => void, private readonly firstPause = kFirstPause) {
    this.pause = firstPause;
  }

  start(): void {
    void this.run();
  }
  stop(): void {
    this.stopper.abort();
    this.set('stopped');
  }

  /** Gives back what ends it. */
  onNews(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  onStatus(watcher: () => void): () => void {
    this.watchers.add(watcher);
    return () => this.watchers.delete(watcher);
  }

  private async run(): Promise<void> {
    while (!this.stopper.signal.aborted) {
      try {
        await this.connection();
        this.why = 'The connection ended.';
      } catch (error) {
        if (this.stopper.signal.aborted) return;
        if (error instanceof ApiError && error.isWrongKey) return this.onWrongKey();
        if (error instanceof ApiError && (error.isAbsent || error.isForbidden)) return this.set('absent', explainError(error));
        // A server that began anew does not know what was last heard of the old one.
        if (error instanceof ApiError && error.status === 400) this.reader.forget();
        this.why = explainError(error);
      }
      if (this.stopper.signal.aborted) return;
      this.set('waiting', this.why);
      await this.sleep(this.nextPause());
    }
  }

  private async connection(): Promise<void> {
    const response = await this.api.events(this.reader.lastId, this.stopper.signal);
    if (!response.body) throw new Error('The server sent no events.');
    this.reader.reset();
    this.set('live');
    // Without an id to go on from, what came in between is not known.
    if (this.hadConnection && !this.reader.lastId) this.tell({ name: kResync, data: {} });
    this.hadConnection = true;
    const text = response.body.pipeThrough(new TextDecoderStream());
    for await (const piece of text) {
      this.pause = this.firstPause;
      for (const event of this.reader.push(piece)) this.tell({ name: event.name, data: dataOf(event.data) });
    }
  }

  private nextPause(): number {
    const pause = Math.max(this.pause, this.reader.retryMs ?? 0);
    this.pause = Math.min(this.pause * 2, kLongestPause);
    // Consoles that lost the same server do not all come back at once.
    return pause * (0.75 + Math.random() / 2);
  }

  private sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.stopper.signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }

  private tell(news: News): void {
    for (const listener of [...this.listeners]) listener(news);
  }
  private set(status: LiveStatus, why = ''): void {
    this.status = status;
    this.why = why;
    for (const watcher of [...this.watchers]) watcher();
  }
}

function dataOf(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
  } catch {
    return {};
  }
}
