// Takes secrets out of what is printed: a document on paper has a layer of text, which no painting covers.

import { holderOf, secretSpots } from './secret_spots';
import { hasTypedSecrets, tellsSecret } from './typed_secrets';

// Dots in the place of letters; a list shows its choice by other means and is not shown at all.
const DOTS: [string, string] = ['-webkit-text-security', 'disc'];
const NOTHING: [string, string] = ['visibility', 'hidden'];

interface Covered {
  style: CSSStyleDeclaration;
  property: string;
  value: string;
  priority: string;
}

let covered: Covered[] = [];
// What a printed document carries beside its text: its title, and where its links lead.
let title: string | null = null;
let links: [Element, string][] = [];

export function coverSecrets(): number {
  uncoverSecrets();
  for (const spot of secretSpots()) {
    const holder = holderOf(spot);
    if (holder instanceof HTMLElement || holder instanceof SVGElement) cover(holder);
  }
  if (hasTypedSecrets()) coverWords();
  return covered.length;
}

function coverWords(): void {
  if (tellsSecret(document.title)) {
    title = document.title;
    document.title = '';
  }
  for (const link of document.querySelectorAll('a[href],area[href]')) {
    const href = link.getAttribute('href') ?? '';
    if (!tellsSecret(href) && !tellsSecret(unescaped(href))) continue;
    links.push([link, href]);
    link.removeAttribute('href');
  }
}

function unescaped(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

export function uncoverSecrets(): void {
  // In reverse: what was covered twice gets back what it had first.
  for (const { style, property, value, priority } of covered.reverse()) {
    if (value === '') style.removeProperty(property);
    else style.setProperty(property, value, priority);
  }
  covered = [];
  if (title !== null) document.title = title;
  title = null;
  for (const [link, href] of links) link.setAttribute('href', href);
  links = [];
}

function cover(el: HTMLElement | SVGElement): void {
  const { style } = el;
  const [property, value] = el instanceof HTMLSelectElement ? NOTHING : DOTS;
  covered.push({ style, property, value: style.getPropertyValue(property), priority: style.getPropertyPriority(property) });
  style.setProperty(property, value, 'important');
}
