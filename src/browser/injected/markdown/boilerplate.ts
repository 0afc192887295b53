// What stands around the content of a page: navigation, notices, advertisements, ways to share, more to read. Told by
// what elements are, by the names that authors give them, by where they lie, and by how much of their text is links.

import { styleOf } from '../cache';
import { attr, closestCss, matchesCss, nextElementOf, parentOf, previousElementOf, tagOf, textContentOf } from '../dom';
import type { Weights } from './weights';

export type Strictness = 'content' | 'page' | 'everything';

const NEVER_READ = new Set(
  'audio base canvas datalist embed frame frameset head iframe input link meta noscript object option progress meter script style svg template textarea title video'.split(' '),
);
const AROUND = new Set('button dialog footer menu nav search select'.split(' '));
const AROUND_ROLES = new Set(
  'alertdialog banner button complementary contentinfo dialog menu menubar navigation search tablist toolbar tooltip'.split(' '),
);

// Parts of class names and ids. What is named so is dropped unless it holds most of the page.
const FIRM_NAMES = words(
  'ad ads advert advertisement adslot adsense breadcrumb breadcrumbs cookie cookies consent gdpr editsection ' +
    'headerlink newsletter outbrain paywall popup skiplink sponsor sponsored taboola',
);
// Names that also stand for content: what reads like an article is kept.
const LOOSE_NAMES = words(
  'banner byline footer masthead menu meta modal nav navbar navigation overlay pager pagination promo promoted recirc recommend ' +
    'recommendations recommended related relatedposts respond share sharing sidebar signup social subscribe tags teaser teasers toolbar trending widget widgets',
);
// What readers wrote below an article: dropped where there is an article.
const COMMENT_NAMES = words('comments commentlist disqus');
const NAMED = /^(aside|div|figure|form|header|li|ol|p|section|small|span|ul|table)$/;

const MORE_TO_READ =
  /^(related( (stories|articles|posts|content|topics|news|reading|links|pages|questions|coverage))?:?$|read (more|next|also)|more (from|in|on|stories|like|articles)|you (may|might) (also )?(like|enjoy)|recommended|most (read|popular|viewed)|popular|trending|share (this|on)|latest|up next|keep reading|mehr zum thema|das könnte|à lire aussi|lire aussi|le plus lu|también|te puede|relacionad|читайте также|相关|関連|おすすめ|관련|ذات صلة|اقرأ أيضا)/i;

const HEADING = /^h[2-6]$/;
const NOTES = /(^|[\s_-])(admonition|alert|callout|caution|hint|important|info|note|notice|pullquote|tip|warning)([\s_-]|$)/i;

// Enough sentences, and few enough links, to be content whatever it is called.
const READABLE_PROSE = 400;
const READABLE_LINKS = 0.25;
const FEW_LINKS = 0.1;
const PROSE_PER_LINK = 200;
const MOST = 0.5;
const CROWDED_LINKS = 0.6;
const LIST_OF_LINKS = 3;
const LONG_ID = 3;
const HEADING_AT = 60;

export class Boilerplate {
  private readonly known = new Map<Element, boolean>();

  constructor(
    private readonly weights: Weights,
    private readonly strictness: Strictness,
  ) {}

  is(el: Element): boolean {
    let known = this.known.get(el);
    if (known === undefined) this.known.set(el, (known = this.judge(el)));
    return known;
  }

  private judge(el: Element): boolean {
    const tag = tagOf(el);
    if (NEVER_READ.has(tag)) return true;
    if (this.strictness === 'everything' || el === this.weights.root) return false;
    if (this.strictness === 'content' && (this.isComments(el, tag) || this.isMoreToRead(el, tag))) return true;
    if (this.isMostOfThePage(el)) return false;
    if (isAround(el, tag) || this.isFormOfFields(el, tag) || isPinned(el)) return true;
    if (this.strictness === 'page') return false;
    return this.isNamedSo(el, tag) || this.isCrowdOfLinks(el, tag);
  }

  // What is named as something around the content may be larger than it, but not all there is.
  private isMostOfThePage(el: Element): boolean {
    const rest = this.weights.of(this.weights.root).prose - this.weights.of(el).prose;
    return this.weights.proseShare(el) > MOST && (rest < 2 * READABLE_PROSE || this.readsOn(el));
  }

  private readsLikeContent(el: Element): boolean {
    return this.weights.of(el).prose >= READABLE_PROSE && this.weights.linkShare(el) < READABLE_LINKS;
  }

