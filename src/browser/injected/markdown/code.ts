// Programs as their author wrote them: lines kept, numbers and buttons beside them left out, the language told.

import { attr, checkVisibility, composedNodes, isElement, isText, matchesCss, parentOf, queryScope, tagOf, textContentOf } from '../dom';
import { styleOf } from '../cache';
import { tellsSecret } from '../secrets/typed_secrets';
import { MAX_DEPTH } from './budget';

const BESIDE = 'button, .line-number, .line-numbers, .line-numbers-rows, .lineno, .linenos, .linenumber, .gutter, [data-line-number]:empty, .copy';
const LANGUAGE = /(?:^|\s)(?:(?:lang(?:uage)?|highlight(?:-source|-text)?)-|(?:brush:|sourceCode\s)\s*)([a-z0-9+#_.-]+)/i;
const HIGHLIGHTED = /(?:^|\s)hljs\s+([a-z0-9+#_-]+)/i;
// Around code: its numbers, a button to copy it.
const WRAPPER_TEXT = 40;
const MAX_WRAPPERS = 7;
const NO_LANGUAGE = /^(none|plain|plaintext|text|txt|nohighlight|undefined|default)$/i;

export function codeIn(el: Element): string {
  const lines = collect(el, 0).replace(/\u00a0/g, ' ').split('\n').map((line) => line.trimEnd());
  return lines.join('\n').replace(/^\n+/, '').trimEnd();
}

function collect(el: Element, depth: number): string {
  let code = '';
  if (depth > MAX_DEPTH) return code;
  for (const node of composedNodes(el)) {
    if (isText(node)) code += tellsSecret(node.data.trim()) ? '' : node.data;
    else if (isElement(node)) code += pieceOf(node, code, depth + 1);
  }
  return code;
}

function pieceOf(el: Element, before: string, depth: number): string {
  if (tagOf(el) === 'br') return '\n';
  if (matchesCss(el, BESIDE) || !checkVisibility(el, { visibilityProperty: true, opacityProperty: true })) return '';
  const inside = collect(el, depth);
  if (styleOf(el).display.startsWith('inline')) return inside;
  const start = before === '' || before.endsWith('\n') ? '' : '\n';
  return `${start}${inside}${inside.endsWith('\n') ? '' : '\n'}`;
}

// "" where nothing says it. Highlighters put it on the code, the block or something that they wrap around it.
export function languageOf(pre: Element): string {
  const inner = queryScope(pre, 'code')[0];
  for (const el of [...(inner ? [inner] : []), pre, ...wrappersOf(pre)]) {
    const language = languageOn(el);
    if (language !== '') return NO_LANGUAGE.test(language) ? '' : language.toLowerCase();
  }
  return '';
}

// The elements around that hold this code and hardly anything else.
function wrappersOf(pre: Element): Element[] {
  const most = textContentOf(pre).length * 1.5 + WRAPPER_TEXT;
  const wrappers: Element[] = [];
  for (let at = parentOf(pre); at && wrappers.length < MAX_WRAPPERS && textContentOf(at).length < most; at = parentOf(at)) wrappers.push(at);
  return wrappers;
}

function languageOn(el: Element): string {
  const stated = attr(el, 'data-lang') ?? attr(el, 'data-language');
  if (stated && /^[a-z0-9+#_.-]+$/i.test(stated)) return stated;
  const names = attr(el, 'class') ?? '';
  return (LANGUAGE.exec(names) ?? HIGHLIGHTED.exec(names))?.[1] ?? '';
}
