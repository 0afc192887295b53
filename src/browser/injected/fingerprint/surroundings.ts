// What an element stands in and after, in words that the page shows and nobody typed.

import { attr, matchesCss, parentElementOf, parentOf, rootOf, tagOf, textContentOf } from '../dom';
import { untypedNameOf } from '../aria/names';
import { landmarkOf, roleOf } from '../aria/roles';
import { bodyElement, textNodesOf } from '../projector/projector_document';
import { titleOf } from '../projector/projector_group';
import { isReadable } from '../projector/projector_text';
import { leadingText } from '../selectors/engine_text';
import { isItem } from '../selectors/fingerprint';
import { withoutSecrets } from '../secrets/typed_secrets';
import { normalise } from '../text';

export interface Surroundings {
  landmark: string;
  item: string;
  before: string;
}

const MAX_LANDMARKS = 4;
const MAX_NODES_BEFORE = 24;
const MAX_ANCESTORS = 16;
const ITEM_DEPTH = 8;

// Words in these are typed, chosen from, or shown to nobody.
const UNREAD = 'textarea,select,option,script,style,noscript,template,title,[contenteditable]:not([contenteditable="false" i])';

export function surroundingsOf(el: Element): Surroundings {
  return { landmark: landmarkAround(el), item: withoutSecrets(itemAround(el)), before: textBefore(el) };
}

// The nearest landmark, dialog or form that is called something.
function landmarkAround(el: Element): string {
  let at = landmarkOf(el);
  for (let tried = 0; at && tried < MAX_LANDMARKS; ++tried, at = landmarkOf(at)) {
    const title = untypedNameOf(at) || withoutSecrets(titleOf(at));
    if (title !== '') return `${roleOf(at) || tagOf(at)} ${JSON.stringify(title)}`;
  }
  return '';
}

// What the row, card or entry around it says besides.
function itemAround(el: Element): string {
  const own = leadingText(el);
  let at = parentOf(el);
  for (let depth = 0; at && depth < ITEM_DEPTH; ++depth, at = parentOf(at)) {
    if (isItem(at) && leadingText(at) !== own) return leadingText(at);
  }
  return '';
}

// The last words that are seen before it, a heading or any other: a person reads them with it.
function textBefore(el: Element): string {
  const root = rootOf(el);
  const walker = textNodesOf(root instanceof ShadowRoot ? root : (bodyElement() ?? root));
  walker.currentNode = el;
  for (let seen = 0; seen < MAX_NODES_BEFORE; ++seen) {
    const node = walker.previousNode();
    const parent = node && parentElementOf(node);
    if (!node || !parent) return '';
    const words = normalise(withoutSecrets(textContentOf(node)));
    if (words !== '' && !isUnread(parent) && isReadable(parent)) return words;
  }
  return '';
}

function isUnread(el: Element): boolean {
  let at: Element | null = el;
  for (let depth = 0; at && depth < MAX_ANCESTORS; ++depth, at = parentOf(at)) if (matchesCss(at, UNREAD)) return true;
  return attr(el, 'aria-hidden') === 'true';
}
