// The markup of the page, or of a part of it, without what no person is shown of it that opens doors: scripts, templates,
// comments, the values of hidden and secret fields, and attributes and metadata that are named as secrets.

import { nameOf } from '../aria/names';
import { attr, documentOf, queryScope } from '../dom';
import { isSecret, saysSecret } from '../projector/projector_secret';
import { withoutSecrets } from '../secrets/typed_secrets';

export interface MarkupReading {
  html: string;
  truncated: boolean;
}

const FIELDS = 'input, textarea, select, [contenteditable]';

// Must run inside cached().
export function readMarkup(root: Element, maxChars: number): MarkupReading {
  const copy = copyOf(root);
  hideFields(root, copy);
  for (const script of withSelf(copy, 'script:not([type="application/ld+json"])')) script.textContent = '';
  for (const template of withSelf(copy, 'template')) (template as HTMLTemplateElement).content.replaceChildren();
  for (const meta of withSelf(copy, 'meta')) if (saysSecret(attr(meta, 'name'))) meta.removeAttribute('content');
  for (const el of withSelf(copy, '*')) hideAttributes(el);
  removeComments(copy);
  const html = withoutSecrets(copy.outerHTML);
  const splits = (html.charCodeAt(maxChars - 1) & 0xfc00) === 0xd800;
  return { html: html.length <= maxChars ? html : html.slice(0, splits ? maxChars - 1 : maxChars), truncated: html.length > maxChars };
}

// In a document of its own, where nothing of the page runs and nothing is loaded.
function copyOf(root: Element): Element {
  return document.implementation.createHTMLDocument('').importNode(root, true);
}

// A copy has the same fields in the same order.
function hideFields(root: Element, copy: Element): void {
  const copies = withSelf(copy, FIELDS);
  withSelf(root, FIELDS).forEach((field, i) => {
    const isHidden = field instanceof HTMLInputElement && field.type === 'hidden';
    if (isHidden || isSecret(field, nameOf(field))) empty(copies[i]!);
  });
}

function empty(field: Element): void {
  field.removeAttribute('value');
  field.textContent = '';
}

function hideAttributes(el: Element): void {
  for (const { name } of Array.from(el.attributes)) {
    if (name === 'nonce' || (name.startsWith('data-') && saysSecret(name))) el.setAttribute(name, '');
  }
}

function removeComments(copy: Element): void {
  const comments: ChildNode[] = [];
  const walker = documentOf(copy).createTreeWalker(copy, NodeFilter.SHOW_COMMENT);
  while (walker.nextNode()) comments.push(walker.currentNode as ChildNode);
  for (const comment of comments) comment.remove();
}

function withSelf(root: Element, selector: string): Element[] {
  return root.matches(selector) ? [root, ...queryScope(root, selector)] : queryScope(root, selector);
}
