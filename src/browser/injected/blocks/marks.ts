// What walls are made of: elements that stand on a page only to keep visitors out. One row each. Services that guard
// sites also leave things on pages that anybody may read (badges, measuring scripts); those have no row.

import { queryDeep, rectOf, textContentOf } from '../dom';
import { isVisible } from '../visibility';

export type Wall = 'cloudflare' | 'captcha' | 'datadome' | 'perimeterx' | 'akamai' | 'imperva' | 'bot' | 'denied' | 'session';

// there: that it is there tells all; seen: it must be shown; open: shown, and as large as a question to a visitor is.
type Need = 'there' | 'seen' | 'open';

interface Row {
  wall: Wall;
  name: string;
  css: string;
  need: Need;
  text?: RegExp; // of a script
}

export interface Mark {
  wall: Wall;
  name: string;
  // It may also be a part of a form that has another purpose.
  widget: boolean;
  // How much of the window it takes.
  share: number;
}

const frame = (...addresses: string[]): string => addresses.map((address) => `iframe[src*="${address}" i]`).join(', ');
const script = (...addresses: string[]): string => addresses.map((address) => `script[src*="${address}" i]`).join(', ');

const WALLS: readonly Row[] = [
  { wall: 'cloudflare', name: 'challenge form', css: '#challenge-form, #challenge-stage, #challenge-running, form[action*="__cf_chl"]', need: 'there' },
  { wall: 'cloudflare', name: 'browser check', css: '.cf-browser-verification, #cf-please-wait, #trk_jschal_js, #cf-challenge-running', need: 'there' },
  { wall: 'cloudflare', name: 'challenge script', css: script('/orchestrate/chl_page', '/orchestrate/jsch', '/orchestrate/managed', '/orchestrate/captcha'), need: 'there' },
  { wall: 'cloudflare', name: 'challenge options', css: 'script:not([src])', need: 'there', text: /window\._cf_chl_opt\s*=/ },
  { wall: 'captcha', name: 'reCAPTCHA question', css: frame('/recaptcha/api2/bframe', '/recaptcha/enterprise/bframe'), need: 'open' },
  { wall: 'captcha', name: 'hCaptcha question', css: frame('frame=challenge').replaceAll('[src', '[src*="hcaptcha" i][src'), need: 'open' },
  { wall: 'captcha', name: 'Arkose question', css: frame('arkoselabs.com', 'funcaptcha.com'), need: 'open' },
  { wall: 'captcha', name: 'GeeTest question', css: '.geetest_panel_box, .geetest_popup_wrap, .geetest_box', need: 'open' },
  { wall: 'captcha', name: 'search engine captcha', css: 'form#captcha-form', need: 'there' },
  { wall: 'captcha', name: 'AWS captcha', css: 'awswaf-captcha, #captcha-container[data-awswaf]', need: 'there' },
  { wall: 'datadome', name: 'DataDome frame', css: frame('captcha-delivery.com'), need: 'seen' },
  { wall: 'datadome', name: 'DataDome script', css: 'script:not([src])', need: 'there', text: /\bvar\s+dd\s*=\s*\{[^}]*'(cid|hsh)'/ },
  { wall: 'perimeterx', name: 'press and hold', css: '#px-captcha, #px-captcha-wrapper, .px-captcha-container', need: 'there' },
  { wall: 'akamai', name: 'Akamai challenge', css: `#sec-if-cpt-container, #sec-cpt-if, ${frame('/_sec/cp_challenge')}, ${script('/_sec/cp_challenge')}`, need: 'there' },
  { wall: 'imperva', name: 'Incapsula frame', css: `iframe#main-iframe[src*="_Incapsula_Resource"]`, need: 'there' },
  { wall: 'bot', name: 'proof of work', css: '#anubis_challenge, #anubis_version, .haphash-challenge', need: 'there' },
  { wall: 'bot', name: 'AWS challenge', css: 'script:not([src])', need: 'there', text: /AwsWafIntegration\.(checkForceRefresh|forceRefreshToken)/ },
  { wall: 'bot', name: 'Kasada script', css: 'script:not([src])', need: 'there', text: /KPSDK\s*=|KPSDK\.now\s*=/ },
  { wall: 'bot', name: 'Sucuri script', css: 'script:not([src])', need: 'there', text: /sucuri_cloudproxy_js\s*=/ },
  { wall: 'bot', name: 'DDoS-Guard check', css: `#ddg-captcha, #ddg-l10n-title, ${script('/.well-known/ddos-guard/js-challenge')}`, need: 'there' },
  { wall: 'denied', name: 'Cloudflare block page', css: '#cf-error-details [data-translate="block_headline"], #cf-error-details [data-translate="blocked_why_headline"], #cf-error-details .cf-error-code', need: 'there' },
  { wall: 'session', name: 'form of the session check', css: 'form#session-verification, form[action*="verify-session" i], form[action*="session-check" i]', need: 'there' },
];

