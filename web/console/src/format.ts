// How values are written for people.

export function bytesText(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 100 ? 0 : 1;
  return `${value.toFixed(digits)} ${units[unit]}`;
}

/** 850 µs, 12 ms, 1.2 s, 3 min 05 s, 2 h 07 min. */
export function durationText(us: number): string {
  if (us < 1000) return `${Math.round(us)} µs`;
  const ms = us / 1000;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${pad(whole % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${pad(minutes % 60)} min`;
}

/** 4:05, 1:02:09; 0:00 when the time is over. */
export function countdownText(ms: number): string {
  const left = Math.max(0, Math.ceil(ms / 1000));
  const hours = Math.floor(left / 3600);
  const minutes = Math.floor(left / 60) % 60;
  const seconds = pad(left % 60);
  return hours > 0 ? `${hours}:${pad(minutes)}:${seconds}` : `${minutes}:${seconds}`;
}

/** "just now", "12 s ago", "3 min ago", "2 h ago", "4 d ago". */
export function agoText(ms: number, now: number): string {
  const seconds = Math.floor((now - ms) / 1000);
  if (seconds < 2) return 'just now';
  if (seconds < 60) return `${seconds} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  if (seconds < 86400) return `${Math.floor(seconds / 3600)} h ago`;
  return `${Math.floor(seconds / 86400)} d ago`;
}

/** 2026-11-16 10:22:08.123 in the reader's time zone. */
export function timeText(ms: number): string {
  const at = new Date(ms);
  if (Number.isNaN(at.getTime())) return '';
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`;
  const clock = `${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
  return `${day} ${clock}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** The moment in milliseconds of what is a number already or an ISO time; NaN for neither. */
export function momentOf(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? Date.parse(value) : NaN;
}

/** The beginning of a hash or an id; the whole of it belongs into a title. */
export function shortId(id: string, length = 12): string {
  return id.length <= length + 1 ? id : `${id.slice(0, length)}…`;
}

/** turn_opened is "turn opened". */
export function wordsOf(name: string): string {
  return name.replaceAll('_', ' ');
}

/** Characters that move the cursor, hide or turn the direction of a text are written out. */
export function plainText(text: string): string {
  return text.replace(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`,
  );
}

/** A value as text: words as they are, everything else as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '';
  return plainText(typeof value === 'string' ? value : JSON.stringify(value));
}

function pad(value: number): string {
  return String(value).padStart(2, '0');
}
