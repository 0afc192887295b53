// How much text there is below each element, and how much of it leads elsewhere. One walk of the page; everything that
// asks what is content compares these numbers.

import { styleOf } from '../cache';
import { checkVisibility, composedNodes, isElement, isText, tagOf } from '../dom';
import { MAX_DEPTH } from './budget';

export interface Weight {
  chars: number; // that are seen
  linkChars: number; // of them, in links
  links: number;
  prose: number; // characters of sentences that are not links
}

const NOTHING: Weight = { chars: 0, linkChars: 0, links: 0, prose: 0 };
const SILENT = /^(button|canvas|head|iframe|input|link|meta|noscript|object|script|select|style|svg|template|textarea|title|video)$/;
// A label or a menu entry is shorter.
const SENTENCE = 25;
const MAX_NODES = 200_000;
// Scripts that say in one character what others say in two or three.
const DENSE = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;

export class Weights {
  private readonly known = new Map<Element, Weight>();
  private nodes = MAX_NODES;

  constructor(readonly root: Element) {
    this.weigh(root, false, 0);
  }

  of(el: Element): Weight {
    return this.known.get(el) ?? NOTHING;
  }

  // From 0 to 1: how much of the text is links.
  linkShare(el: Element): number {
    const { chars, linkChars } = this.of(el);
    return chars === 0 ? 0 : linkChars / chars;
  }

  // From 0 to 1: how much of all sentences are here.
  proseShare(el: Element): number {
    const all = this.of(this.root).prose;
    return all === 0 ? 0 : this.of(el).prose / all;
  }

  private weigh(el: Element, inLink: boolean, depth: number): Weight {
    if (--this.nodes < 0 || depth > MAX_DEPTH || SILENT.test(tagOf(el)) || !isShown(el)) return NOTHING;
    const isLink = inLink || tagOf(el) === 'a';
    const sum: Weight = { ...NOTHING, links: isLink && !inLink ? 1 : 0 };
    let own = 0;
    for (const node of composedNodes(el)) {
      if (isElement(node)) add(sum, this.weigh(node, isLink, depth + 1));
      else if (isText(node)) own += widthOf(node.data);
    }
    sum.chars += own;
    if (isLink) sum.linkChars += own;
    else if (own >= SENTENCE) sum.prose += own;
    this.known.set(el, sum);
    return sum;
  }
}

function add(sum: Weight, more: Weight): void {
  sum.chars += more.chars;
  sum.linkChars += more.linkChars;
  sum.links += more.links;
  sum.prose += more.prose;
}

function isShown(el: Element): boolean {
  return styleOf(el).display === 'contents' || checkVisibility(el);
}

// Characters, those of dense scripts counted twice.
export function widthOf(text: string): number {
  const packed = text.replace(/\s+/g, ' ').trim();
  return packed.length + (packed.match(DENSE)?.length ?? 0);
}
