// Turns, put together from the records that tell of them.

import type { GateVerdict, JsonObject, LedgerRecord, TurnResult } from './types';

/** held: it waits for people. */
export type TurnStatus = 'running' | 'held' | 'ok' | 'failed' | 'refused';

export interface Turn {
  key: string;
  actionId: string;
  turnId: string;
  workflow: string;
  session: string;
  agent: string;
  actionType: string;
  target: string;
  status: TurnStatus;
  failureCode: string;
  startedMs: number;
  endedMs: number | null;
  records: number[];
  gates: GateVerdict[];
  contract: JsonObject | null;
  plan: JsonObject | null;
  result: TurnResult | null;
  approvals: JsonObject[];
}

/** In the order in which they began. Records may come in any order. */
export function turnsOf(records: LedgerRecord[]): Turn[] {
  const turns = new Map<string, Turn>();
  for (const record of [...records].sort((a, b) => a.seq - b.seq)) {
    const add = kReaders[record.kind];
    if (!add) continue;
    const key = text(record.payload['turn_id']) || `refusal ${record.seq}`;
    const turn = turns.get(key) ?? emptyTurn(key, record.time_ms);
    turns.set(key, turn);
    turn.records.push(record.seq);
    fillNames(turn, record.payload);
    add(turn, record);
  }
  return [...turns.values()].sort((a, b) => a.startedMs - b.startedMs || a.records[0]! - b.records[0]!);
}

const kReaders: Record<string, (turn: Turn, record: LedgerRecord) => void> = {
  turn_opened(turn, record) {
    turn.startedMs = firstGateMs(record) ?? record.time_ms;
    turn.gates = list(record.payload['decisions']) as unknown as GateVerdict[];
    turn.plan = object(record.payload['resolved_plan']);
    fillContract(turn, record.payload);
  },
  turn_closed(turn, record) {
    turn.endedMs = record.time_ms;
    turn.status = record.payload['success'] === true ? 'ok' : 'failed';
    turn.failureCode = text(record.payload['failure_code']);
    turn.result = object(record.payload['result']) as TurnResult | null;
    // The record that opened it may not be on this page.
    if (!turn.actionType) turn.actionType = text(object(turn.result?.outcome ?? null)?.['action_type']);
  },
  refusal(turn, record) {
    turn.startedMs = firstGateMs(record) ?? record.time_ms;
    turn.endedMs = record.time_ms;
    turn.status = 'refused';
    turn.failureCode = text(record.payload['failure_code']);
    turn.gates = list(record.payload['decisions']) as unknown as GateVerdict[];
    turn.result = object(record.payload['result']) as TurnResult | null;
    fillContract(turn, record.payload);
  },
  approval(turn, record) {
    turn.approvals.push(record.payload);
    if (turn.status === 'running' || turn.status === 'held') turn.status = isDecided(turn.approvals) ? 'running' : 'held';
  },
};

// Each question ends once.
function isDecided(approvals: JsonObject[]): boolean {
  const count = (event: string): number => approvals.filter((one) => one['event'] === event).length;
  return count('ended') >= count('asked');
}

function emptyTurn(key: string, startedMs: number): Turn {
  return {
    key, actionId: '', turnId: '', workflow: '', session: '', agent: '', actionType: '', target: '', status: 'running',
    failureCode: '', startedMs, endedMs: null, records: [], gates: [], contract: null, plan: null, result: null, approvals: [],
  };
}

function fillNames(turn: Turn, payload: JsonObject): void {
  turn.turnId ||= text(payload['turn_id']);
  turn.actionId ||= text(payload['action_id']);
  turn.workflow ||= text(payload['workflow']);
  turn.session ||= text(payload['session']);
  turn.agent ||= text(payload['agent']);
}

function fillContract(turn: Turn, payload: JsonObject): void {
  turn.contract = object(payload['contract']);
  const spec = object(turn.contract?.['action_spec']);
  // A contract without an action waits.
  turn.actionType = text(spec?.['action_type']) || (turn.contract ? 'wait_only' : '');
  turn.target = ['url', 'selector', 'target_eid', 'target', 'key', 'text'].map((name) => text(spec?.[name])).find(Boolean) ?? '';
}

// The gates are asked before the record is written.
function firstGateMs(record: LedgerRecord): number | null {
  const first = list(record.payload['decisions'])[0];
  const ms = object(first)?.['wall_clock_timestamp_ms'];
  return typeof ms === 'number' ? ms : null;
}

/** The phases of a turn in the order in which they come, with what each took. */
export function phasesOf(result: TurnResult | null): { name: string; us: number }[] {
  const order = ['bind', 'precondition', 'execute', 'wait', 'verify', 'project'];
  const timings = result?.timings_us ?? {};
  const rank = (name: string): number => (order.includes(name) ? order.indexOf(name) : order.length);
  return Object.entries(timings).map(([name, us]) => ({ name, us })).sort((a, b) => rank(a.name) - rank(b.name));
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
function list(value: unknown): JsonObject[] {
  return Array.isArray(value) ? (value as JsonObject[]) : [];
}
function object(value: unknown): JsonObject | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
