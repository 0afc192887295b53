// Roles that HTML elements have by themselves (HTML-AAM).

import { attr, byIds, closestCss, firstElementOf, hasAttr, nextElementOf, parentElementOf, parentOf, tagOf } from '../dom';
import { explicitRole, keepsMeaning, roleOf } from './roles';

export function implicitRole(el: Element): string {
  // SVG and MathML share local names with HTML (a, title, ...) but not their meaning.
  if (!(el instanceof HTMLElement)) return foreignRole(el);
  const rule = IMPLICIT[tagOf(el)];
  if (rule === undefined) return '';
  return typeof rule === 'string' ? rule : rule(el);
}

function foreignRole(el: Element): string {
  switch (tagOf(el)) {
    case 'svg':
      return 'img';
    case 'a':
      return hasAttr(el, 'href') || hasAttr(el, 'xlink:href') ? 'link' : '';
    case 'math':
      return 'math';
    default:
      return '';
  }
}

type RoleRule = string | ((el: Element) => string);

const IMPLICIT: Record<string, RoleRule> = Object.assign(Object.create(null) as Record<string, RoleRule>, {
  a: linkRole,
  area: linkRole,
  article: 'article',
  aside: (el: Element) => (!insideSection(el) || hasExplicitName(el) ? 'complementary' : ''),
  blockquote: 'blockquote',
  button: 'button',
  caption: tablePart('caption'),
  code: 'code',
  datalist: 'listbox',
  dd: 'definition',
  del: 'deletion',
  details: 'group',
  dfn: 'term',
  dialog: 'dialog',
  dt: 'term',
  em: 'emphasis',
  fieldset: 'group',
  figure: 'figure',
  footer: (el: Element) => (insideSection(el) ? '' : 'contentinfo'),
  form: (el: Element) => (hasExplicitName(el) ? 'form' : ''),
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  h4: 'heading',
  h5: 'heading',
  h6: 'heading',
  header: (el: Element) => (insideSection(el) ? '' : 'banner'),
  hgroup: 'group',
  hr: 'separator',
  html: 'document',
  img: imageRole,
  input: inputRole,
  ins: 'insertion',
  li: listItemRole,
  main: 'main',
  mark: 'mark',
  math: 'math',
  menu: 'list',
  meter: 'meter',
  nav: 'navigation',
  ol: 'list',
  optgroup: 'group',
  option: 'option',
  output: 'status',
  p: 'paragraph',
  progress: 'progressbar',
  s: 'deletion',
  search: 'search',
  section: (el: Element) => (hasExplicitName(el) ? 'region' : ''),
  select: (el: Element) => (hasAttr(el, 'multiple') || Number(attr(el, 'size')) > 1 ? 'listbox' : 'combobox'),
  strong: 'strong',
  sub: 'subscript',
  summary: (el: Element) => (parentElementOf(el)?.localName === 'details' ? 'button' : ''),
  sup: 'superscript',
  table: 'table',
  tbody: tablePart('rowgroup'),
  td: cellRole,
  textarea: 'textbox',
  tfoot: tablePart('rowgroup'),
  th: headerCellRole,
  thead: tablePart('rowgroup'),
  time: 'time',
  tr: tablePart('row'),
  ul: 'list',
});

function linkRole(el: Element): string {
  return hasAttr(el, 'href') ? 'link' : '';
}

const SECTION_ROLES = new Set(['article', 'complementary', 'main', 'navigation', 'region']);

// Sectioning content scopes header, footer and aside to itself.
function insideSection(el: Element): boolean {
  for (let at = parentOf(el); at; at = parentOf(at)) {
    if (/^(article|aside|main|nav|section)$/.test(tagOf(at)) || SECTION_ROLES.has(explicitRole(at))) return true;
  }
  return false;
}

function hasExplicitName(el: Element): boolean {
  return Boolean(attr(el, 'aria-label')?.trim()) || Boolean(attr(el, 'title')?.trim()) || byIds(el, 'aria-labelledby').length > 0;
}

