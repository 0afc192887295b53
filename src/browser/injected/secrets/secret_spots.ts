// What shows a secret in this document: fields that hold one, and texts that repeat one that was typed here.

import { cached } from '../cache';
import { checkVisibility, isElement, parentElementOf, queryDeep, rectOf, type Root, shadowRootsIn } from '../dom';
import { nameOf } from '../aria/names';
import { scrollHeightOf, scrollWidthOf, textNodesOf } from '../projector/projector_document';
import type { Box } from '../projector/projector_geometry';
import { secretFields, valueIn } from '../projector/projector_secret';
import { hasTypedSecrets, secretsInSqueezed, tellsSecret, withoutBlanks } from './typed_secrets';

export type Spot = Element | Text;

const MAX_TEXTS = 50_000;
// A single letter stands everywhere.
const MIN_ECHO = 2;

// An empty field shows no secret, and what stands in its place may be of use.
export function secretSpots(): Spot[] {
  const fields = cached(() => secretFields(nameOf)).filter((el) => valueIn(el) !== '');
  return hasTypedSecrets() ? [...new Set<Spot>([...fields, ...echoesOf(fields), ...tellingTexts()])] : fields;
}

const allRoots = (): Root[] => [document, ...shadowRootsIn(document)];

function tellingTexts(): Text[] {
  return allRoots().flatMap((root) => tellingAmong(textsIn(root)));
}

// What is typed key by key is repeated before it is whole.
function echoesOf(fields: readonly Element[]): Spot[] {
  const parts = fields.map(valueIn).filter((value) => value.length >= MIN_ECHO);
  if (parts.length === 0) return [];
  const repeats = (text: string): boolean => parts.some((part) => text.includes(part));
  const texts = allRoots().flatMap(textsIn).filter(({ data }) => repeats(data));
  return [...texts, ...queryDeep(document, 'input,textarea').filter((el) => repeats(valueIn(el)))];
}

function textsIn(root: Root): Text[] {
  const texts: Text[] = [];
  const walker = textNodesOf(root);
  for (let node = walker.nextNode(); node && texts.length < MAX_TEXTS; node = walker.nextNode()) texts.push(node as Text);
  return texts;
}

// A page may show a secret in pieces, letter by letter: those are found in all texts put together.
function tellingAmong(texts: readonly Text[]): Text[] {
  const found = texts.filter(({ data }) => tellsSecret(data.trim()));
  const pieces = texts.map(({ data }) => withoutBlanks(data));
  const ranges = secretsInSqueezed(pieces.join(''));
  let from = 0;
  texts.forEach((text, i) => {
    const to = from + pieces[i]!.length;
    if (ranges.some((range) => range.from < to && from < range.to)) found.push(text);
    from = to;
  });
  return [...new Set(found)];
}

export function holderOf(spot: Spot): Element | null {
  return isElement(spot) ? spot : parentElementOf(spot);
}

// Where it is in the viewport; null when it is not shown.
export function boxOfSpot(spot: Spot): Box | null {
  const holder = holderOf(spot);
  if (!holder || !checkVisibility(holder, { visibilityProperty: true })) return null;
  const box = isElement(spot) ? fieldBox(spot) : textBox(spot);
  return box.right > box.left && box.bottom > box.top ? box : null;
}

// What is written in an editor may leave its box.
function fieldBox(el: Element): Box {
  const { left, top, right, bottom } = rectOf(el);
  if (!(el instanceof HTMLElement) || !el.isContentEditable) return { left, top, right, bottom };
  return { left, top, right: Math.max(right, left + scrollWidthOf(el)), bottom: Math.max(bottom, top + scrollHeightOf(el)) };
}

function textBox(node: Text): Box {
  const range = document.createRange();
  range.selectNode(node);
  return range.getBoundingClientRect();
}
