// What follows on what, as a graph around one action: what came before it to the left, what came after it to the right.
// Only that neighbourhood is laid out, so that it does not matter how much is known.

import type { Transition } from './learned_types';

export const kBegin = 'begin';
export const kEnd = 'end';

export interface Action {
  id: string;
  /** "click", or where a sequence begins or ends. */
  verb: string;
  /** `button "Add to cart"`; "" for a beginning or an end. */
  what: string;
}

export interface Edge {
  from: string;
  to: string;
  count: number;
  /** Of everything that came after `from`. */
  share: number;
}

export interface Graph {
  actions: Map<string, Action>;
  after: Map<string, Edge[]>;
  before: Map<string, Edge[]>;
}

/** What an action is, in words, by its signature. */
export function actionOf(id: string, signature: string): Action {
  if (id === kBegin || id === kEnd) return { id, verb: id, what: '' };
  try {
    const parts = JSON.parse(signature) as Record<string, unknown>;
    const words = ['selector', 'url', 'key'].map((key) => parts[key]).filter((one) => typeof one === 'string');
    return { id, verb: typeof parts['type'] === 'string' ? parts['type'] : 'action', what: words.join(' ') };
  } catch {
    return { id, verb: 'action', what: signature || `forgotten ${id.slice(0, 8)}` };
  }
}

// The symbol of no action is where something begins or ends: two places in the graph.
const kNoSymbol = /^0+$/;

/** The strongest edges of each action come first. */
export function graphOf(transitions: Transition[]): Graph {
  const graph: Graph = { actions: new Map(), after: new Map(), before: new Map() };
  const totals = new Map<string, number>();
  for (const one of transitions) totals.set(one.from_symbol, (totals.get(one.from_symbol) ?? 0) + one.count);
  for (const one of transitions) {
    const from = kNoSymbol.test(one.from_symbol) ? kBegin : one.from_symbol;
    const to = kNoSymbol.test(one.to_symbol) ? kEnd : one.to_symbol;
    graph.actions.set(from, actionOf(from, one.from));
    graph.actions.set(to, actionOf(to, one.to));
    // Where the server does not tell the share, it is that of what it told.
    const share = one.probability ?? one.count / (totals.get(one.from_symbol) || 1);
    push(graph.after, from, { from, to, count: one.count, share });
    push(graph.before, to, { from, to, count: one.count, share });
  }
  for (const list of [...graph.after.values(), ...graph.before.values()]) list.sort(strongerFirst);
  return graph;
}

function push(lists: Map<string, Edge[]>, key: string, edge: Edge): void {
  const list = lists.get(key);
  if (list) list.push(edge);
  else lists.set(key, [edge]);
}

function strongerFirst(a: Edge, b: Edge): number {
  return b.count - a.count || (a.from + a.to < b.from + b.to ? -1 : 1);
}

export interface Place {
  action: Action;
  /** Steps from the centre: negative before it, 0 the centre itself. */
  column: number;
  row: number;
}

export interface Picture {
  places: Place[];
  edges: Edge[];
  /** Columns before and after the centre, and rows of the fullest column. */
  before: number;
  after: number;
  rows: number;
  /** Edges that were left out of what was looked at. */
  hidden: number;
}

export interface View {
  depth: number;
  /** Edges that are followed from each action, in each direction. */
  most: number;
}

// Whom one step more leads to in one direction, and how often.
function reached(layer: string[], edges: Map<string, Edge[]>, end: 'from' | 'to', view: View): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of layer) {
    for (const edge of (edges.get(id) ?? []).slice(0, view.most)) counts.set(edge[end], Math.max(counts.get(edge[end]) ?? 0, edge.count));
  }
  return counts;
}

// Who is near on both sides stands where it is nearer; of equals where it is met more often.
function columnsAround(graph: Graph, centre: string, view: View): Map<string, number> {
  const columns = new Map([[centre, 0]]);
  let [after, before] = [[centre], [centre]];
  for (let step = 1; step <= view.depth; step += 1) {
    const next = reached(after, graph.after, 'to', view);
    const last = reached(before, graph.before, 'from', view);
    const isNew = (id: string): boolean => !columns.has(id);
    after = [...next.keys()].filter((id) => isNew(id) && next.get(id)! >= (last.get(id) ?? 0));
    before = [...last.keys()].filter((id) => isNew(id) && last.get(id)! > (next.get(id) ?? 0));
    for (const id of after) columns.set(id, step);
    for (const id of before) columns.set(id, -step);
  }
  return columns;
}

/** The neighbourhood of an action; empty for one that nobody knows. */
export function pictureOf(graph: Graph, centre: string, view: View): Picture {
  if (!graph.actions.has(centre)) return { places: [], edges: [], before: 0, after: 0, rows: 0, hidden: 0 };
  const columns = columnsAround(graph, centre, view);
  const counts = new Map<number, number>();
  const places = [...columns].map(([id, column]) => {
    const row = counts.get(column) ?? 0;
    counts.set(column, row + 1);
    return { action: graph.actions.get(id)!, column, row };
  });
  const all = [...columns.keys()].flatMap((id) => (graph.after.get(id) ?? []).filter((edge) => columns.has(edge.to)));
  const kept = all.filter((edge) => isKept(graph, edge, view));
  const hidden = [...columns.keys()].reduce((sum, id) => sum + Math.max(0, (graph.after.get(id)?.length ?? 0) - view.most), 0);
  const used = [...counts.keys()];
  return { places, edges: kept, before: -Math.min(...used), after: Math.max(...used), rows: Math.max(...counts.values()), hidden };
}

// It is among the strongest of one of its ends.
function isKept(graph: Graph, edge: Edge, view: View): boolean {
  const strongest = (list: Edge[] | undefined): boolean => (list ?? []).slice(0, view.most).includes(edge);
  return strongest(graph.after.get(edge.from)) || (graph.before.get(edge.to) ?? []).slice(0, view.most).some((one) => one.from === edge.from);
}

/** Actions that say something, those that are met most first. */
export function findActions(graph: Graph, words: string, most: number): Action[] {
  const wanted = words.trim().toLowerCase();
  const weight = (id: string): number => (graph.before.get(id) ?? []).reduce((sum, edge) => sum + edge.count, 0);
  return [...graph.actions.values()]
    .filter((one) => `${one.verb} ${one.what}`.toLowerCase().includes(wanted))
    .sort((a, b) => weight(b.id) - weight(a.id) || (a.id < b.id ? -1 : 1))
    .slice(0, most);
}

/** Where one begins to look: where sequences begin, or the busiest action. */
export function firstCentre(graph: Graph): string {
  if (graph.actions.has(kBegin)) return kBegin;
  return findActions(graph, '', 1)[0]?.id ?? '';
}