  // Sentences, and not one after the other that only introduces a link.
  private readsOn(el: Element): boolean {
    const { prose, links } = this.weights.of(el);
    return this.readsLikeContent(el) && prose / Math.max(1, links) >= PROSE_PER_LINK;
  }

  private isComments(el: Element, tag: string): boolean {
    if (!/^(div|section|ol|ul|aside)$/.test(tag) || !namesOf(el).some((name) => COMMENT_NAMES.has(name))) return false;
    const own = this.weights.of(el).prose;
    const rest = this.weights.of(this.weights.root).prose - own;
    return rest >= 2 * READABLE_PROSE || rest > own;
  }

  private isFormOfFields(el: Element, tag: string): boolean {
    return tag === 'form' && !this.readsLikeContent(el);
  }

  private isNamedSo(el: Element, tag: string): boolean {
    if (!NAMED.test(tag) || closestCss(el, 'pre, code')) return false;
    const names = namesOf(el);
    if (names.some((name) => FIRM_NAMES.has(name))) return true;
    return names.some((name) => LOOSE_NAMES.has(name)) && !this.readsOn(el);
  }

  // A part of the page whose heading promises other pages, and which consists of links to them; or such a heading and
  // the links that follow it.
  private isMoreToRead(el: Element, tag: string): boolean {
    if (HEADING.test(tag)) {
      const next = nextElementOf(el);
      return promisesMore(el) && next !== null && this.weights.linkShare(next) > FEW_LINKS;
    }
    if (!/^(aside|div|ol|section|ul)$/.test(tag) || this.weights.of(el).links === 0 || this.weights.linkShare(el) < FEW_LINKS) return false;
    const before = previousElementOf(el);
    if (before && HEADING.test(tagOf(before)) && this.isMoreToRead(before, tagOf(before))) return true;
    const heading = el.querySelector('h1,h2,h3,h4,h5,h6,[role=heading],strong');
    return heading !== null && promisesMore(heading) && startsWith(el, heading);
  }

  // Where authors do not say what the content is, whatever is hardly more than links is not.
  private isCrowdOfLinks(el: Element, tag: string): boolean {
    if (!/^(div|section|ul|ol|table|header)$/.test(tag) || closestCss(el, 'main, article, [role=main]')) return false;
    const { links, prose } = this.weights.of(el);
    return links >= LIST_OF_LINKS && prose < READABLE_PROSE && this.weights.linkShare(el) > CROWDED_LINKS;
  }
}

function promisesMore(heading: Element): boolean {
  return MORE_TO_READ.test(textContentOf(heading).trim());
}

// An article may end with such a heading.
function startsWith(el: Element, heading: Element): boolean {
  const at = textContentOf(el).trimStart().indexOf(textContentOf(heading).trim());
  return at >= 0 && at < HEADING_AT;
}

function isAround(el: Element, tag: string): boolean {
  const role = attr(el, 'role')?.trim().toLowerCase();
  if (role && AROUND_ROLES.has(role)) return true;
  if (tag === 'header') return !closestCss(el, 'main, article, section, [role=main]') && !matchesCss(el, ':has(h1)');
  if (tag === 'aside') return role !== 'note' && !(role ?? '').startsWith('doc-') && !NOTES.test(attr(el, 'class') ?? '');
  // Who is quoted stands in the footer of a quotation; notes may stand in that of an article.
  if (tag === 'footer') return !closestCss(el, 'blockquote') && !matchesCss(el, ':has([id^="fn"], .footnotes)');
  return AROUND.has(tag);
}

// What stays where it is while the page moves is about the page.
function isPinned(el: Element): boolean {
  return styleOf(el).position === 'fixed';
}

function namesOf(el: Element): string[] {
  const classes = partsOf(attr(el, 'class'));
  const id = partsOf(attr(el, 'id'));
  // A long id is a heading turned into an address: "sharing-with-other-developers" shares nothing.
  return id.length > LONG_ID ? classes : [...classes, ...id];
}

function partsOf(names: string | null): string[] {
  return names === null ? [] : names.replace(/([a-z])([A-Z])/g, '$1-$2').toLowerCase().split(/[\s_-]+/);
}

function words(list: string): Set<string> {
  return new Set(list.split(' '));
}

// Is it left out, or something around it?
export function isInside(el: Element, boilerplate: Boilerplate): boolean {
  for (let at: Element | null = el; at; at = parentOf(at)) if (boilerplate.is(at)) return true;
  return false;
}
