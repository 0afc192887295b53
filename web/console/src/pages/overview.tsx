// Everything at a glance: sessions, what waits for people, the last turns.

import type { JSX } from 'preact';
import { useApp } from '../app_context';
import { momentOf } from '../format';
import { useLoad } from '../hooks';
import { Badge, Panel, Plain, Shown, Time } from '../parts/bits';
import { LiveView } from '../parts/live_view';
import { TurnList } from '../parts/turn_list';
import { placeText } from '../route';
import { turnsOf } from '../turns';
import type { Driver, SessionInfo } from '../types';

const kLastTurns = 10;

export function Overview({ pending }: { pending: number | null }): JSX.Element {
  const { api } = useApp();
  const sessions = useLoad((signal) => api.sessions(signal), [api], { on: ['session'] });
  // A turn has two records, and approvals stand between them.
  const records = useLoad((signal) => api.newestRecords({}, 0, kLastTurns * 3, signal), [api], { on: ['turn'] });
  return (
    <>
      <h1 tabIndex={-1}>Overview</h1>
      {pending !== null && pending > 0 && (
        <a class="call" href={placeText('approvals')}><strong>{pending}</strong> {pending === 1 ? 'approval waits' : 'approvals wait'} for a decision</a>
      )}
      {pending === 0 && <p class="muted">No approval waits for a decision.</p>}
      <Panel title="Sessions">
        <Shown loaded={sessions} what="sessions">
          {(list) => list.length === 0
            ? <p class="muted">No session has a browser now.</p>
            : <ul class="cards">{list.map((session) => <SessionCard key={session.session} session={session} />)}</ul>}
        </Shown>
      </Panel>
      <Panel title="Last turns">
        <Shown loaded={records} what="turns of the ledger">
          {(found) => <TurnList turns={turnsOf(found.records).slice(-kLastTurns).reverse()} />}
        </Shown>
      </Panel>
    </>
  );
}

function SessionCard({ session }: { session: SessionInfo }): JSX.Element {
  return (
    <li class="card">
      <LiveView session={session.session} small />
      <div class="card-text">
        <a href={placeText('sessions', session.session)}><strong>{session.session}</strong></a>
        <Drives driver={session.driver} />
        <span class="muted">{session.tabs ?? 0} {session.tabs === 1 ? 'tab' : 'tabs'}, used <Time ms={momentOf(session.last_used_at)} /></span>
      </div>
    </li>
  );
}

export function Drives({ driver }: { driver: Driver | undefined }): JSX.Element {
  if (driver?.kind !== 'person') return <Badge>driven by its agent</Badge>;
  return <Badge tone="warn">driven by <Plain text={driver.person ?? 'a person'} /></Badge>;
}
