// Facts by which it is judged whether a page is a wall, read in one go. What follows from them is decided by the one who
// asked (agent/ghost/block_judge.cc).

import { attr, isElement, queryDeep, rectOf, tagOf } from '../dom';
import { countWords, statusOfPage } from '../markdown/quality';
import { widthOf } from '../markdown/weights';
import { readText } from '../reading';
import { shorten } from '../text';
import { isVisible } from '../visibility';
import { withoutSecrets } from '../secrets/typed_secrets';
import { fieldsIn, type Mark, marksOfPage } from './marks';
import { type Saying, sayingsIn } from './wording';

export interface BlockFacts {
  title: string;
  status: number; // 0 where the browser does not tell
  chars: number;
  words: number;
  html_chars: number;
  fields: number; // that a visitor can fill in
  links: number;
  scripts: number;
  refresh: boolean; // the page goes somewhere else by itself
  hidden_form: boolean; // there is a form, and nothing in it for a visitor
  mount: 'none' | 'empty' | 'filled'; // where a script puts the page
  marks: Mark[];
  says: Saying[];
  says_in_title: Saying[];
}

const MAX_TITLE = 200;
// More than any wall says.
const MAX_TEXT = 20_000;
const MOUNTS = '#root, #app, #__next, #__nuxt, #app-root, #react-root, #svelte, #mount, #main-app, #q-app, app-root, [ng-app], [data-reactroot], [data-server-rendered], [ng-version]';
const MEDIA = 'img, video, picture, svg';
const MEDIA_SIDE = 100;
const SCRIPTS = 'script[src], script[type=module]';
const FEW_WORDS = 3;

// Must run inside cached().
export function readBlockFacts(): BlockFacts {
  const text = readText(document.body, MAX_TEXT).text;
  const title = shorten(withoutSecrets(document.title), MAX_TITLE);
  const forms = queryDeep(document, 'form');
  return {
    title,
    status: statusOfPage(),
    chars: widthOf(text),
    words: countWords(text),
    html_chars: document.documentElement.outerHTML.length,
    fields: fieldsIn(document.body),
    links: queryDeep(document, 'a[href]').filter(isVisible).length,
    scripts: queryDeep(document, SCRIPTS).length,
    refresh: queryDeep(document, 'meta[http-equiv=refresh i]').some((meta) => /^\s*[\d.]+/.test(attr(meta, 'content') ?? '')),
    hidden_form: forms.length > 0 && forms.every((form) => fieldsIn(form) === 0),
    mount: mountOfPage(),
    marks: marksOfPage(),
    says: sayingsIn(text),
    says_in_title: sayingsIn(title),
  };
}

function mountOfPage(): BlockFacts['mount'] {
  const mount = queryDeep(document, MOUNTS).find((el) => tagOf(el) !== 'html');
  if (!mount) return 'none';
  return isBare(mount) ? 'empty' : 'filled';
}

// Says nothing, or that it is loading; what is only drawn on a canvas cannot be read either.
function isBare(mount: Element): boolean {
  const text = readText(mount, MAX_TEXT).text;
  const quiet = countWords(text) <= FEW_WORDS || sayingsIn(text.trim()).includes('loading');
  return quiet && fieldsIn(mount) === 0 && !queryDeep(mount, MEDIA).some(isLarge);
}

function isLarge(el: Element): boolean {
  if (!isElement(el) || !isVisible(el)) return false;
  const { width, height } = rectOf(el);
  return width >= MEDIA_SIDE && height >= MEDIA_SIDE;
}
