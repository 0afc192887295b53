// How the name of a control is shown. Names may come from attributes and from hidden elements, and good pages make use
// of that; a name that is long enough to be more than a name is told apart.

import { attr, byIds, parentElementOf } from '../dom';
import { labelsOf } from '../aria/labels';
import { textNodesOf } from '../projector/projector_document';
import type { Layer } from '../projector/projector_geometry';
import { type Unseen, unseenOf } from './unseen';

const MIN_LENGTH = 24;
const MAX_NODES = 40;

// Null when most of it is plainly shown, or it is too short to say anything.
export function unseenName(el: Element, name: string, layers: readonly Layer[]): Unseen | null {
  if (name.length < MIN_LENGTH) return null;
  const sources = sourcesOf(el);
  if (sources.length === 0) return { is_attribute: true };
  return mostlyUnseen(sources, layers) ?? (isFromContent(el, sources) ? null : { is_attribute: true });
}

// The same for a text that is wholly inside an element.
export function unseenText(el: Element, layers: readonly Layer[]): Unseen | null {
  return mostlyUnseen([el], layers);
}

// Where the words come from, in the order of accname; none where an attribute says them.
function sourcesOf(el: Element): Element[] {
  const referenced = byIds(el, 'aria-labelledby');
  if (referenced.length > 0) return referenced;
  if (attr(el, 'aria-label')?.trim()) return [];
  const labels = labelsOf(el);
  return labels.length > 0 ? labels : [el];
}

// Pictures and titles name without words; buttons made of an input show their value, empty fields their placeholder.
function isFromContent(el: Element, sources: readonly Element[]): boolean {
  if (sources.some((source) => textNodesOf(source).nextNode() !== null)) return true;
  if (el instanceof HTMLInputElement) return /^(button|reset|submit)$/.test(el.type) || el.value === '';
  return el instanceof HTMLTextAreaElement && el.value === '';
}

function mostlyUnseen(sources: readonly Element[], layers: readonly Layer[]): Unseen | null {
  let shown = 0;
  let hidden = 0;
  let reason: Unseen | null = null;
  for (const source of sources) {
    const walker = textNodesOf(source);
    for (let i = 0, node = walker.nextNode() as Text | null; node && i < MAX_NODES; ++i, node = walker.nextNode() as Text | null) {
      const length = node.data.trim().length;
      const unseen = length > 0 && parentElementOf(node) ? unseenOf(node, layers) : null;
      if (unseen) hidden += length;
      else shown += length;
      reason ??= unseen;
    }
  }
  return hidden > shown ? reason : null;
}