function imageRole(el: Element): string {
  const decorative = attr(el, 'alt') === '' && !hasAttr(el, 'title') && !keepsMeaning(el);
  return decorative ? 'presentation' : 'img';
}

const INPUT_ROLES: Record<string, string> = {
  button: 'button',
  checkbox: 'checkbox',
  file: 'button',
  hidden: '',
  image: 'button',
  number: 'spinbutton',
  radio: 'radio',
  range: 'slider',
  reset: 'button',
  search: 'searchbox',
  submit: 'button',
};

function inputRole(el: Element): string {
  const input = el as HTMLInputElement;
  if (/^(email|search|tel|text|url)$/.test(input.type) && input.list) return 'combobox';
  if (input.type === 'checkbox' && hasAttr(el, 'switch')) return 'switch';
  // Fields without a role of their own in the specification (password, date, color...) are typed into like a textbox.
  return INPUT_ROLES[input.type] ?? 'textbox';
}

function listItemRole(el: Element): string {
  const list = parentOf(el);
  if (!list || !/^(ul|ol|menu)$/.test(tagOf(list))) return list && explicitRole(list) === 'list' ? 'listitem' : '';
  return roleOf(list) === 'presentation' && !keepsMeaning(el) ? 'presentation' : 'listitem';
}

// Parts of a table that is presentational are presentational too.
function tablePart(role: string): (el: Element) => string {
  return (el) => {
    const table = closestCss(el, 'table');
    if (!table) return '';
    return roleOf(table) === 'presentation' && !keepsMeaning(el) ? 'presentation' : role;
  };
}

function cellRole(el: Element): string {
  const table = closestCss(el, 'table');
  return tablePart(table && /grid$/.test(explicitRole(table)) ? 'gridcell' : 'cell')(el);
}

function headerCellRole(el: Element): string {
  const scope = attr(el, 'scope')?.toLowerCase();
  if (scope === 'row' || scope === 'rowgroup') return tablePart('rowheader')(el);
  if (scope === 'col' || scope === 'colgroup' || closestCss(el, 'thead')) return tablePart('columnheader')(el);
  return tablePart(rowHasData(el) ? 'rowheader' : 'columnheader')(el);
}

function rowHasData(cell: Element): boolean {
  const row = parentElementOf(cell);
  for (let at = row && firstElementOf(row); at; at = nextElementOf(at)) if (tagOf(at) === 'td') return true;
  return false;
}

// Tags that may have a role depending on their attributes or place; roles with a fixed tag come from IMPLICIT.
const CONDITIONAL_TAGS: Record<string, string> = {
  banner: 'header',
  button: 'input,summary',
  caption: 'caption',
  cell: 'td',
  checkbox: 'input',
  columnheader: 'th',
  combobox: 'input,select',
  complementary: 'aside',
  contentinfo: 'footer',
  form: 'form',
  gridcell: 'td',
  img: 'img,svg',
  link: 'a,area',
  listbox: 'select',
  listitem: 'li',
  presentation: 'caption,img,li,tbody,td,tfoot,th,thead,tr',
  radio: 'input',
  region: 'section',
  row: 'tr',
  rowgroup: 'tbody,tfoot,thead',
  rowheader: 'th',
  searchbox: 'input',
  slider: 'input',
  spinbutton: 'input',
  switch: 'input',
  textbox: 'input',
};

// A CSS selector for all elements that could have this role.
export function roleCandidates(role: string): string {
  const tags = Object.keys(IMPLICIT).filter((tag) => IMPLICIT[tag] === role);
  if (CONDITIONAL_TAGS[role]) tags.push(CONDITIONAL_TAGS[role]);
  const spelled = role === 'presentation' ? ['none', role] : role === 'img' ? ['image', role] : [role];
  return [...tags, ...spelled.map((word) => `[role~="${word}" i]`)].join(',');
}
