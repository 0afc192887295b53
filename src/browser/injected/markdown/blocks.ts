// Pieces of markdown that stand on their own, and how they are put together.

import { escapeLineStart } from './escape';

export type BlockKind = 'text' | 'heading' | 'list' | 'rule' | 'other';

export interface Block {
  kind: BlockKind;
  text: string;
}

// A line break that is asked for; becomes markup when its paragraph is complete.
export const BREAK = '\u0001';
const SPACES = /[ \t\n\r\f\u00a0]+/g;
const PARAGRAPH_END = /(?: ?\u0001){2,}/;

// Collects words into the paragraph that is open and paragraphs into a list.
export class Flow {
  readonly blocks: Block[] = [];
  line = '';

  close(): void {
    // Spaces first: looking for breaks among long runs of them would take too long.
    const paragraphs = this.line.replace(SPACES, ' ').split(PARAGRAPH_END);
    this.line = '';
    for (const paragraph of paragraphs) {
      const text = tidy(paragraph).map(escapeLineStart).join('\\\n');
      if (text !== '') this.blocks.push({ kind: 'text', text });
    }
  }

  push(kind: BlockKind, text: string): void {
    this.close();
    if (text !== '') this.blocks.push({ kind, text });
  }
}

function tidy(text: string): string[] {
  return text.split(BREAK).map(oneLine).filter((line) => line !== '');
}

// What was written over several lines, on one.
export function oneLine(text: string): string {
  return text.replaceAll(BREAK, ' ').replace(SPACES, ' ').trim();
}

export function joinBlocks(blocks: readonly Block[]): string {
  return blocks.map(({ text }) => text).join('\n\n');
}

export function listItem(marker: string, blocks: readonly Block[]): string {
  let text = '';
  blocks.forEach((block, i) => {
    const follows = block.kind === 'list' && blocks[i - 1]?.kind === 'text';
    text += (i === 0 ? '' : follows ? '\n' : '\n\n') + block.text;
  });
  return marker + indent(text, ' '.repeat(marker.length));
}

// Items of several paragraphs are set apart.
export function joinItems(items: readonly string[]): string {
  return items.join(items.some((item) => item.includes('\n\n')) ? '\n\n' : '\n');
}

function indent(text: string, by: string): string {
  return text.replace(/\n(?!\n|$)/g, `\n${by}`);
}

export function quote(text: string): string {
  return text.split('\n').map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

// For a cell of a table, which is a single line.
export function asCell(blocks: readonly Block[]): string {
  const lines = blocks.flatMap(({ text }) => text.split('\n')).map((line) => line.replace(/\\$/, '').replace(/^```.*$/, '').trim());
  return lines.filter((line) => line !== '').join('<br>');
}

// Without rules at the ends, and without a last heading that has nothing below it.
export function withoutLooseEnds(blocks: Block[]): Block[] {
  const kept = blocks.filter(({ kind }, i) => kind !== 'rule' || (i > 0 && blocks[i - 1]!.kind !== 'rule'));
  while (kept.length > 1 && /^(rule|heading)$/.test(kept.at(-1)!.kind)) kept.pop();
  return kept;
}
