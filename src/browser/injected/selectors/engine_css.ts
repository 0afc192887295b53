// CSS that does not stop at open shadow roots: every shadow tree is queried with the whole selector, and a
// descendant combinator may cross from a host into its shadow tree.

import { inDocumentOrder, matchesCss, parentOrHost, queryDeep, queryScope, type Root, shadowRootsIn } from '../dom';

// Throws SyntaxError when the selector is not valid CSS.
export function queryCss(selector: string, root: Root): Element[] {
  if (shadowRootsIn(document).length === 0) return queryScope(root, selector);
  const complexes = splitTopLevel(selector, isComma).map((part) => splitTopLevel(part, isBlank));
  if (selector.includes(':scope') || complexes.every((segments) => segments.length === 1)) return queryDeep(root, selector);
  // The whole selector is checked natively first: a part of a bad selector may look fine.
  queryScope(root, selector);
  return inDocumentOrder(complexes.flatMap((segments) => queryAcross(segments, root)));
}

// `segments` are the parts between descendant combinators; each is matched natively.
function queryAcross(segments: string[], root: Root): Element[] {
  const last = segments.length - 1;
  return queryDeep(root, segments[last]!).filter((el) => hasAncestors(el, segments, last - 1));
}

// The nearest matching ancestor is always good enough: whatever lies above it also lies above farther ones' rivals.
function hasAncestors(el: Element, segments: string[], at: number): boolean {
  if (at < 0) return true;
  for (let above = parentOrHost(el); above; above = parentOrHost(above)) {
    if (matchesCss(above, segments[at]!)) return hasAncestors(above, segments, at - 1);
  }
  return false;
}

const isComma = (char: string): boolean => char === ',';
const isBlank = (char: string): boolean => /\s/.test(char);

// Splits outside brackets, parentheses and quotes. Blanks around > + ~ belong to that combinator.
function splitTopLevel(selector: string, isSeparator: (char: string) => boolean): string[] {
  const tight = isSeparator === isBlank ? tightenCombinators(selector.trim()) : selector;
  const parts: string[] = [];
  let start = 0;
  scanTopLevel(tight, (char, at) => {
    if (!isSeparator(char)) return;
    parts.push(tight.slice(start, at));
    start = at + 1;
  });
  parts.push(tight.slice(start));
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

function tightenCombinators(selector: string): string {
  const drop = new Set<number>();
  scanTopLevel(selector, (char, at) => {
    if (!/[>+~]/.test(char)) return;
    for (let i = at - 1; i >= 0 && isBlank(selector[i]!); --i) drop.add(i);
    for (let i = at + 1; i < selector.length && isBlank(selector[i]!); ++i) drop.add(i);
  });
  return Array.from(selector, (char) => char).filter((_, at) => !drop.has(at)).join('');
}

// Calls `visit` for every character that is not escaped, quoted or inside brackets.
function scanTopLevel(selector: string, visit: (char: string, at: number) => void): void {
  let depth = 0;
  let quote = '';
  for (let at = 0; at < selector.length; ++at) {
    const char = selector[at]!;
    if (char === '\\') ++at;
    else if (quote !== '') quote = char === quote ? '' : quote;
    else if (char === '"' || char === "'") quote = char;
    else if (char === '(' || char === '[') ++depth;
    else if (char === ')' || char === ']') --depth;
    else if (depth === 0) visit(char, at);
  }
}