// What stands in many a form, and on a wall alone.
const WIDGETS: readonly Row[] = [
  { wall: 'cloudflare', name: 'Turnstile', css: `${frame('challenges.cloudflare.com')}, .cf-turnstile`, need: 'seen' },
  { wall: 'captcha', name: 'hCaptcha', css: `${frame('hcaptcha.com')}, .h-captcha`, need: 'seen' },
  { wall: 'captcha', name: 'reCAPTCHA', css: `${frame('/recaptcha/api2/anchor', '/recaptcha/enterprise/anchor')}, .g-recaptcha:not([data-size=invisible])`, need: 'seen' },
  { wall: 'captcha', name: 'picture of letters', css: 'img[src*="captcha" i], img[id*="captcha" i], img[alt*="captcha" i], canvas[id*="captcha" i]', need: 'seen' },
];

const FIELDS = 'input:not([type=hidden], [type=submit], [type=button], [type=image], [type=reset]), select, textarea';
const OPEN_SIDE = 200;
// The badge of an invisible check, fixed in a corner.
const BADGE = '.grecaptcha-badge';

// Must run inside cached().
export function marksOfPage(): Mark[] {
  return [...found(WALLS, false), ...found(WIDGETS, true)];
}

// A wall by its structure alone, for who only asks whether there is one. Must run inside cached().
export function hasWall(): boolean {
  const marks = marksOfPage();
  return marks.some(({ widget }) => !widget) || (marks.length > 0 && fieldsIn(document.body) === 0);
}

// Those that a visitor can fill in.
export function fieldsIn(root: Element): number {
  return queryDeep(root, FIELDS).filter(isVisible).length;
}

function found(rows: readonly Row[], widget: boolean): Mark[] {
  const marks: Mark[] = [];
  for (const row of rows) {
    const el = queryDeep(document, row.css).find((candidate) => meets(candidate, row));
    if (el) marks.push({ wall: row.wall, name: row.name, widget, share: shareOf(el) });
  }
  return marks;
}

function meets(el: Element, { need, text }: Row): boolean {
  if (text && !text.test(textContentOf(el))) return false;
  if (need === 'there') return true;
  if (!isVisible(el) || el.closest(BADGE) || shareOf(el) === 0) return false;
  const { width, height } = rectOf(el);
  return need === 'seen' || (width >= OPEN_SIDE && height >= OPEN_SIDE);
}

// 0 for what is moved out of the window's width, as questions are that nobody is asked.
function shareOf(el: Element): number {
  const { left, top, right, bottom } = rectOf(el);
  const width = Math.min(right, innerWidth) - Math.max(left, 0);
  if (width <= 0 || bottom + scrollY <= 0) return 0;
  const height = Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0));
  const share = (width * height) / (innerWidth * innerHeight);
  return Math.max(0.001, Math.round(share * 1000) / 1000);
}
