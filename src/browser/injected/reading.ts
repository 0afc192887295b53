// Text as a person reads it: one line per block, nothing that cannot be seen, open shadow trees included.

import { styleOf } from './cache';
import { composedNodes, isElement, isText, tagOf } from './dom';
import { isReadable } from './projector/projector_text';
import { tellsSecret } from './secrets/typed_secrets';
import { normalise } from './text';

export interface Reading {
  text: string;
  truncated: boolean;
}

const SILENT = /^(head|input|link|meta|noscript|script|style|template|textarea|title)$/;
const FLOWS = /^(inline|contents|ruby|math)/;

// Must run inside cached().
export function readText(root: Element, limit: number): Reading {
  const reader = new Reader(limit);
  reader.visit(root);
  return reader.finish();
}

// The same on a single line.
export function readLine(root: Element, limit: number): string {
  return normalise(readText(root, limit).text);
}

class Reader {
  private text = '';
  // Kept apart: looking at the end of a string that is still growing makes the engine copy all of it.
  private last = '\n';
  private stopped = false;

  constructor(private readonly limit: number) {}

  visit(el: Element): void {
    const tag = tagOf(el);
    if (SILENT.test(tag)) return;
    if (tag === 'br') return this.breakLine();
    const { display, whiteSpaceCollapse } = styleOf(el) as CSSStyleDeclaration & { whiteSpaceCollapse: string };
    if (display === 'none') return;
    const separate = FLOWS.test(display) ? () => {} : display === 'table-cell' ? () => this.tab() : () => this.breakLine();
    separate();
    if (el instanceof HTMLSelectElement) this.options(el);
    else this.children(el, whiteSpaceCollapse !== 'collapse');
    separate();
  }

  finish(): Reading {
    const lines = this.text.split('\n').map((line) => line.replace(/[ \t]+/g, (gap) => (gap.includes('\t') ? '\t' : gap)).trim());
    const text = lines.filter((line) => line !== '').join('\n');
    return { text: text.length > this.limit ? cut(text, this.limit) : text, truncated: this.stopped || text.length > this.limit };
  }

  private children(el: Element, preformatted: boolean): void {
    let readable: boolean | undefined;
    const folded = el instanceof HTMLDetailsElement && !el.open;
    for (const node of composedNodes(el)) {
      this.stopped ||= this.isFull();
      if (this.stopped) return;
      if (folded && !(node instanceof HTMLElement && tagOf(node) === 'summary')) continue;
      if (isElement(node)) this.visit(node);
      else if (isText(node) && (readable ??= isReadable(el))) this.words(node.data, preformatted);
    }
  }

  private options(list: HTMLSelectElement): void {
    if (isReadable(list)) this.words(Array.from(list.selectedOptions, (option) => option.label).join(', '), false);
  }

  private words(data: string, preformatted: boolean): void {
    if (tellsSecret(data.trim())) return;
    const clean = data.replace(/[\u200b\u00ad]/g, '');
    if (preformatted) return this.append(clean);
    const flowing = clean.replace(/\s+/g, ' ');
    // Spaces at the start of a line or after another space are not shown.
    this.append(/\s/.test(this.last) ? flowing.trimStart() : flowing);
  }

  private breakLine(): void {
    if (this.last !== '\n') this.append('\n');
  }

  private tab(): void {
    if (this.last !== '\n' && this.last !== '\t') this.append('\t');
  }

  private append(piece: string): void {
    if (piece === '') return;
    this.text += piece;
    this.last = piece[piece.length - 1]!;
  }

  // Dropping blank lines at the end only shortens the text, hence the margin.
  private isFull(): boolean {
    return this.text.length > this.limit * 1.25 + 64;
  }
}

function cut(text: string, limit: number): string {
  const splits = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  return text.slice(0, splits ? limit - 1 : limit);
}
