// What a page says about itself: its title, who wrote it, in which language.

import { attr, queryDeep, queryScope, tagOf } from '../dom';
import { readLine } from '../reading';
import { withoutSecrets } from '../secrets/typed_secrets';
import { normalise, shorten } from '../text';

const MAX_TITLE = 300;
const MAX_BYLINE = 100;
const AUTHORS = 'meta[name=author i], meta[property="article:author"]';
const WRITTEN_BY = '[rel~=author], [itemprop~=author], .byline, .author';

export function titleOf(main: Element): string {
  const heading = queryDeep(main, 'h1').find((el) => el.checkVisibility());
  const stated = queryScope(document, 'meta[property="og:title"]')[0];
  const title = normalise(document.title) || (stated && attr(stated, 'content')) || (heading && readLine(heading, MAX_TITLE)) || '';
  return shorten(normalise(withoutSecrets(title)), MAX_TITLE);
}

// "" when nobody is named.
export function bylineOf(root: Element): string {
  for (const el of [...queryScope(document, AUTHORS), ...queryDeep(root, WRITTEN_BY)]) {
    const name = tagOf(el) === 'meta' ? normalise(withoutSecrets(attr(el, 'content') ?? '')) : readLine(el, MAX_BYLINE + 1);
    const told = name.replace(/^(by|von|par|por|di)\s+/i, '');
    if (told !== '' && told.length <= MAX_BYLINE && !/^https?:/.test(told)) return told;
  }
  return '';
}

export function languageOfPage(main: Element): string {
  const stated = main.closest('[lang]') ?? document.documentElement;
  const language = attr(stated, 'lang') ?? attr(document.documentElement, 'lang') ?? '';
  return /^[a-z]{2,3}(-[a-z0-9]{1,8})*$/i.test(language) ? language : '';
}
