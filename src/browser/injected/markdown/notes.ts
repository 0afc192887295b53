// Footnotes: a mark that leads to a note in the same page, and the note.

import { attr, byId, closestCss, deepContains, matchesCss, queryDeep, tagOf, textContentOf } from '../dom';

const MARK = 'sup a[href^="#"], a[role=doc-noteref], a.footnote-ref, a.footnote-reference';
const NOTE = 'li, [role=doc-footnote], [role=doc-endnote], .footnote, aside, p, div';
const BACK = /^[\s\u21a9\ufe0e\u2191^\u23ce\u21b5]+$/;

export class Notes {
  private readonly numbers = new Map<Element, number>();

  constructor(main: Element) {
    for (const mark of queryDeep(main, MARK)) {
      const note = noteOf(mark);
      if (note && note !== main && deepContains(main, note) && !deepContains(note, mark) && !this.numbers.has(note)) {
        this.numbers.set(note, this.numbers.size + 1);
      }
    }
  }

  // Undefined for what is no note.
  numberOf(el: Element): number | undefined {
    return this.numbers.get(el);
  }

  // Of the note that a link leads to, if it is a mark.
  markedBy(link: Element): number | undefined {
    if (this.numbers.size === 0 || !matchesCss(link, MARK)) return undefined;
    const note = noteOf(link);
    return note ? this.numbers.get(note) : undefined;
  }

  // Is it a way back from a note to its mark?
  isWayBack(link: Element): boolean {
    if (matchesCss(link, '[role=doc-backlink], .footnote-backref, .reversefootnote')) return true;
    return (attr(link, 'href') ?? '').startsWith('#') && BACK.test(textContentOf(link));
  }
}

function noteOf(mark: Element): Element | null {
  const target = byId(mark, decoded((attr(mark, 'href') ?? '').slice(1)));
  if (!target) return null;
  return tagOf(target) === 'li' ? target : closestCss(target, NOTE);
}

function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}
