// Reading text: inline runs are merged into the block they flow in; what cannot be seen at all is not read, and what can
// hardly be seen is told apart.

import { styleOf } from '../cache';
import { checkVisibility, closestCss, parentElementOf, parentOf, textContentOf } from '../dom';
import { textNodesOf } from './projector_document';
import type { Layer } from './projector_geometry';
import type { Scope, TextKind } from './projector_scope';
import { tellsSecret } from '../secrets/typed_secrets';
import { type Unseen, unseenOf } from '../unseen/unseen';
import { normalise, shorten } from '../text';

export interface TextRun {
  el: Element;
  kind: TextKind;
  level: number;
  text: string;
  // How many controls were met before it: tells its neighbours.
  at: number;
  parts: TextPart[];
  unseen?: Unseen;
}

// A piece of a run; what stands between texts has no node.
interface TextPart {
  node: Text | null;
  text: string;
}

const MAX_RUN = 600;
const MAX_TEXT = 160;
const ROW = 'tr,[role="row"]';
const MIN_FONT_PX = 2;
const FEW = 3;
const LONG_PIECE = 20;
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
    if (data.trim() === '') return this.space();
    const isFull = this.runs.length >= this.most;
    if (!isFull && (!this.isReadable(parent) || tellsSecret(data.trim()))) return;
    const run = this.runFor(scope, at);
    run.own ||= LETTER.test(data);
    if (!isFull) add(run, node, data.slice(0, MAX_RUN));
  }

  // The name of a control in the middle of a sentence: read along, but no reason to show the sentence.
  control(name: string, scope: Scope, at: number): void {
    add(this.runFor(scope, at), null, ` ${name} `);
  }

  space(): void {
    if (this.open) add(this.open, null, ' ');
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
    if (text === '' || (run.kind === 'cell' && this.joinRow(run, text))) return;
    const { el, kind, level, at, parts } = run;
    this.runs.push({ el, kind, level, text: shorten(text, MAX_TEXT), at, parts });
  }

  // The cells of a row are one text: a table is read by rows.
  private joinRow({ el, parts }: TextRun, text: string): boolean {
    const row = closestCss(el, ROW);
    const last = this.runs.at(-1);
    const joins = row !== null && row === this.lastRow && last?.kind === 'cell';
    this.lastRow = row;
    if (joins && last.text.length < MAX_TEXT) {
      last.text = shorten(`${last.text} | ${text}`, MAX_TEXT);
      last.parts.push({ node: null, text: ' | ' }, ...parts);
    }
    return joins;
  }

  private runFor(scope: Scope, at: number): TextRun & { own: boolean } {
    this.open ??= { el: scope.block, kind: scope.kind, level: scope.level, text: '', at, parts: [], own: false };
    return this.open;
  }

  private isReadable(parent: Element): boolean {
    if (parent === this.lastParent) return this.lastReadable;
    this.lastParent = parent;
    this.lastReadable = isReadable(parent);
    return this.lastReadable;
  }
}

function add(run: TextRun, node: Text | null, text: string): void {
  if (run.text.length >= MAX_RUN) return;
  run.text += text;
  run.parts.push({ node, text });
}

// A run whose words are not all plainly seen becomes several: what people read, and what they hardly can, with the reason.
export function parted(run: TextRun, layers: readonly Layer[]): TextRun[] {
  const look = ({ node }: TextPart): Unseen | null | undefined => (node ? unseenOf(node, layers) : undefined);
  if (!worthALook(run.parts).some(look)) return [run];
  const facts = run.parts.map(look);
  const seen = { ...run, text: joined(run.parts.filter((_, i) => !facts[i])) };
  const runs = LETTER.test(seen.text) ? [seen] : [];
  for (let i = 0; i < facts.length; ++i) {
    const unseen = facts[i];
    if (!unseen) continue;
    const from = i;
    i = lastAlike(facts, i);
    runs.push({ ...run, text: joined(run.parts.slice(from, i + 1)), unseen });
  }
  return runs;
}

// Looking is dear. Of many short pieces, such as the cells of a row, a few tell whether to look at all of them.
function worthALook(parts: readonly TextPart[]): TextPart[] {
  const texts = parts.filter(({ node }) => node !== null);
  const step = Math.max(1, Math.floor(texts.length / FEW));
  return texts.filter(({ text }, i) => i % step === 0 || text.length >= LONG_PIECE);
}

// The last of the pieces from `first` on that are shown in the same way, whatever stands between them.
function lastAlike(facts: readonly (Unseen | null | undefined)[], first: number): number {
  let last = first;
  for (let i = first + 1; i < facts.length && (facts[i] === undefined || isSame(facts[i], facts[first]!)); ++i) {
    if (facts[i]) last = i;
  }
  return last;
}

function isSame(a: Unseen | null | undefined, b: Unseen): boolean {
  return a !== null && a !== undefined && JSON.stringify(a) === JSON.stringify(b);
}

function joined(parts: readonly TextPart[]): string {
  return shorten(normalise(parts.map(({ text }) => text).join('')), MAX_TEXT);
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
    if (parent && words.trim() !== '' && isReadable(parent) && !tellsSecret(words.trim())) text += ` ${words.slice(0, limit * 2)}`;
  }
  return shorten(normalise(text), limit);
}
