// Colours as the browser computes them, and how well they can be told apart.

import { Memo, styleOf } from '../cache';
import { parentOf, tagOf } from '../dom';

// Red, green and blue from 0 to 255, and how opaque, from 0 to 1.
export type Colour = readonly [number, number, number, number];

const WHITE: Colour = [255, 255, 255, 1];
const CLEAR: Colour = [0, 0, 0, 0];
const OPAQUE = 0.99;
const MAX_KNOWN = 500;
const PAINTED = /^(canvas|embed|iframe|img|object|picture|svg|video)$/;

const known = new Map<string, Colour | null>();

export function colourOf(text: string): Colour | null {
  let colour = known.get(text);
  if (colour !== undefined) return colour;
  if (known.size > MAX_KNOWN) known.clear();
  known.set(text, (colour = parse(text)));
  return colour;
}

function parse(text: string): Colour | null {
  if (text === 'transparent') return CLEAR;
  const numbers = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(text);
  if (!numbers) return paintedColour(text);
  return [Number(numbers[1]), Number(numbers[2]), Number(numbers[3]), numbers[4] === undefined ? 1 : Number(numbers[4])];
}

let pixel: OffscreenCanvasRenderingContext2D | null = null;

// Every other way to write a colour is left to the browser.
function paintedColour(text: string): Colour | null {
  pixel ??= new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  if (!pixel || !CSS.supports('color', text)) return null;
  pixel.clearRect(0, 0, 1, 1);
  pixel.fillStyle = text;
  pixel.fillRect(0, 0, 1, 1);
  const [r, g, b, a] = pixel.getImageData(0, 0, 1, 1).data as unknown as [number, number, number, number];
  return [r, g, b, a / 255];
}

export function isOpaque(colour: Colour | null): boolean {
  return colour !== null && colour[3] >= OPAQUE;
}

// Contrast as WCAG defines it, from 1 to 21.
export function contrastOf(text: Colour, behind: Colour): number {
  const a = luminance(blend(text, behind));
  const b = luminance(behind);
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

function blend(over: Colour, under: Colour): Colour {
  const share = over[3];
  const mix = (i: 0 | 1 | 2): number => over[i] * share + under[i] * (1 - share);
  return [mix(0), mix(1), mix(2), 1];
}

function luminance([r, g, b]: Colour): number {
  const linear = (value: number): number => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
}

const backgrounds = new Memo<Colour>();

// The plain colours of an element and of those around it; nothing else is looked at.
export function backgroundAround(el: Element): Colour {
  return backgrounds.get(el, (at) => {
    const own = colourOf(styleOf(at).backgroundColor) ?? CLEAR;
    if (isOpaque(own)) return own;
    const parent = parentOf(at);
    const under = parent ? backgroundAround(parent) : WHITE;
    return own[3] === 0 ? under : blend(own, under);
  });
}

// What is behind a text, given the elements from the top to the bottom as they lie over each other. null where a picture
// is behind it, or something that is no plain colour.
export function backgroundOfStack(stack: readonly Element[]): Colour | null {
  const layers: Colour[] = [];
  for (const el of stack) {
    const own = PAINTED.test(tagOf(el)) ? null : ownBackground(el);
    if (!own) return null;
    if (own[3] > 0) layers.push(own);
    if (isOpaque(own)) return flatten(layers);
  }
  return canvasColour(layers);
}

function ownBackground(el: Element): Colour | null {
  const style = styleOf(el);
  if (style.backgroundImage !== 'none' || style.backdropFilter !== 'none' || style.mixBlendMode !== 'normal') return null;
  return colourOf(style.backgroundColor);
}

function canvasColour(layers: Colour[]): Colour | null {
  const root = document.documentElement;
  return root && styleOf(root).colorScheme.includes('dark') ? null : flatten([...layers, WHITE]);
}

function flatten(layers: readonly Colour[]): Colour {
  return layers.reduceRight((under, over) => blend(over, under), WHITE);
}
