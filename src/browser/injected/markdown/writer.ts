// The content of a page as CommonMark with the tables, strikes and footnotes of GFM. Reads what a person sees: nothing
// hidden, nothing typed, no secret. Must run inside cached().

import { styleOf } from '../cache';
import { attr, checkVisibility, composedChildren, composedNodes, isElement, isText, queryScope, rectOf, tagOf, textContentOf } from '../dom';
import { isReadable } from '../projector/projector_text';
import { isSecret } from '../projector/projector_secret';
import { tellsSecret, withoutSecrets } from '../secrets/typed_secrets';
import { normalise, shorten } from '../text';
import { unseenOf } from '../unseen/unseen';
import { addressOf, pictureAddress } from './addresses';
import { asCell, type Block, BREAK, Flow, joinBlocks, joinItems, listItem, oneLine, quote } from './blocks';
import type { Boilerplate } from './boilerplate';
import type { Budget } from './budget';
import { codeIn, languageOf } from './code';
import { codeBlock, codeSpan, escapeText } from './escape';
import type { Notes } from './notes';
import { codeCell, isLayout, tableText } from './tables';

export interface Link {
  text: string;
  url: string;
}

export interface Picture {
  alt: string;
  url: string;
}

// What the words are in the middle of.
interface Style {
  strong: boolean;
  em: boolean;
  inLink: boolean;
  inCell: boolean;
  inHeading: boolean;
  depth: number;
}

