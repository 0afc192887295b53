// Reading facts out of the page for the caller: text, attributes, values, tables, lists, links, the content as markdown,
// markup, or a page as a whole. Never the content of secret fields.

import { readBlockFacts } from './blocks/block_facts';
import { describe } from './describe';
import { attr, composedNodes, isElement, isText, matchesCss, queryDeep, tagOf } from './dom';
import { nameOf } from './aria/names';
import { readMarkdown } from './markdown/markdown';
import { readMarkup } from './markdown/markup';
import { bylineOf, languageOfPage, titleOf } from './markdown/page_facts';
import { qualityOf, statusOfPage } from './markdown/quality';
import { isSecret } from './projector/projector_secret';
import { readLine, readText } from './reading';
import { refFor } from './registry';
import { type Failure, fail, isFailure } from './result';
import { withoutSecrets } from './secrets/typed_secrets';
import { type Bounds, readTable } from './tables';
import { normalise, shorten } from './text';
import { isVisible } from './visibility';

export const WHAT = [
  'text', 'attribute', 'value', 'table', 'list', 'links', 'markdown', 'html', 'page', 'page_text', 'block_facts',
] as const;
export type What = (typeof WHAT)[number];

export interface ExtractRequest extends Bounds {
  what: What;
  name: string; // of the attribute
  doc: number;
}

type Extracted = Record<string, unknown> | Failure;

const MAX_LINE = 500;
const MAX_URL = 2048;

const EXTRACTORS: Record<What, (el: Element, request: ExtractRequest) => Extracted> = {
  text: (el, request) => ({ ...readText(el, request.maxChars) }),
  attribute: extractAttribute,
  value: extractValue,
  table: (el, request) => readTable(el, request) as Extracted,
  list: extractList,
  links: extractLinks,
  markdown: (el, request) => ({ ...readMarkdown(el, request) }),
  html: (el, request) => ({ ...readMarkup(el === document.body ? document.documentElement : el, request.maxChars) }),
  page: (el, request) => extractPage(el, request, readMarkdown),
  page_text: (el, request) => extractPage(el, request, readFacts),
  block_facts: () => ({ ...readBlockFacts() }),
};

type Facts = Record<string, unknown> & { truncated: boolean };

// What is asked of a page that is only read, in one call: all text, all links, and what `read` makes of the content.
function extractPage(el: Element, request: ExtractRequest, read: (el: Element, bounds: Bounds, text: string) => object): Extracted {
  const began = performance.now();
  const reading = readText(el, request.maxChars);
  const readAt = performance.now();
  const { truncated, ...content } = read(el, request, reading.text) as Facts;
  const endedAt = performance.now();
  const { links, total } = extractLinks(el, request) as { links: { text: string; url: string }[]; total: number };
  return {
    ...content,
    text: reading.text,
    links: links.map(({ text, url }) => ({ text, url })),
    links_total: total,
    truncated: truncated || reading.truncated || links.length < total,
    took_ms: { visible_text: readAt - began, markdown: endedAt - readAt },
  };
}

// What is told of a page whose content is not asked for as markdown.
function readFacts(el: Element, _: Bounds, text: string): Facts {
  const title = titleOf(el);
  const byline = bylineOf(el);
  const language = languageOfPage(el);
  return { title, ...(byline && { byline }), ...(language && { language }), quality: qualityOf(text, title, statusOfPage()), truncated: false };
}

// Must run inside cached().
export function extractOne(el: Element, request: ExtractRequest): Extracted {
  const found = EXTRACTORS[request.what](el, request);
  return isFailure(found) ? found : { ref: refFor(el, request.doc), ...found };
}

export function refuseSecret(el: Element): Failure | null {
  return isSecret(el, nameOf(el)) ? fail('secret_field', `${describe(el)} is a secret field`) : null;
}

function extractAttribute(el: Element, { name, maxChars }: ExtractRequest): Extracted {
  const refusal = name.toLowerCase() === 'value' ? refuseSecret(el) : null;
  if (refusal) return refusal;
  const value = attr(el, name);
  return { value: value === null ? null : shorten(withoutSecrets(value), maxChars) };
}

function extractValue(el: Element, { maxChars }: ExtractRequest): Extracted {
  const refusal = refuseSecret(el);
  if (refusal) return refusal;
  if (el instanceof HTMLSelectElement && el.multiple) return { value: Array.from(el.selectedOptions, (option) => option.value) };
  const value = valueOf(el, maxChars);
  return value === null ? fail('wrong_element', `${describe(el)} has no value`) : { value: shorten(value, maxChars) };
}

function valueOf(el: Element, maxChars: number): string | null {
  if (el instanceof HTMLInputElement || el instanceof HTMLTextAreaElement || el instanceof HTMLSelectElement) return el.value;
  if (el instanceof HTMLOutputElement) return el.value;
  if (el instanceof HTMLMeterElement || el instanceof HTMLProgressElement) return String(el.value);
  return el instanceof HTMLElement && el.isContentEditable ? readText(el, maxChars).text : null;
}

const LIST = `ul, ol, menu, dl, ${roles('list listbox menu tree tablist radiogroup feed')}`;
const ITEM = `li, article, ${roles('listitem option menuitem menuitemcheckbox menuitemradio treeitem tab radio article')}`;

function roles(names: string): string {
  return names.split(' ').map((name) => `[role=${name}]`).join(', ');
}

function extractList(el: Element, { limit, maxChars }: ExtractRequest): Extracted {
  if (!matchesCss(el, LIST)) return fail('wrong_element', `${describe(el)} is not a list`);
  const items = (tagOf(el) === 'dl' ? definitions(el) : queryDeep(el, ITEM)).filter((item) => item.checkVisibility());
  const texts: string[] = [];
  let room = maxChars;
  for (const item of items) {
    if (texts.length >= limit || room <= 0) break;
    texts.push(readItem(item, Math.min(MAX_LINE, room)));
    room -= texts.at(-1)!.length;
  }
  return { items: texts, total: items.length, truncated: texts.length < items.length };
}

function definitions(list: Element): Element[] {
  return Array.from(list.querySelectorAll('dt, dd'));
}

// The text of an item without that of the lists nested in it: their items come on their own.
function readItem(item: Element, limit: number): string {
  if (!item.querySelector(LIST)) return readLine(item, limit);
  const parts: string[] = [];
  for (const node of composedNodes(item)) {
    if (isText(node)) parts.push(node.data);
    else if (isElement(node) && !matchesCss(node, LIST)) parts.push(readLine(node, limit));
  }
  return shorten(normalise(parts.join(' ')), limit);
}

function extractLinks(el: Element, { limit, maxChars, doc }: ExtractRequest): Extracted {
  const links: object[] = [];
  let room = maxChars;
  const found = queryDeep(el, 'a[href], area[href]').filter(isVisible);
  if (matchesCss(el, 'a[href]')) found.unshift(el);
  for (const link of found) {
    if (links.length >= limit || room <= 0) break;
    const entry = { text: nameOf(link) || readLine(link, MAX_LINE), url: urlOf(link), ref: refFor(link, doc) };
    room -= entry.text.length + entry.url.length;
    links.push(entry);
  }
  return { links, total: found.length, truncated: links.length < found.length };
}

function urlOf(link: Element): string {
  const url = link instanceof HTMLAnchorElement || link instanceof HTMLAreaElement ? link.href : (attr(link, 'href') ?? '');
  return shorten(url, MAX_URL);
}
