// Telling equal names apart: "Delete" in which row, "More" in which section?

import { attr, hasAttr, parentOf, queryScope, tagOf } from '../dom';
import { nameOf } from '../aria/names';
import type { Found } from './projector_controls';
import { visibleText } from './projector_text';
import { roleOf } from '../aria/roles';
import { normalise, shorten } from '../text';

const MAX_GROUP = 40;
// Longer than what is shown: the name of the control itself is cut out of it.
const MAX_TITLE = 120;
const MAX_CLIMB = 16;

const ITEM_TAGS = new Set(['tr', 'li', 'article', 'fieldset', 'section', 'form', 'nav', 'main', 'aside', 'header', 'footer', 'dialog', 'figure']);
const ITEM_ROLES = new Set(
  ('row listitem article group region form navigation main complementary banner contentinfo dialog alertdialog search ' +
    'radiogroup toolbar menu tablist tabpanel').split(' '),
);
const HEADINGS = 'h1,h2,h3,h4,h5,h6,[role="heading"],legend,caption,th[scope="row"],[role="rowheader"]';

// The controls that share role and name with another one.
export function namesakes(all: readonly Found[]): Set<Found> {
  const byName = new Map<string, Found>();
  const shared = new Set<Found>();
  for (const found of all) {
    const key = `${found.role} ${found.name}`;
    const other = byName.get(key);
    if (other) shared.add(found).add(other);
    else byName.set(key, found);
  }
  return shared;
}

// What the nearest item, row, section or landmark around the control is called.
export function groupOf(found: Found, cache: Map<Element, string>): string {
  let at = parentOf(found.el);
  for (let climbed = 0; at && climbed < MAX_CLIMB; ++climbed, at = parentOf(at)) {
    if (!isItem(at)) continue;
    const title = normalise(cachedTitle(at, cache).replace(found.name, ' '));
    if (title !== '') return shorten(title, MAX_GROUP);
  }
  return '';
}

function isItem(el: Element): boolean {
  return hasAttr(el, 'role') ? ITEM_ROLES.has(roleOf(el)) : ITEM_TAGS.has(tagOf(el));
}

function cachedTitle(el: Element, cache: Map<Element, string>): string {
  let title = cache.get(el);
  if (title === undefined) cache.set(el, (title = titleOf(el)));
  return title;
}

export function titleOf(el: Element): string {
  const stated = hasAttr(el, 'aria-label') || hasAttr(el, 'aria-labelledby') ? nameOf(el) : '';
  if (stated !== '') return stated;
  const heading = queryScope(el, HEADINGS)[0];
  if (heading) {
    const text = visibleText(heading, MAX_TITLE);
    if (text !== '') return text;
  }
  const tag = tagOf(el);
  // Small items are known by how they begin; larger parts of a page would only show some text at random.
  const isSmall = tag === 'tr' || tag === 'li' || attr(el, 'role') === 'row' || attr(el, 'role') === 'listitem';
  return isSmall ? visibleText(el, MAX_TITLE) : '';
}
