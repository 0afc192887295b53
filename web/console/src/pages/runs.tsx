// Runs: which there were, and one stepped through turn by turn.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Api } from '../api';
import { useApp } from '../app_context';
import { useLoad } from '../hooks';
import { Badge, Notice, Panel, Plain, Shown, Time } from '../parts/bits';
import { kTurnTones, TurnBadge, TurnTitle, TurnTook, TurnView } from '../parts/turn_view';
import { placeText } from '../route';
import { type Turn, type TurnStatus, turnsOf } from '../turns';
import type { JsonObject } from '../types';

const kRecentRecords = 500;
const kRunRecords = 600;

export function Runs({ id }: { id: string }): JSX.Element {
  return id ? <Run key={id} id={id} /> : <RunList />;
}

interface Workflow {
  id: string;
  turns: number;
  lastMs: number;
  status: TurnStatus;
}

/** The workflows that the newest records tell of, last one first. */
async function listRuns(api: Api, signal: AbortSignal): Promise<Workflow[]> {
  const runs = new Map<string, Workflow>();
  for (const turn of turnsOf((await api.newestRecords({}, 0, kRecentRecords, signal)).records)) {
    const turns = (runs.get(turn.workflow)?.turns ?? 0) + 1;
    runs.delete(turn.workflow);
    if (turn.workflow) runs.set(turn.workflow, { id: turn.workflow, turns, lastMs: turn.endedMs ?? turn.startedMs, status: turn.status });
  }
  return [...runs.values()].reverse();
}

function RunList(): JSX.Element {
  const { api } = useApp();
  const runs = useLoad((signal) => listRuns(api, signal), [api], { on: ['turn'] });
  return (
    <>
      <h1 tabIndex={-1}>Runs</h1>
      <Shown loaded={runs} what="runs">
        {(list) => list.length === 0 ? <p class="empty">Nothing was done yet.</p> : (
          <div class="panel scroll"><table>
            <caption class="hidden">Workflows</caption>
            <thead><tr><th scope="col">workflow</th><th scope="col">turns</th><th scope="col">last</th><th scope="col">ended</th></tr></thead>
            <tbody>
              {list.map((run) => (
                <tr key={run.id}>
                  <td><a href={placeText('runs', run.id)}>{run.id}</a></td><td class="number">{run.turns}</td>
                  <td><Time ms={run.lastMs} /></td>
                  <td><Badge tone={kTurnTones[run.status]}>{run.status}</Badge></td>
                </tr>
              ))}
            </tbody>
          </table></div>
        )}
      </Shown>
    </>
  );
}

function Run({ id }: { id: string }): JSX.Element {
  const { api } = useApp();
  const records = useLoad((signal) => api.newestRecords({ workflow: id }, 0, kRunRecords, signal), [api, id]);
  return (
    <>
      <h1 tabIndex={-1}>Run {id}</h1>
      <p><a href={placeText('sessions', id)}>Its session</a> · <a href={placeText('ledger', '', { workflow: id })}>its records</a></p>
      <ReplayPanel id={id} />
      <Shown loaded={records} what="records of the ledger">
        {(found) => {
          const turns = turnsOf(found.records);
          if (turns.length === 0) return <Notice>The ledger has no turn of this name.</Notice>;
          return (
            <>
              {found.from > 1 && <Notice>These are its newest turns; there may be older ones.</Notice>}
              <Stepper turns={turns} />
            </>
          );
        }}
      </Shown>
    </>
  );
}

/** Steps by buttons, by the slider, and by the arrow keys on it. */
function Stepper({ turns }: { turns: Turn[] }): JSX.Element {
  const [at, setAt] = useState(0);
  const turn = turns[Math.min(at, turns.length - 1)]!;
  return (
    <Panel title={<>Step {at + 1} of {turns.length}</>} extra={(
      <>
        <button type="button" class="button" disabled={at === 0} onClick={() => setAt(at - 1)}>Back</button>
        <button type="button" class="button" disabled={at >= turns.length - 1} onClick={() => setAt(at + 1)}>Next</button>
      </>
    )}>
      <input type="range" class="slider" min={1} max={turns.length} value={at + 1} aria-label="step"
        aria-valuetext={`step ${at + 1}: ${turn.actionType} ${turn.status}`} onInput={(event) => setAt(Number(event.currentTarget.value) - 1)} />
      <p class="row spread" aria-live="polite"><span class="turn-title"><TurnTitle turn={turn} /></span> <span class="row"><TurnBadge turn={turn} /><TurnTook turn={turn} /></span></p>
      <TurnView key={turn.key} turn={turn} pictures />
    </Panel>
  );
}

/** Whether the same program would decide the same again. */
function ReplayPanel({ id }: { id: string }): JSX.Element {
  const { api } = useApp();
  const trace = useLoad((signal) => api.trace(id, signal), [api, id]);
  return (
    <Panel title="Replay">
      <Shown loaded={trace} what="replays">{(told) => <ReplayReport told={told} />}</Shown>
    </Panel>
  );
}

interface Check {
  decision: string;
  status: string;
  class?: string;
  detail?: string;
}

function ReplayReport({ told }: { told: JsonObject }): JSX.Element {
  const turns = (told['turns'] ?? []) as unknown as { title: string; replay: { checks?: Check[] } }[];
  const off = turns.flatMap((turn) => (turn.replay.checks ?? []).filter((check) => check.status !== 'reproduced').map((check) => ({ turn: turn.title, check })));
  const count = turns.reduce((sum, turn) => sum + (turn.replay.checks?.length ?? 0), 0);
  const status = String(told['status']);
  return (
    <>
      <p><Badge tone={status === 'reproduced' ? 'ok' : status === 'missing' ? 'warn' : 'bad'}>{status}</Badge> {count} decisions of {turns.length} turns were made again from the record.</p>
      {off.length > 0 && (
        <ul class="rows">
          {off.map(({ turn, check }, i) => (
            <li key={i}><Badge tone={check.status === 'missing' ? 'warn' : 'bad'}>{check.class ?? check.status}</Badge> <code>{check.decision}</code> <span class="muted"><Plain text={`${turn} ${check.detail ?? ''}`} /></span></li>
          ))}
        </ul>
      )}
      {told['next'] !== null && told['next'] !== undefined && <p class="muted">Only the first {turns.length} turns; <code>falconer replay</code> has them all.</p>}
    </>
  );
}
