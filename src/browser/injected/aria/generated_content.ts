// Text that style sheets add through ::before and ::after.

import { attr } from '../dom';

// Generated content counts when it is plain text; the alternative text after a slash wins.
export function pseudoText(el: Element, which: '::before' | '::after'): string {
  const style = getComputedStyle(el, which);
  const content = style.content;
  if (content === 'none' || content === 'normal' || content === '') return '';
  const text = parseContent(el, content);
  return style.display === 'inline' || text === '' ? text : ` ${text} `;
}

function parseContent(el: Element, content: string): string {
  const pieces: string[] = content.match(/"(?:[^"\\]|\\.)*"|attr\([^)]*\)|\/|[^\s"]+/g) ?? [];
  const slash = pieces.indexOf('/');
  const spoken = slash >= 0 ? pieces.slice(slash + 1) : pieces;
  // Glyphs of icon fonts sit in the private use area and mean nothing as text.
  return spoken.map((piece) => contentPiece(el, piece)).join('').replace(/[\ue000-\uf8ff]/g, '');
}

function contentPiece(el: Element, piece: string): string {
  if (piece.startsWith('"')) return piece.slice(1, -1).replace(/\\(.)/g, '$1');
  const attribute = /^attr\(\s*([^\s),]+)/.exec(piece);
  return attribute ? (attr(el, attribute[1]!) ?? '') : '';
}
