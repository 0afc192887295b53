// How much is used of what there is.

import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { useApp } from '../app_context';
import { bytesText, wordsOf } from '../format';
import { useLoad } from '../hooks';
import { Badge, Facts, Panel, Plain, Shown, type Tone } from '../parts/bits';
import { Meter, Sparkline } from '../parts/charts';
import type { JsonObject, QuotaStatus } from '../types';

// As many values as a line of that width can show.
const kHistory = 120;

export function LoadPage(): JSX.Element {
  const { api } = useApp();
  const quotas = useLoad((signal) => api.quotas(signal), [api], { on: ['turn'] });
  const load = useLoad((signal) => api.load(signal), [api], { on: ['turn', 'approval'] });
  return (
    <>
      <h1 tabIndex={-1}>Load</h1>
      <Panel title="Quotas"><Shown loaded={quotas} what="quotas">{(told) => <Quotas told={told} />}</Shown></Panel>
      <Panel title="Right now"><Shown loaded={load} what="its load">{(told) => <Load told={told} />}</Shown></Panel>
    </>
  );
}

const kQuotaNames: Record<string, string> = {
  max_concurrent_sessions: 'sessions', max_actions_per_minute: 'actions in the last minute', max_artifact_bytes: 'artifacts',
};

function Quotas({ told }: { told: QuotaStatus }): JSX.Element {
  const used = told.quotas.filter((one) => one.used !== undefined);
  const others = told.quotas.filter((one) => one.used === undefined);
  return (
    <>
      <div class="meters">{used.map((one) => <QuotaMeter key={one.name} quota={one} />)}</div>
      <Facts rows={others.map((one) => [wordsOf(one.name), one.limit === null ? 'no limit' : `${one.limit} for each ${one.per ?? 'call'}`])} />
      <Circuits circuits={told.breakers.circuits} />
      <Leases leases={told.leases} />
    </>
  );
}

function QuotaMeter({ quota }: { quota: QuotaStatus['quotas'][number] }): JSX.Element {
  const write = (value: number): string => (quota.name.endsWith('_bytes') ? bytesText(value) : String(value));
  const used = quota.used ?? 0;
  const text = quota.limit === null ? `${write(used)}, no limit` : `${write(used)} of ${write(quota.limit)}`;
  return <Meter label={kQuotaNames[quota.name] ?? wordsOf(quota.name)} used={used} limit={quota.limit ?? 0} text={text} />;
}

function numberAt(from: JsonObject, name: string): number | null {
  const value = from[name];
  return typeof value === 'number' ? value : null;
}

/** Each number that has a limit (`running` and `running_limit`) and each lane, with how it went while one looked; then the others. */
function Load({ told }: { told: JsonObject }): JSX.Element {
  const numbers = Object.entries(told).filter((one): one is [string, number] => typeof one[1] === 'number' && !one[0].endsWith('_limit'));
  const lanes = Object.entries((told['lanes'] ?? {}) as Record<string, number>);
  const history = useHistory(told, [...numbers, ...lanes]);
  const limited = numbers.filter(([name]) => numberAt(told, `${name}_limit`) !== null);
  return (
    <>
      <div class="meters">
        {limited.map(([name, value]) => {
          const limit = numberAt(told, `${name}_limit`)!;
          return (
            <div key={name}>
              <Meter label={wordsOf(name)} used={value} limit={limit} text={`${value} of ${limit}`} />
              <Sparkline label={wordsOf(name)} values={history[name] ?? []} />
            </div>
          );
        })}
      </div>
      <Facts rows={numbers.filter((one) => !limited.includes(one)).map(([name, value]) => [wordsOf(name), String(value)])} />
      <h3>Lanes</h3>
      <div class="meters">
        {lanes.map(([lane, waiting]) => (
          <div key={lane}>{lane}: {waiting} {waiting === 1 ? 'event waits' : 'events wait'}<Sparkline label={`${lane} lane`} values={history[lane] ?? []} /></div>
        ))}
      </div>
    </>
  );
}

/** The last values of each number, as `told` came anew. */
function useHistory(told: JsonObject, numbers: [string, number][]): Record<string, number[]> {
  const history = useRef<{ last: JsonObject | null; values: Record<string, number[]> }>({ last: null, values: {} });
  if (history.current.last !== told) {
    history.current.last = told;
    for (const [name, value] of numbers) history.current.values[name] = [...(history.current.values[name] ?? []), value].slice(-kHistory);
  }
  return history.current.values;
}

const kCircuitTones: Record<string, Tone> = { closed: 'ok', open: 'bad', half_open: 'warn' };

function Circuits({ circuits }: { circuits: QuotaStatus['breakers']['circuits'] }): JSX.Element {
  return (
    <>
      <h3>Circuits</h3>
      {circuits.length === 0 && <p class="muted">No site has failed lately.</p>}
      <ul class="rows">
        {circuits.map((one) => (
          <li key={one.domain}>
            <Badge tone={kCircuitTones[one.state] ?? 'plain'}>{wordsOf(one.state)}</Badge> <Plain text={one.domain} /> <span class="muted">{one.failures} failures</span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Leases({ leases }: { leases: QuotaStatus['leases'] }): JSX.Element {
  return (
    <>
      <h3>Leases</h3>
      {leases.length === 0 && <p class="muted">None is held.</p>}
      <ul class="rows">{leases.map((lease) => <li key={lease.session}><Plain text={lease.session} /> <span class="muted">epoch {lease.epoch}</span></li>)}</ul>
    </>
  );
}
