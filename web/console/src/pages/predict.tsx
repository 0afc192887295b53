// What was learnt: how well it predicts, what follows on what, and what comes next in a session.

import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { useApp } from '../app_context';
import { wordsOf } from '../format';
import { useLoad } from '../hooks';
import type { Predictions } from '../learned_types';
import { Badge, Facts, Field, Notice, Panel, Plain, Shown } from '../parts/bits';
import { Sureness } from '../parts/learned';
import { EdgeList, percent, TransitionGraph, wordsOfAction } from '../parts/transition_graph';
import { type Place, placeText } from '../route';
import { findActions, firstCentre, type Graph, graphOf, pictureOf, type View } from '../transition_graph';
import type { JsonObject } from '../types';

// Most that the server tells at once.
const kTransitions = 1000;
const kDepths = [1, 2, 3];
const kWidths = [3, 5, 8, 15];
const kUsual: View = { depth: 2, most: 5 };
const kFound = 12;
const kNext = 5;

export function PredictPage({ place }: { place: Place }): JSX.Element {
  const { api } = useApp();
  const numbers = useLoad((signal) => api.predictNumbers(signal), [api], { on: ['turn'] });
  const transitions = useLoad((signal) => api.transitions(kTransitions, signal), [api]);
  return (
    <>
      <h1 tabIndex={-1}>Predict</h1>
      <Panel title="How well it goes"><Shown loaded={numbers} what="the numbers of the prediction loop">{(told) => <Numbers told={told} />}</Shown></Panel>
      <Panel title="What follows on what" extra={<button type="button" class="button" onClick={transitions.reload}>Refresh</button>}>
        <Shown loaded={transitions} what="transitions">
          {(list) => list.length === 0 ? <p class="empty">Nothing was learnt yet.</p> : <Explorer graph={graphOf(list)} place={place} />}
        </Shown>
      </Panel>
      <NextPanel />
    </>
  );
}

// The numbers that have a target, which one, and of how many they are.
const kTargets: Record<string, { target: number; of: string; label: string }> = {
  prediction_accuracy: { target: 0.8, of: 'total_predictions', label: 'predictions that came true' },
  execution_success_rate: { target: 0.95, of: 'total_executions', label: 'executions that went well' },
  average_confidence: { target: 0.6, of: 'total_predictions', label: 'average confidence' },
};

function Numbers({ told }: { told: JsonObject }): JSX.Element {
  const shares = Object.entries(kTargets).filter(([name, { of }]) => typeof told[name] === 'number' && told[of] !== 0);
  const others = Object.entries(told).filter(([name, value]) => !(name in kTargets) && typeof value === 'number') as [string, number][];
  return (
    <>
      {shares.length === 0 && <p class="muted">Nothing was predicted yet.</p>}
      <div class="meters">
        {shares.map(([name, { target, label }]) => {
          const value = told[name] as number;
          return (
            <div key={name}>
              <div class="meter-text"><span>{label}</span><Badge tone={value >= target ? 'ok' : 'warn'}>target {percent(target)}</Badge></div>
              <Sureness label={label} share={value} />
            </div>
          );
        })}
      </div>
      <Facts rows={others.map(([name, value]) => [wordsOf(name), String(Math.round(value * 10) / 10)])} />
    </>
  );
}

function choice(text: string | undefined, of: number[], usual: number): number {
  const number = Number(text);
  return of.includes(number) ? number : usual;
}

