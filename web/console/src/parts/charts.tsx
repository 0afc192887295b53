// Small charts, drawn as SVG. What they show is also written beside them.

import type { JSX } from 'preact';
import { durationText } from '../format';

export function Meter({ label, used, limit, text }: { label: string; used: number; limit: number; text: string }): JSX.Element {
  const share = limit > 0 ? Math.min(used / limit, 1) : 0;
  const tone = share >= 0.9 ? 'bad' : share >= 0.7 ? 'warn' : 'ok';
  return (
    <div class="meter">
      <div class="meter-text"><span>{label}</span><span class="number">{text}</span></div>
      <svg class={`meter-bar ${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`${label}: ${text}`}>
        <rect class="track" x="0" y="0" width="100" height="6" rx="1" />
        <rect class="fill" x="0" y="0" width={share * 100} height="6" rx="1" />
      </svg>
    </div>
  );
}

/** One bar of consecutive parts. */
export function Phases({ parts }: { parts: { name: string; us: number }[] }): JSX.Element | null {
  const total = parts.reduce((sum, part) => sum + part.us, 0);
  if (total === 0) return null;
  let at = 0;
  return (
    <figure class="phases">
      <svg viewBox="0 0 1000 14" preserveAspectRatio="none" role="img"
        aria-label={parts.map((part) => `${part.name} ${durationText(part.us)}`).join(', ')}>
        {parts.map((part, i) => {
          const width = (part.us / total) * 1000;
          const x = at;
          at += width;
          return <rect key={part.name} class={`phase-${i % 6}`} x={x} y="0" width={width} height="14" />;
        })}
      </svg>
      <figcaption>
        {parts.map((part, i) => <span key={part.name} class="key"><i class={`phase-${i % 6}`} />{part.name} <b class="number">{durationText(part.us)}</b></span>)}
        <span class="key">all <b class="number">{durationText(total)}</b></span>
      </figcaption>
    </figure>
  );
}

export function Sparkline({ label, values }: { label: string; values: number[] }): JSX.Element | null {
  if (values.length < 2) return null;
  const top = Math.max(...values, 1e-9);
  const points = values.map((value, i) => `${((i / (values.length - 1)) * 100).toFixed(2)},${(28 - (value / top) * 26).toFixed(2)}`);
  return (
    <svg class="spark" viewBox="0 0 100 30" preserveAspectRatio="none" role="img"
      aria-label={`${label}: now ${values[values.length - 1]}, highest ${top}`}>
      <polyline points={points.join(' ')} vector-effect="non-scaling-stroke" />
    </svg>
  );
}
