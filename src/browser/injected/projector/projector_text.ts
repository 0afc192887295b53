// Reading text: inline runs are merged into the block they flow in; what cannot be seen is not read.

import { styleOf } from '../cache';
import { checkVisibility, closestCss, parentElementOf, parentOf, textContentOf } from '../dom';
import { textNodesOf } from './projector_document';
import type { Scope, TextKind } from './projector_scope';
import { normalise, shorten } from '../text';

export interface TextRun {
  el: Element;
  kind: TextKind;
  level: number;
  text: string;
  // How many controls were met before it: tells its neighbours.
  at: number;
}

const MAX_RUN = 600;
const MAX_TEXT = 160;
const ROW = 'tr,[role="row"]';
const MIN_FONT_PX = 2;
export const LETTER = /[\p{L}\p{N}]/u;

export class TextCollector {
  readonly runs: TextRun[] = [];
  // Texts met after enough had been read.
  unread = 0;
  private open: (TextRun & { own: boolean }) | null = null;
  private lastParent: Element | null = null;
  private lastReadable = false;
  private lastRow: Element | null = null;

  constructor(private readonly most: number) {}

  text(node: Text, parent: Element, scope: Scope, at: number): void {
    const data = node.data;
    if (data.trim() === '') {
      if (this.open) this.open.text += ' ';
      return;
    }
    const isFull = this.runs.length >= this.most;
    if (!isFull && !this.isReadable(parent)) return;
    const run = this.runFor(scope, at);
    run.own ||= LETTER.test(data);
    if (!isFull && run.text.length < MAX_RUN) run.text += data.slice(0, MAX_RUN);
  }

  // The name of a control in the middle of a sentence: read along, but no reason to show the sentence.
  control(name: string, scope: Scope, at: number): void {
    const run = this.runFor(scope, at);
    if (run.text.length < MAX_RUN) run.text += ` ${name} `;
  }

  space(): void {
    if (this.open) this.open.text += ' ';
  }

  // The block ends, or another begins inside it.
  close(): void {
    const run = this.open;
    this.open = null;
    if (!run || !run.own) return;
    if (this.runs.length >= this.most) {
      ++this.unread;
      return;
    }
    const text = normalise(run.text);
    if (text === '' || (run.kind === 'cell' && this.joinRow(run.el, text))) return;
    this.runs.push({ el: run.el, kind: run.kind, level: run.level, text: shorten(text, MAX_TEXT), at: run.at });
  }

  // The cells of a row are one text: a table is read by rows.
  private joinRow(cell: Element, text: string): boolean {
    const row = closestCss(cell, ROW);
    const last = this.runs.at(-1);
    const joins = row !== null && row === this.lastRow && last?.kind === 'cell';
    this.lastRow = row;
    if (joins) last.text = shorten(`${last.text} | ${text}`, MAX_TEXT);
    return joins;
  }

  private runFor(scope: Scope, at: number): TextRun & { own: boolean } {
    this.open ??= { el: scope.block, kind: scope.kind, level: scope.level, text: '', at, own: false };
    return this.open;
  }

  private isReadable(parent: Element): boolean {
    if (parent === this.lastParent) return this.lastReadable;
    this.lastParent = parent;
    this.lastReadable = isReadable(parent);
    return this.lastReadable;
  }
}

export const SHOWN: CheckVisibilityOptions = { opacityProperty: true, visibilityProperty: true };

// Can text directly in this element be seen? A page may hide words from people that it shows to programs.
export function isReadable(el: Element): boolean {
  const style = styleOf(el);
  if (style.display === 'contents') {
    const parent = parentOf(el);
    return parent !== null && isReadable(parent);
  }
  if (!checkVisibility(el, SHOWN)) return false;
  if (parseFloat(style.fontSize) < MIN_FONT_PX) return false;
  return !isTransparent(style.color) || style.webkitBackgroundClip === 'text';
}

function isTransparent(color: string): boolean {
  return color === 'transparent' || /^rgba\(.*, 0\)$/.test(color);
}

// Drops what a control nearby already says.
export function withoutEchoes(runs: TextRun[], names: readonly string[], labels: ReadonlyMap<Element, string>): TextRun[] {
  return runs.filter((run) => {
    if (labelled(run.el, labels) === run.text) return false;
    for (let i = Math.max(0, run.at - 2); i < Math.min(names.length, run.at + 2); ++i) {
      if (names[i] === run.text) return false;
    }
    return true;
  });
}

// The name of the control that a label (or something in a label) belongs to.
function labelled(el: Element, labels: ReadonlyMap<Element, string>): string | undefined {
  const parent = parentOf(el);
  return labels.get(el) ?? (parent ? labels.get(parent) : undefined);
}

// Visible text below an element, without laying it out again; stops once there is enough.
export function visibleText(root: Element, limit: number): string {
  const walker = textNodesOf(root);
  let text = '';
  for (let node = walker.nextNode(); node && text.length < limit * 2; node = walker.nextNode()) {
    const parent = parentElementOf(node);
    const words = textContentOf(node);
    if (parent && words.trim() !== '' && isReadable(parent)) text += ` ${words.slice(0, limit * 2)}`;
  }
  return shorten(normalise(text), limit);
}
