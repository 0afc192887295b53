// What shows a secret in this document: fields that hold one, and texts that repeat one that was typed here.

import { cached } from '../cache';
import { checkVisibility, isElement, parentElementOf, rectOf, type Root, shadowRootsIn } from '../dom';
import { nameOf } from '../aria/names';
import { scrollHeightOf, scrollWidthOf, textNodesOf } from '../projector/projector_document';
import type { Box } from '../projector/projector_geometry';
import { hasTypedSecrets, secretFields, tellsSecret, valueIn } from '../projector/projector_secret';

export type Spot = Element | Text;

const MAX_TEXTS = 50_000;

// An empty field shows no secret, and what stands in its place may be of use.
export function secretSpots(): Spot[] {
  const fields: Spot[] = cached(() => secretFields(nameOf)).filter((el) => valueIn(el) !== '');
  return hasTypedSecrets() ? fields.concat(tellingTexts()) : fields;
}

function tellingTexts(): Text[] {
  const found: Text[] = [];
  let left = MAX_TEXTS;
  const roots: Root[] = [document, ...shadowRootsIn(document)];
  for (const root of roots) {
    const walker = textNodesOf(root);
    for (let node = walker.nextNode() as Text | null; node && left > 0; node = walker.nextNode() as Text | null, --left) {
      if (tellsSecret(node.data.trim())) found.push(node);
    }
  }
  return found;
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
