// Where links lead and where pictures are, as addresses that mean the same outside of the page.

import { attr } from '../dom';
import { withoutSecrets } from '../secrets/typed_secrets';

const MAX_ADDRESS = 2048;
const OUTSIDE = /^(https?|ftp|mailto|tel):/i;

// "" for what leads nowhere: scripts, data, and what is too long to be an address.
export function addressOf(written: string | null): string {
  if (written === null || written.trim() === '') return '';
  let address: string;
  try {
    address = new URL(written.trim(), document.baseURI).href;
  } catch {
    return '';
  }
  if (!OUTSIDE.test(address) || address.length > MAX_ADDRESS) return '';
  const told = withoutSecrets(address);
  // Brackets would end the link.
  return told === address ? address.replace(/[()<>\s|]/g, encodeURIChar) : '';
}

function encodeURIChar(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

// Pages that load their pictures late keep the address in another attribute.
export function pictureAddress(img: HTMLImageElement): string {
  for (const written of [img.currentSrc, attr(img, 'src'), attr(img, 'data-src'), attr(img, 'data-original')]) {
    const address = written && !/^data:/i.test(written) ? addressOf(written) : '';
    if (address !== '') return address;
  }
  return '';
}
