// Text comparison shared by all engines.

import { withoutSecrets } from './secrets/typed_secrets';

export type MatchMode = 'substring' | 'exact' | 'regex';

// Whitespace collapsed and trimmed; zero-width characters and soft hyphens removed.
export function normalise(text: string): string {
  return text.replace(/[\u200b\u00ad]/g, '').replace(/\s+/g, ' ').trim();
}

export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Never cut a surrogate pair in half: JSON would carry a lone surrogate.
  const end = limit - 1;
  const splits = (text.charCodeAt(end - 1) & 0xfc00) === 0xd800;
  return `${text.slice(0, splits ? end - 1 : end)}\u2026`;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// At most so many bytes of UTF-8, whole characters only; half a character becomes the mark for what cannot be shown.
export function shortenBytes(text: string, most: number): string {
  const bytes = new Uint8Array(most);
  const { written } = encoder.encodeInto(text.length > most ? text.slice(0, most) : text, bytes);
  return decoder.decode(bytes.subarray(0, written));
}

export type Matcher = (text: string) => boolean;

// substring ignores case; exact and regex (without the flag i) do not. Throws SyntaxError for a bad pattern.
export function matcher(body: string, mode: MatchMode = 'substring', flags = ''): Matcher {
  const accepts = plainMatcher(body, mode, flags);
  return (text) => accepts(normalise(withoutSecrets(text)));
}

function plainMatcher(body: string, mode: MatchMode, flags: string): Matcher {
  if (mode === 'regex') {
    const pattern = new RegExp(body, flags.replace(/[gy]/g, ''));
    return (text) => pattern.test(text);
  }
  const wanted = normalise(body);
  if (mode === 'exact') return (text) => text === wanted;
  const lower = wanted.toLowerCase();
  return (text) => text.toLowerCase().includes(lower);
}
