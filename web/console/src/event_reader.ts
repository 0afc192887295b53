// Reads server-sent events (WHATWG HTML, 9.2.6) from text that comes in pieces.

export interface ServerEvent {
  /** The id that was last told, by this event or one before it. */
  id: string;
  name: string;
  data: string;
}

export class EventReader {
  private rest = '';
  private data: string[] = [];
  private name = '';
  // The id of the event that is being read; it counts once the event is whole.
  private id = '';
  /** What a new connection sends as Last-Event-ID. */
  lastId = '';
  /** How long to wait before connecting again, if the server said so. */
  retryMs: number | null = null;

  /** The events that the piece completes. */
  push(piece: string): ServerEvent[] {
    this.rest += piece;
    const events: ServerEvent[] = [];
    for (let line = this.takeLine(); line !== null; line = this.takeLine()) {
      const event = line === '' ? this.finish() : this.field(line);
      if (event) events.push(event);
    }
    return events;
  }

  /** A new connection begins: half an event of the old one is nothing. */
  reset(): void {
    this.rest = '';
    this.data = [];
    this.name = '';
    this.id = this.lastId;
  }

  /** Where the stream was is of no use any more. */
  forget(): void {
    this.lastId = '';
    this.reset();
  }

  private takeLine(): string | null {
    const end = /\r\n|\n|\r/.exec(this.rest);
    if (!end) return null;
    // A carriage return at the very end may be half of a pair.
    if (end[0] === '\r' && end.index === this.rest.length - 1) return null;
    const line = this.rest.slice(0, end.index);
    this.rest = this.rest.slice(end.index + end[0].length);
    return line;
  }

  private field(line: string): null {
    const colon = line.indexOf(':');
    if (colon === 0) return null;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (name === 'data') this.data.push(value);
    else if (name === 'event') this.name = value;
    else if (name === 'id' && !value.includes('\0')) this.id = value;
    else if (name === 'retry' && /^\d+$/.test(value)) this.retryMs = Number(value);
    return null;
  }

  private finish(): ServerEvent | null {
    this.lastId = this.id;
    const event = { id: this.lastId, name: this.name || 'message', data: this.data.join('\n') };
    const isEmpty = this.data.length === 0;
    this.data = [];
    this.name = '';
    return isEmpty ? null : event;
  }
}
