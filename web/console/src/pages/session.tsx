// One session: what it shows, what it did, and who has it.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { mayDrive, useApp } from '../app_context';
import { momentOf } from '../format';
import { useLoad } from '../hooks';
import { Act, Facts, Id, Notice, Panel, Plain, Shown, Time } from '../parts/bits';
import { LiveView } from '../parts/live_view';
import { DeltaView, StateView } from '../parts/state_view';
import { TurnList } from '../parts/turn_list';
import { storedPerson, storePerson } from '../person';
import { placeText } from '../route';
import { turnsOf } from '../turns';
import type { SessionInfo } from '../types';
import { Drives } from './overview';

const kRecords = 120;

export function SessionPage({ id }: { id: string }): JSX.Element {
  const { api } = useApp();
  const sessions = useLoad((signal) => api.sessions(signal), [api, id], { on: ['session'] });
  const records = useLoad((signal) => api.newestRecords({ workflow: id }, 0, kRecords, signal), [api, id], { on: ['turn'], workflow: id });
  return (
    <>
      <h1 tabIndex={-1}>Session {id}</h1>
      <Shown loaded={sessions} what="sessions">
        {(list) => {
          const session = list.find((one) => one.session === id);
          return session
            ? <OpenSession session={session} reload={sessions.reload} />
            : <Notice title="It has no browser now.">{' '}What it did is below. <a href={placeText('overview')}>Sessions that have one</a></Notice>;
        }}
      </Shown>
      <Panel title="Turns" extra={<button type="button" class="button" onClick={records.reload}>Refresh</button>}>
        <Shown loaded={records} what="turns of the ledger">
          {(found) => {
            const turns = turnsOf(found.records).reverse();
            const last = turns.find((turn) => turn.result?.state_delta);
            return (
              <>
                {last && <details class="part"><summary>Last change</summary><div class="part-inside"><DeltaView delta={last.result!.state_delta!} /></div></details>}
                <TurnList turns={turns} withWorkflow={false} />
              </>
            );
          }}
        </Shown>
      </Panel>
    </>
  );
}

function OpenSession({ session, reload }: { session: SessionInfo; reload(): void }): JSX.Element {
  const { api, role } = useApp();
  const name = session.session;
  const isTaken = session.driver?.kind === 'person';
  const maySteer = mayDrive(role) && api.offers('POST', '/v1/sessions/any/takeover');
  return (
    <>
      <Panel title="Now" extra={<Drives driver={session.driver} />}>
        <LiveView session={name} mayAct={maySteer && isTaken} />
        {maySteer && <Steering session={name} isTaken={isTaken} reload={reload} />}
        <Facts rows={[
          ['taken over', isTaken && <Time ms={momentOf(session.driver?.since)} />],
          ['why', isTaken && session.driver?.reason && <Plain text={session.driver.reason} />],
          ['id', <Id id={session.session_id} length={24} />],
          ['browser', session.browser !== undefined ? String(session.browser) : ''],
          ['opened', <Time ms={momentOf(session.opened_at)} />],
          ['used', <Time ms={momentOf(session.last_used_at)} />],
        ]} />
      </Panel>
      <StatePanel session={name} />
    </>
  );
}

/** Taking over and handing back, by name: it goes on record. */
function Steering({ session, isTaken, reload }: { session: string; isTaken: boolean; reload(): void }): JSX.Element {
  const { api, say } = useApp();
  const [person, setPerson] = useState(storedPerson());
  const drive = async (): Promise<void> => {
    if (!person.trim()) return say('Say who you are: the name goes on record.');
    storePerson(person.trim());
    await (isTaken ? api.handBack(session, person.trim()) : api.takeOver(session, person.trim()));
    say(isTaken ? 'The agent has the session again.' : 'You have the session; its agent is refused until you hand it back.');
    reload();
  };
  return (
    <form class="row steering" onSubmit={(event) => event.preventDefault()}>
      <label for="person">Your name</label>
      <input id="person" value={person} maxLength={128} autocomplete="name" onInput={(event) => setPerson(event.currentTarget.value)} />
      <Act label={isTaken ? 'Hand back' : 'Take over'} tone="primary" run={drive} />
    </form>
  );
}

function StatePanel({ session }: { session: string }): JSX.Element {
  const { api } = useApp();
  const [scope, setScope] = useState('viewport');
  const state = useLoad((signal) => api.state(session, scope, signal), [api, session, scope], { on: ['turn'], workflow: session });
  return (
    <Panel title="State" extra={(
      <>
        <select aria-label="how much of the page" value={scope} onChange={(event) => setScope(event.currentTarget.value)}>
          <option value="viewport">what is in view</option><option value="page">the whole page</option>
        </select>
        <button type="button" class="button" onClick={state.reload}>Refresh</button>
      </>
    )}>
      <Shown loaded={state} what="state">{(page) => <StateView state={page} />}</Shown>
    </Panel>
  );
}
