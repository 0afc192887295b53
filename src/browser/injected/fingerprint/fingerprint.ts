// What an element is known by when its selectors find it no more: model::Fingerprint. Everything in it is what the page
// says by itself: nothing that was typed or chosen, and no secret.

import { cached } from '../cache';
import { attr, closestComposed, rectOf, tagOf } from '../dom';
import { untypedLabelsOf, untypedNameOf } from '../aria/names';
import { scrollHeightOf, scrollingElement, scrollWidthOf } from '../projector/projector_document';
import { shownRole } from '../projector/projector_interactive';
import { visibleText } from '../projector/projector_text';
import { looksGenerated } from '../selectors/generator';
import { testIdOf } from '../selectors/fingerprint';
import { tellsSecret, withoutSecrets } from '../secrets/typed_secrets';
import { shortenBytes } from '../text';
import { isEnabled } from '../visibility';
import { surroundingsOf } from './surroundings';
import { isField, isTypedInto } from './typed_into';

export interface Fingerprint {
  role: string;
  name: string;
  text: string;
  tag: string;
  type: string;
  label: string;
  attributes: Record<string, string>;
  landmark: string;
  item: string;
  before: string;
  x: number;
  y: number;
  enabled: boolean;
  selectors: string[];
}

const MAX_TEXT = 120;
const PRECISION = 10_000;
const AUTHORED = ['name', 'placeholder', 'title', 'alt', 'autocomplete'] as const;

export function fingerprintOf(el: Element, selectorsOf: (el: Element) => string[]): Fingerprint {
  return cached(() => {
    const tag = tagOf(el);
    const { landmark, item, before } = surroundingsOf(el);
    return {
      role: said(shownRole(el, tag)),
      name: said(untypedNameOf(el)),
      text: said(textOf(el)),
      tag: said(tag),
      type: said(typeOf(el)),
      label: isField(el) ? said(untypedLabelsOf(el).join(' ')) : '',
      attributes: attributesOf(el),
      landmark: said(landmark),
      item: said(item),
      before: said(before),
      ...placeOf(el),
      enabled: isEnabled(el),
      selectors: selectorsOf(el),
    };
  });
}

function said(text: string): string {
  return shortenBytes(withoutSecrets(text), MAX_TEXT);
}

function textOf(el: Element): string {
  return isTypedInto(el) ? '' : visibleText(el, MAX_TEXT);
}

function typeOf(el: Element): string {
  return el instanceof HTMLInputElement || el instanceof HTMLButtonElement ? el.type.toLowerCase() : '';
}

function attributesOf(el: Element): Record<string, string> {
  const attributes: Record<string, string> = {};
  const add = (name: string, value: string | null): void => {
    if (value && value.trim() !== '' && !tellsSecret(value)) attributes[name] = said(value);
  };
  const id = attr(el, 'id');
  if (id && !looksGenerated(id)) add('id', id);
  add('testid', testIdOf(el));
  for (const name of AUTHORED) add(name, attr(el, name));
  add('href', pathOf(el));
  return attributes;
}

// Where the link around it leads, without what is asked for there: that may be what somebody typed.
function pathOf(el: Element): string | null {
  const link = closestComposed(el, (at) => at instanceof HTMLAnchorElement && at.href !== '') as HTMLAnchorElement | null;
  return link && /^https?:$/.test(link.protocol) ? link.pathname : null;
}

function placeOf(el: Element): { x: number; y: number } {
  const { x, y, width, height } = rectOf(el);
  const page = scrollingElement();
  return {
    x: share(x + width / 2 + scrollX, page ? scrollWidthOf(page) : innerWidth),
    y: share(y + height / 2 + scrollY, page ? scrollHeightOf(page) : innerHeight),
  };
}

function share(at: number, of: number): number {
  return of > 0 ? Math.round(Math.min(1, Math.max(0, at / of)) * PRECISION) / PRECISION : 0;
}