/** What is in the middle and how much is shown is in the address, so that Back goes back and a link leads there. */
function Explorer({ graph, place }: { graph: Graph; place: Place }): JSX.Element {
  const view = { depth: choice(place.query['depth'], kDepths, kUsual.depth), most: choice(place.query['most'], kWidths, kUsual.most) };
  const asked = place.query['at'] ?? '';
  const centre = graph.actions.has(asked) ? asked : firstCentre(graph);
  const picture = useMemo(() => pictureOf(graph, centre, view), [graph, centre, view.depth, view.most]);
  const hrefOf = (id: string, other: Partial<View> = {}): string => {
    const { depth, most } = { ...view, ...other };
    return placeText('predict', '', { at: id, depth: String(depth), most: String(most) });
  };
  return (
    <>
      <div class="filters">
        <Field label="steps to each side" control={(id) => (
          <select id={id} value={view.depth} onChange={(event) => (location.hash = hrefOf(centre, { depth: Number(event.currentTarget.value) }))}>
            {kDepths.map((one) => <option key={one} value={one}>{one}</option>)}
          </select>
        )} />
        <Field label="lines of each action" control={(id) => (
          <select id={id} value={view.most} onChange={(event) => (location.hash = hrefOf(centre, { most: Number(event.currentTarget.value) }))}>
            {kWidths.map((one) => <option key={one} value={one}>{one}</option>)}
          </select>
        )} />
        <Finder graph={graph} hrefOf={hrefOf} />
      </div>
      {asked !== '' && asked !== centre && <Notice>That action is not among those that are known best; this is where sequences begin.</Notice>}
      <TransitionGraph picture={picture} centre={centre} hrefOf={hrefOf} />
      <p class="muted">
        {graph.actions.size} actions are known here; {picture.places.length} are shown{picture.hidden > 0 ? `, ${picture.hidden} weaker transitions between and from them are not` : ''}. The wider a line, the larger its share of what follows.
      </p>
      <h3>In the middle: <Plain text={wordsOfAction(graph.actions.get(centre)!)} /></h3>
      <div class="columns">
        <EdgeList title="Before it" edges={graph.before.get(centre) ?? []} end="from" graph={graph} hrefOf={hrefOf} />
        <EdgeList title="After it" edges={graph.after.get(centre) ?? []} end="to" graph={graph} hrefOf={hrefOf} />
      </div>
    </>
  );
}

function Finder({ graph, hrefOf }: { graph: Graph; hrefOf(id: string): string }): JSX.Element {
  const [words, setWords] = useState('');
  const found = words.trim() === '' ? [] : findActions(graph, words, kFound);
  return (
    <div class="finder">
      <Field label="find an action" control={(id) => (
        <input id={id} type="search" value={words} placeholder="Add to cart" spellcheck={false} onInput={(event) => setWords(event.currentTarget.value)} />
      )} />
      {words.trim() !== '' && (
        <ul class="rows" aria-live="polite">
          {found.length === 0 && <li class="muted">No action says that.</li>}
          {found.map((one) => <li key={one.id}><a href={hrefOf(one.id)}><Plain text={wordsOfAction(one)} /></a></li>)}
        </ul>
      )}
    </div>
  );
}

/** What would be done next where a session is. */
function NextPanel(): JSX.Element {
  const { api } = useApp();
  const [session, setSession] = useState('');
  const sessions = useLoad((signal) => api.sessions(signal), [api], { on: ['session'] });
  return (
    <Panel title="What comes next">
      <Shown loaded={sessions} what="sessions">
        {(list) => list.length === 0 ? <p class="muted">No session is open.</p> : (
          <div class="filters">
            <Field label="session" control={(id) => (
              <select id={id} value={session} onChange={(event) => setSession(event.currentTarget.value)}>
                <option value="">choose one</option>{list.map((one) => <option key={one.session} value={one.session}>{one.session}</option>)}
              </select>
            )} />
          </div>
        )}
      </Shown>
      {session && <Next key={session} session={session} />}
    </Panel>
  );
}

function Next({ session }: { session: string }): JSX.Element {
  const { api } = useApp();
  const next = useLoad((signal) => api.predictions(session, kNext, signal), [api, session], { on: ['turn'], workflow: session });
  return <Shown loaded={next} what="predictions">{(told) => <NextList told={told} />}</Shown>;
}

function NextList({ told }: { told: Predictions }): JSX.Element {
  return (
    <div aria-live="polite">
      {told.plan && <p><Badge tone={told.plan.execute ? 'ok' : 'warn'}>{told.plan.execute ? 'would do the first' : 'would do nothing'}</Badge> <Plain text={told.plan.reason} /></p>}
      <ol class="rows">
        {told.predictions.map((one) => (
          <li key={one.symbol} class="row spread">
            <span><Plain text={one.intent || one.signature || one.symbol} /> {one.present === false && <Badge>not on the page</Badge>} <span class="muted">{one.source}</span></span>
            <Sureness label={one.intent ?? ''} share={one.confidence} />
          </li>
        ))}
      </ol>
    </div>
  );
}
