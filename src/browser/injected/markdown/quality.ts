// How much a page gave: whether reading it was worth while, or it has to be tried in another way.

import { hasWall } from '../blocks/marks';
import { widthOf } from './weights';

export type Quality = 'blocked' | 'empty' | 'minimal' | 'sufficient';

const EMPTY = { chars: 80, words: 15 };
const MINIMAL = { chars: 600, words: 120 };
const ERROR_TITLE = /\b(404|not found|page (is )?(unavailable|missing)|error|something went wrong|access denied|forbidden)\b/i;
const DENSE_RUN = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}]+/gu;
const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'\u2019-]*/gu;

// Scripts without spaces have about a word for every two letters.
export function countWords(text: string): number {
  let dense = 0;
  const spaced = text.replace(DENSE_RUN, (run) => {
    dense += Math.ceil(run.length / 2);
    return ' ';
  });
  return dense + (spaced.match(WORD)?.length ?? 0);
}

export function isBelow(text: string, { chars, words }: { chars: number; words: number }): boolean {
  return widthOf(text) < chars || countWords(text) < words;
}

export function isEmpty(text: string): boolean {
  return isBelow(text, EMPTY);
}

export function qualityOf(text: string, title: string, status: number): Quality {
  const isThin = isBelow(text, MINIMAL);
  if (status >= 500 || (isThin && hasWall())) return 'blocked';
  if (isEmpty(text)) return 'empty';
  return isThin || status >= 400 || (ERROR_TITLE.test(title) && widthOf(text) < 2 * MINIMAL.chars) ? 'minimal' : 'sufficient';
}

// 0 where the browser does not tell.
export function statusOfPage(): number {
  const [entry] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & { responseStatus?: number })[];
  return entry?.responseStatus ?? 0;
}
