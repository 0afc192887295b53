// Text comparison shared by all engines.

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

export type Matcher = (text: string) => boolean;

// substring ignores case; exact and regex (without the flag i) do not. Throws SyntaxError for a bad pattern.
export function matcher(body: string, mode: MatchMode = 'substring', flags = ''): Matcher {
  if (mode === 'regex') {
    const pattern = new RegExp(body, flags.replace(/[gy]/g, ''));
    return (text) => pattern.test(normalise(text));
  }
  const wanted = normalise(body);
  if (mode === 'exact') return (text) => normalise(text) === wanted;
  const lower = wanted.toLowerCase();
  return (text) => normalise(text).toLowerCase().includes(lower);
}
