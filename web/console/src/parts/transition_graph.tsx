// The graph of what follows on what, around one action. Each action is a link that puts it into the middle, so that the graph
// is walked by mouse and keyboard alike; the same is written as lists below it.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { plainText } from '../format';
import type { Action, Edge, Graph, Picture, Place } from '../transition_graph';

const kWidth = 190;
const kHeight = 44;
const kGapX = 96;
const kGapY = 22;
const kMargin = 24;
// As many characters as a node is wide.
const kLabel = 25;
const kThinnest = 1;
const kThickest = 9;
// Lines back would hide what they pass.
const kThickestBack = 3;

interface Spot {
  x: number;
  y: number;
}

function short(text: string): string {
  const letters = [...plainText(text)];
  return letters.length <= kLabel ? letters.join('') : `${letters.slice(0, kLabel - 1).join('')}…`;
}

export function wordsOfAction(action: Action): string {
  return action.what ? `${action.verb} ${action.what}` : action.verb;
}

export function percent(share: number): string {
  return `${share > 0 && share < 0.01 ? '<1' : Math.round(share * 100)} %`;
}

// Columns are filled from their middle, so that the picture is even.
function spotsOf(picture: Picture): Map<string, Spot> {
  const counts = new Map<number, number>();
  for (const { column } of picture.places) counts.set(column, (counts.get(column) ?? 0) + 1);
  return new Map(picture.places.map(({ action, column, row }) => {
    const free = picture.rows - counts.get(column)!;
    return [action.id, {
      x: kMargin + (column + picture.before) * (kWidth + kGapX),
      y: kMargin + (row + free / 2) * (kHeight + kGapY),
    }];
  }));
}

function curve(from: Spot, to: Spot): string {
  const [x1, y1, x2, y2] = [from.x + kWidth, from.y + kHeight / 2, to.x, to.y + kHeight / 2];
  if (x2 > x1) return `M${x1} ${y1} C${x1 + kGapX / 2} ${y1} ${x2 - kGapX / 2} ${y2} ${x2} ${y2}`;
  // Back, or to itself: below both.
  const low = Math.max(from.y, to.y) + kHeight + kGapY / 2;
  const [a, b] = [from.x + kWidth * 0.75, to.x + kWidth * 0.25];
  return `M${a} ${from.y + kHeight} C${a + kGapX / 3} ${low + kGapY} ${b - kGapX / 3} ${low + kGapY} ${b} ${to.y + kHeight}`;
}

function Line({ edge, spots }: { edge: Edge; spots: Map<string, Spot> }): JSX.Element {
  const [from, to] = [spots.get(edge.from)!, spots.get(edge.to)!];
  const isForward = to.x > from.x;
  const thickest = isForward ? kThickest : kThickestBack;
  return (
    <g class={isForward ? 'edge' : 'edge back'}>
      <path d={curve(from, to)} stroke-width={kThinnest + edge.share * (thickest - kThinnest)} marker-end="url(#arrow)" />
      {isForward && to.x - from.x < kWidth + kGapX * 2 && (
        <text x={(from.x + kWidth + to.x) / 2} y={(from.y + to.y + kHeight) / 2 - 6} text-anchor="middle">{percent(edge.share)}</text>
      )}
    </g>
  );
}

function Node({ place, spot, isCentre, href }: { place: Place; spot: Spot; isCentre: boolean; href: string }): JSX.Element {
  const { action } = place;
  return (
    <a href={href} class={isCentre ? 'node centre' : 'node'} aria-current={isCentre ? 'true' : undefined}
      aria-label={isCentre ? `${wordsOfAction(action)}, in the middle` : `${wordsOfAction(action)}, put it into the middle`}>
      <title>{plainText(wordsOfAction(action))}</title>
      <rect x={spot.x} y={spot.y} width={kWidth} height={kHeight} rx="8" />
      <text class="verb" x={spot.x + 10} y={spot.y + (action.what ? 17 : 27)}>{short(action.verb)}</text>
      {action.what && <text x={spot.x + 10} y={spot.y + 34}>{short(action.what)}</text>}
    </a>
  );
}

export function TransitionGraph({ picture, centre, hrefOf }: { picture: Picture; centre: string; hrefOf(id: string): string }): JSX.Element {
  const spots = spotsOf(picture);
  const width = kMargin * 2 + (picture.before + picture.after + 1) * (kWidth + kGapX) - kGapX;
  const height = kMargin * 2 + picture.rows * (kHeight + kGapY) + kGapY;
  const frame = useRef<HTMLDivElement>(null);
  const middle = spots.get(centre);
  // By hand: scrollIntoView() would move the whole page.
  useEffect(() => {
    if (!frame.current || !middle) return;
    frame.current.scrollLeft = middle.x + kWidth / 2 - frame.current.clientWidth / 2;
    frame.current.scrollTop = middle.y + kHeight / 2 - frame.current.clientHeight / 2;
  }, [picture]);
  return (
    <div ref={frame} class="graph" tabIndex={-1}>
      <svg viewBox={`0 0 ${width} ${height}`} width={width} height={height} role="group" aria-label="what follows on what">
        <defs>
          <marker id="arrow" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto">
            <path d="M0 0 L8 4 L0 8 z" />
          </marker>
        </defs>
        <g aria-hidden="true">{picture.edges.map((edge) => <Line key={`${edge.from} ${edge.to}`} edge={edge} spots={spots} />)}</g>
        {picture.places.map((place) => (
          <Node key={place.action.id} place={place} spot={spots.get(place.action.id)!} isCentre={place.action.id === centre} href={hrefOf(place.action.id)} />
        ))}
      </svg>
    </div>
  );
}

/** The edges of one action as a list: what stands at their other end, how often, and which share it is. */
export function EdgeList({ title, edges, end, graph, hrefOf }: {
  title: string; edges: Edge[]; end: 'from' | 'to'; graph: Graph; hrefOf(id: string): string;
}): JSX.Element {
  return (
    <section>
      <h3>{title}</h3>
      {edges.length === 0 && <p class="muted">Nothing is known.</p>}
      <ul class="rows">
        {edges.map((edge) => {
          const action = graph.actions.get(edge[end])!;
          return (
            <li key={action.id} class="edge-row">
              <a href={hrefOf(action.id)}>{plainText(wordsOfAction(action))}</a>
              <span class="number">{percent(edge.share)}</span> <span class="muted">{timesText(edge.count)}</span>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

function timesText(count: number): string {
  const rounded = Math.round(count * 10) / 10;
  return rounded === 1 ? 'once' : `${rounded} times`;
}
