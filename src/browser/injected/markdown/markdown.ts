// The content of the page, or of a part of it, as clean markdown.

import { tagOf } from '../dom';
import { withoutSecrets } from '../secrets/typed_secrets';
import { type Block, joinBlocks, withoutLooseEnds } from './blocks';
import { Boilerplate, type Strictness } from './boilerplate';
import { Budget } from './budget';
import { headingFor, mainContent } from './main_content';
import { Notes } from './notes';
import { bylineOf, languageOfPage, titleOf } from './page_facts';
import { isEmpty, type Quality, qualityOf, statusOfPage } from './quality';
import { Weights } from './weights';
import { type Link, type Picture, Writer } from './writer';

export interface MarkdownReading {
  markdown: string;
  title: string;
  byline?: string;
  language?: string;
  quality: Quality;
  links: Link[];
  images: Picture[];
  truncated: boolean;
}

interface Draft {
  main: Element;
  text: string;
  links: Link[];
  pictures: Picture[];
  isCut: boolean;
}

// Less and less is left out until there is something to read: a page of links, or of fields, is a page too.
const TRIES: readonly Strictness[] = ['content', 'page', 'everything'];

// Must run inside cached().
export function readMarkdown(root: Element, { limit, maxChars }: { limit: number; maxChars: number }): MarkdownReading {
  const weights = new Weights(root);
  // Of what was asked for by name nothing is left out.
  const tries = /^(html|body)$/.test(tagOf(root)) ? TRIES : TRIES.slice(1);
  let draft: Draft | undefined;
  for (const strictness of tries) {
    const next = draftOf(root, weights, strictness, maxChars);
    if (!draft || next.text.length > draft.text.length) draft = next;
    if (!isEmpty(draft.text)) break;
  }
  return finished(draft!, root, limit, maxChars);
}

function draftOf(root: Element, weights: Weights, strictness: Strictness, maxChars: number): Draft {
  const boilerplate = new Boilerplate(weights, strictness);
  const main = strictness === 'everything' ? root : mainContent(root, weights, boilerplate);
  const budget = new Budget(maxChars);
  const writer = new Writer(boilerplate, new Notes(main), budget);
  const heading = headingFor(main, root);
  const blocks: Block[] = [...(heading ? new Writer(new Boilerplate(weights, 'everything'), new Notes(heading), budget).write(heading) : [])];
  blocks.push(...writer.write(main));
  return { main, text: joinBlocks(withoutLooseEnds(blocks)), links: writer.links, pictures: writer.pictures, isCut: budget.isSpent };
}

function finished({ main, text, links, pictures, isCut }: Draft, root: Element, limit: number, maxChars: number): MarkdownReading {
  const open = withoutSecrets(text);
  const title = titleOf(main);
  const byline = bylineOf(root);
  const language = languageOfPage(main);
  return {
    markdown: cut(open, maxChars),
    title,
    ...(byline && { byline }),
    ...(language && { language }),
    quality: qualityOf(open, title, statusOfPage()),
    links: within(unique(links).slice(0, limit), maxChars),
    images: within(unique(pictures).slice(0, limit), maxChars),
    truncated: isCut || open.length > maxChars,
  };
}

// The first of those that lead to the same place.
function unique<T extends { url: string }>(list: readonly T[]): T[] {
  const seen = new Set<string>();
  return list.filter(({ url }) => !seen.has(url) && seen.add(url));
}

// As many of them as there is room for.
function within<T extends object>(list: readonly T[], room: number): T[] {
  return list.filter((one) => (room -= Object.values(one).join('').length) >= 0);
}

// At the end of a paragraph where one ends in the last part of what there is room for; never inside a character.
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const paragraph = text.lastIndexOf('\n\n', limit);
  if (paragraph > limit * 0.8) return text.slice(0, paragraph);
  const splits = (text.charCodeAt(limit - 1) & 0xfc00) === 0xd800;
  return text.slice(0, splits ? limit - 1 : limit);
}