const PLAIN: Style = { strong: false, em: false, inLink: false, inCell: false, inHeading: false, depth: 0 };
const FLOWS = /^(inline|contents|ruby|math)/;
const MAX_ALT = 300;
const MAX_LINK_TEXT = 500;
// Smaller pictures are icons, or count visitors.
const MIN_PICTURE_PX = 16;
const MIN_NAMELESS_PX = 100;
const SYMBOLS_ONLY = /^[\s#\u00b6\u00a7\u{1F517}\u2693]*$/u;
const CJK = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b\u300c\u300d\uff08\uff09';
// A new line in the source is no space between letters that are written without.
const BROKEN_CJK = new RegExp(`(?<=[${CJK}])[ \\t]*\\n\\s*(?=[${CJK}])`, 'gu');

type Handler = (writer: Writer, el: Element, flow: Flow, style: Style) => void;

export class Writer {
  readonly links: Link[] = [];
  readonly pictures: Picture[] = [];

  constructor(
    private readonly boilerplate: Boilerplate,
    private readonly notes: Notes,
    private readonly budget: Budget,
  ) {}

  write(root: Element): Block[] {
    const flow = new Flow();
    this.visit(root, flow, PLAIN);
    flow.close();
    return flow.blocks;
  }

  visit(el: Element, flow: Flow, around: Style): void {
    const style = { ...around, depth: around.depth + 1 };
    if (!this.budget.enter(style.depth) || this.boilerplate.is(el)) return;
    const { display } = styleOf(el);
    if (display === 'none' || (display !== 'contents' && !checkVisibility(el))) return;
    if (isTypedInto(el)) return;
    const note = this.notes.numberOf(el);
    if (note !== undefined) return this.note(el, note, flow, style);
    const handler = HANDLERS[tagOf(el)] ?? (attr(el, 'role') === 'heading' ? heading : undefined);
    if (handler) return handler(this, el, flow, style);
    if (FLOWS.test(display)) return this.children(el, flow, style);
    flow.close();
    this.children(el, flow, style);
    flow.close();
  }

  children(el: Element, flow: Flow, style: Style): void {
    let readable: boolean | undefined;
    for (const node of composedNodes(el)) {
      if (this.budget.isSpent) return;
      if (isElement(node)) this.visit(node, flow, style);
      else if (isText(node)) {
        if (node.data.trim() === '') flow.line += ' ';
        else if ((readable ??= isReadable(el))) this.words(node, el, flow, style);
      }
    }
  }

  blocksIn(el: Element, style: Style): Block[] {
    const flow = new Flow();
    this.children(el, flow, style);
    flow.close();
    return flow.blocks;
  }

  // Words in the middle of a line, made into something by `wrap`; blocks among them stay what they are.
  inline(el: Element, flow: Flow, style: Style, wrap: (text: string) => string): void {
    const inner = new Flow();
    this.children(el, inner, style);
    if (inner.blocks.length === 0) {
      flow.line = joined(flow.line, wrap(inner.line));
      return;
    }
    inner.close();
    flow.close();
    flow.blocks.push(...inner.blocks);
  }

  link(el: Element, flow: Flow, style: Style): void {
    const number = this.notes.markedBy(el);
    if (number !== undefined) {
      flow.line += `[^${number}]`;
      return;
    }
    if (this.notes.isWayBack(el)) return;
    const url = style.inLink ? '' : addressOf(attr(el, 'href'));
    if (url === '' || (style.inHeading && leadsToItself(el))) return this.anchor(el, flow, style);
    const inner = new Flow();
    this.children(el, inner, { ...style, inLink: true });
    if (inner.blocks.length === 0) {
      flow.line += around(inner.line, (text) => this.linked(text, url));
      return;
    }
    inner.close();
    flow.close();
    flow.blocks.push(...this.linkFirst(inner.blocks, url));
  }

  linked(text: string, url: string): string {
    this.links.push({ text: shorten(oneLine(text.replace(/\\(.)/g, '$1')), MAX_LINK_TEXT), url });
    return text === url ? `<${url}>` : `[${text}](${url})`;
  }

  // Of a card that is a link as a whole, its first line is.
  private linkFirst(blocks: Block[], url: string): Block[] {
    const first = blocks.find(({ kind }) => kind === 'text' || kind === 'heading');
    if (!first) return blocks;
    const [, marker = '', text = ''] = /^(#{1,6} )?([^]*)$/.exec(first.text) ?? [];
    return blocks.map((block) => (block === first ? { ...block, text: marker + this.linked(text, url) } : block));
  }

  // An anchor that leads nowhere is its words; the sign beside a heading that leads to the heading is nothing.
  private anchor(el: Element, flow: Flow, style: Style): void {
    if (style.inHeading && SYMBOLS_ONLY.test(textContentOf(el))) return;
    this.children(el, flow, style);
  }

  picture(img: HTMLImageElement): string {
    const url = pictureAddress(img);
    const alt = normalise(withoutSecrets(attr(img, 'alt') ?? ''));
    const { width, height } = rectOf(img);
    const least = alt === '' ? MIN_NAMELESS_PX : MIN_PICTURE_PX;
    const isLoaded = img.complete && img.naturalWidth > 0;
    if (url === '' || attr(img, 'alt') === '' || (isLoaded && (width < least || height < least))) return '';
    if (!isLoaded && alt === '') return '';
    this.pictures.push({ alt: shorten(alt, MAX_ALT), url });
    return `![${shorten(alt, MAX_ALT).replace(/[[\]\\]/g, '\\$&')}](${url})`;
  }

  private note(el: Element, number: number, flow: Flow, style: Style): void {
    const blocks = this.blocksIn(el, style);
    // The number that the page writes before its note.
    if (blocks[0]?.kind === 'text') blocks[0] = { ...blocks[0], text: blocks[0].text.replace(/^\s*(\\?\[?\d+\\?[.)\]:]*|\*|\^)\s+(?=\S)/, '') };
    if (blocks.length > 0) flow.push('other', `[^${number}]: ${joinBlocks(blocks).replace(/\n(?!\n|$)/g, '\n    ')}`);
  }

  private words(node: Text, parent: Element, flow: Flow, style: Style): void {
    if (tellsSecret(node.data.trim()) || isUnseen(node)) return;
    const { whiteSpaceCollapse } = styleOf(parent) as CSSStyleDeclaration & { whiteSpaceCollapse: string };
    const clean = node.data.replace(/[\u200b\u00ad\u0000-\u0008]/g, '');
    const lines = whiteSpaceCollapse !== 'collapse' ? clean.replace(/\r?\n/g, BREAK) : clean.replace(BROKEN_CJK, '');
    const text = escapeText(lines.replace(/[ \t\n\r\f\u00a0]+/g, ' '), style);
    this.budget.write(text);
    flow.line += text;
  }
}

// A page may write for programs what it hides from people. What is only kept from screen readers is seen.
function isUnseen(node: Text): boolean {
  const unseen = unseenOf(node, []);
  return unseen !== null && Object.keys(unseen).some((fact) => fact !== 'is_aria_hidden');
}

function isTypedInto(el: Element): boolean {
  return el instanceof HTMLElement && el.isContentEditable && isSecret(el, '');
}

function leadsToItself(link: Element): boolean {
  return (attr(link, 'href') ?? '').startsWith('#');
}

// A text as what it begins with, the rest, and what it ends with. By hand: expressions take too long where a text has
// long runs of what they look for.
function edges(text: string, isEdge: (char: string) => boolean): [string, string, string] {
  let from = 0;
  let to = text.length;
  while (from < to && isEdge(text[from]!)) ++from;
  while (to > from && isEdge(text[to - 1]!)) --to;
  return [text.slice(0, from), text.slice(from, to), text.slice(to)];
}

const isBlank = (char: string): boolean => char === BREAK || /\s/.test(char);
const isFullWidthSign = (char: string): boolean => '\uff08\u300c\u300e\u3010\u300a\u3002\uff0c\uff1a\uff1b\uff01\uff1f\u3001\uff09\u300d\u300f\u3011\u300b'.includes(char);

// Spaces are kept out of what is marked.
function around(text: string, wrap: (core: string) => string): string {
  const [before, core, after] = edges(text, isBlank);
  return core === '' ? text : before + wrap(core.replaceAll(BREAK, ' ')) + after;
}

// And so are the signs that CommonMark does not let marks stand beside.
function marked(mark: string): (text: string) => string {
  return (text) => {
    if (text.includes(BREAK + BREAK)) return text;
    return around(text, (core) => {
      const [open, words, close] = edges(core, isFullWidthSign);
      return words === '' ? core : `${open}${mark}${words}${mark}${close}`;
    });
  };
}

// Two marked words without a space between them are marked together.
function joined(line: string, more: string): string {
  // The short text first: looking at the end of one that is still growing copies all of it.
  const touches = more.startsWith('**') && line.endsWith('**') && !line.endsWith('\\**');
  return touches ? line.slice(0, -2) + more.slice(2) : line + more;
}

function emphasis(key: 'strong' | 'em', mark: string): Handler {
  return (writer, el, flow, style) => {
    const isMarked = style[key] || (style.inHeading && key === 'strong');
    writer.inline(el, flow, { ...style, [key]: true }, isMarked ? (text) => text : marked(mark));
  };
}

function wrapped(open: string, close: string): Handler {
  return (writer, el, flow, style) =>
    writer.inline(el, flow, style, (text) => around(text, (core) => (/^\[\^\d+\]/.test(core) ? core : open + core + close)));
}

function heading(writer: Writer, el: Element, flow: Flow, style: Style): void {
  const level = Number(/^h([1-6])$/.exec(tagOf(el))?.[1] ?? attr(el, 'aria-level') ?? 2);
  const text = oneLine(writer.blocksIn(el, { ...style, inHeading: true }).map((block) => block.text.replace(/\\\n/g, ' ')).join(' '));
  flow.push('heading', text === '' ? '' : `${'#'.repeat(Math.min(6, Math.max(1, level || 2)))} ${text}`);
}

function code(writer: Writer, el: Element, flow: Flow, style: Style): void {
  if (!FLOWS.test(styleOf(el).display) && !style.inCell) return fenced(writer, el, flow, style);
  const text = isReadable(el) ? oneLine(codeIn(el)) : '';
  if (text !== '') flow.line += codeSpan(style.inCell ? text.replace(/\|/g, '\\|') : text);
}

function fenced(_: Writer, el: Element, flow: Flow, style: Style): void {
  const text = codeIn(el);
  if (text === '') return;
  if (style.inCell) flow.line += text.split('\n').map((part) => codeSpan(part.replace(/\|/g, '\\|'))).join(BREAK);
  else flow.push('other', codeBlock(text, languageOf(el)));
}

function list(writer: Writer, el: Element, flow: Flow, style: Style): void {
  let number = Number(attr(el, 'start') ?? 1) || 1;
  const isOrdered = tagOf(el) === 'ol';
  const items: string[] = [];
  const notes = new Flow();
  for (const child of composedChildren(el)) {
    const own = new Flow();
    number = Number(attr(child, 'value')) || number;
    writer.visit(child, own, style);
    own.close();
    if (own.blocks.length === 0) continue;
    if (/^\[\^\d+\]: /.test(own.blocks[0]!.text)) notes.blocks.push(...own.blocks);
    else items.push(listItem(isOrdered ? `${number}. ` : '- ', withTask(child, own.blocks)));
    ++number;
  }
  flow.push('list', joinItems(items));
  flow.blocks.push(...notes.blocks);
}

function withTask(item: Element, blocks: Block[]): Block[] {
  const box = queryScope(item, ':scope > input[type=checkbox], :scope > p > input[type=checkbox], :scope > label > input[type=checkbox]')[0];
  if (!(box instanceof HTMLInputElement) || blocks[0]?.kind !== 'text') return blocks;
  return [{ ...blocks[0], text: `[${box.checked ? 'x' : ' '}] ${blocks[0].text}` }, ...blocks.slice(1)];
}

function definitions(writer: Writer, el: Element, flow: Flow, style: Style): void {
  const items: { term: string; told: Block[] }[] = [];
  const parts = composedChildren(el).flatMap((child) => (tagOf(child) === 'div' ? composedChildren(child) : [child]));
  for (const part of parts) {
    const own = new Flow();
    writer.visit(part, own, style);
    own.close();
    if (own.blocks.length === 0) continue;
    if (tagOf(part) === 'dt') items.push({ term: oneLine(joinBlocks(own.blocks)), told: [] });
    else (items.at(-1) ?? items[items.push({ term: '', told: [] }) - 1]!).told.push(...own.blocks);
  }
  flow.push('list', joinItems(items.map(definition)));
}

function definition({ term, told }: { term: string; told: Block[] }): string {
  const name = term === '' || /^\*\*[^*]*\*\*$/.test(term) ? term : `**${term}**`;
  const [first, ...rest] = told;
  if (first?.kind === 'text') return listItem('- ', [{ kind: 'text', text: name === '' ? first.text : `${name}: ${first.text}` }, ...rest]);
  return listItem('- ', [{ kind: 'text', text: name }, ...told]);
}

function table(writer: Writer, el: Element, flow: Flow, style: Style): void {
  if (!(el instanceof HTMLTableElement) || style.inCell) return block(writer, el, flow, style);
  const program = codeCell(el);
  if (program) return fenced(writer, program, flow, style);
  if (isLayout(el)) return block(writer, el, flow, style);
  flow.close();
  if (el.caption) writer.visit(el.caption, flow, style);
  flow.push('other', tableText(el, (cell) => asCell(writer.blocksIn(cell, { ...style, strong: tagOf(cell) === 'th', inCell: true }))));
}

function block(writer: Writer, el: Element, flow: Flow, style: Style): void {
  flow.close();
  writer.children(el, flow, style);
  flow.close();
}

function quotation(writer: Writer, el: Element, flow: Flow, style: Style): void {
  const blocks = writer.blocksIn(el, style);
  flow.push('other', blocks.length === 0 ? '' : quote(joinBlocks(blocks)));
}

function formula(_: Writer, el: Element, flow: Flow): void {
  const source = queryScope(el, 'annotation[encoding="application/x-tex"]')[0];
  const text = normalise(textContentOf(source ?? el));
  if (text !== '' && !tellsSecret(text)) flow.line += source ? `$${text}$` : text;
}

function chosen(_: Writer, el: Element, flow: Flow): void {
  if (el instanceof HTMLSelectElement && !isSecret(el, '')) flow.line += ` ${Array.from(el.selectedOptions, (option) => option.label).join(', ')} `;
}

function summary(writer: Writer, el: Element, flow: Flow, style: Style): void {
  const text = joinBlocks(writer.blocksIn(el, { ...style, strong: true }));
  flow.push('text', text === '' ? '' : `**${oneLine(text)}**`);
}

const strong = emphasis('strong', '**');
const em = emphasis('em', '*');
const struck: Handler = (writer, el, flow, style) => writer.inline(el, flow, style, marked('~~'));

const HANDLERS: Record<string, Handler | undefined> = {
  a: (writer, el, flow, style) => writer.link(el, flow, style),
  b: strong,
  blockquote: quotation,
  br: (_, _el, flow) => {
    flow.line += BREAK;
  },
  cite: em,
  code,
  del: struck,
  dl: definitions,
  em,
  h1: heading,
  h2: heading,
  h3: heading,
  h4: heading,
  h5: heading,
  h6: heading,
  hr: (_, _el, flow) => flow.push('rule', '---'),
  i: em,
  img: (writer, el, flow) => {
    if (el instanceof HTMLImageElement) flow.line += writer.picture(el);
  },
  kbd: code,
  math: formula,
  ol: list,
  pre: fenced,
  q: wrapped('\u201c', '\u201d'),
  rp: () => {},
  rt: wrapped('(', ')'),
  s: struck,
  samp: code,
  select: chosen,
  strike: struck,
  strong,
  sub: wrapped('<sub>', '</sub>'),
  summary,
  sup: wrapped('<sup>', '</sup>'),
  table,
  tt: code,
  ul: list,
};
