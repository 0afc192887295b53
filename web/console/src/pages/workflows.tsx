// Learned workflows: which there are, and one with its steps, its run and its document.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { mayDrive, useApp } from '../app_context';
import { useLoad } from '../hooks';
import type { Confidence, Healed, LearnedWorkflow, WorkflowStep } from '../learned_types';
import { Act, Badge, Facts, Field, Id, Panel, Plain, Shown, Time } from '../parts/bits';
import { JsonTree } from '../parts/json_tree';
import { Sureness } from '../parts/learned';
import { RunPanel } from '../parts/workflow_run';
import { YamlPanel } from '../parts/workflow_yaml';
import { placeText } from '../route';

export function Workflows({ id }: { id: string }): JSX.Element {
  return id ? <Workflow key={id} name={id} /> : <WorkflowList />;
}

function WorkflowList(): JSX.Element {
  const { api } = useApp();
  const workflows = useLoad((signal) => api.learnedWorkflows(signal), [api]);
  return (
    <>
      <h1 tabIndex={-1}>Workflows</h1>
      <Shown loaded={workflows} what="workflows">
        {(list) => list.length === 0 ? <p class="empty">None was learnt yet: record one below, or with <code>falconer record NAME</code>.</p> : (
          <div class="panel scroll"><table>
            <caption class="hidden">Learned workflows</caption>
            <thead><tr><th scope="col">workflow</th><th scope="col">version</th><th scope="col">steps</th><th scope="col">recordings</th><th scope="col">parameters</th></tr></thead>
            <tbody>
              {list.map((one) => (
                <tr key={one.name}>
                  <td><a href={placeText('workflows', one.name)}>{one.name}</a>{one.about && <div class="muted"><Plain text={one.about} /></div>}</td>
                  <td class="number">{one.version}</td><td class="number">{one.steps}</td><td class="number">{one.recordings}</td>
                  <td>{one.parameters.join(', ')}</td>
                </tr>
              ))}
            </tbody>
          </table></div>
        )}
      </Shown>
      <RecordingsPanel onLearnt={workflows.reload} />
    </>
  );
}

/** Recordings that are under way; who may drive a session may also begin and end one. */
function RecordingsPanel({ onLearnt }: { onLearnt(): void }): JSX.Element {
  const { api, role, say } = useApp();
  const recordings = useLoad((signal) => api.recordings(signal), [api], { on: ['turn'] });
  const changed = (): void => (recordings.reload(), onLearnt());
  const end = async (id: string): Promise<void> => {
    const learnt = await api.endRecording(id);
    say(`Learnt: ${learnt.name}.`);
    changed();
  };
  return (
    <Panel title="Recordings">
      <Shown loaded={recordings} what="recordings">
        {(list) => (
          <>
            {list.length === 0 && <p class="muted">None is under way.</p>}
            <ul class="rows">
              {list.map((one) => (
                <li key={one.id} class="row spread">
                  <span><strong>{one.workflow}</strong> in the session <a href={placeText('sessions', one.session)}>{one.session}</a>, {one.steps} {one.steps === 1 ? 'step' : 'steps'}, since <Time ms={Date.parse(one.began_at)} /></span>
                  {mayDrive(role) && <span class="row"><Act label="End and learn" tone="primary" run={() => end(one.id)} /><Act label="Forget" tone="danger" run={() => api.dropRecording(one.id).then(changed)} /></span>}
                </li>
              ))}
            </ul>
          </>
        )}
      </Shown>
      {mayDrive(role) && <BeginRecording onBegun={recordings.reload} />}
    </Panel>
  );
}

function BeginRecording({ onBegun }: { onBegun(): void }): JSX.Element {
  const { api, say } = useApp();
  const [workflow, setWorkflow] = useState('');
  const [session, setSession] = useState('');
  const begin = async (): Promise<void> => {
    const begun = await api.beginRecording(workflow.trim(), session.trim() || workflow.trim());
    say(`Recording ${begun.workflow}. Take its session over, and do there what is to be learnt.`);
    onBegun();
  };
  return (
    <div class="filters">
      <Field label="workflow to learn" control={(id) => <input id={id} value={workflow} placeholder="buy-coffee" spellcheck={false} onInput={(event) => setWorkflow(event.currentTarget.value)} />} />
      <Field label="session" control={(id) => <input id={id} value={session} placeholder={workflow || 'of the same name'} spellcheck={false} onInput={(event) => setSession(event.currentTarget.value)} />} />
      <Act label="Begin a recording" disabled={workflow.trim() === ''} run={begin} />
    </div>
  );
}

function Workflow({ name }: { name: string }): JSX.Element {
  const { api } = useApp();
  const workflow = useLoad((signal) => api.learnedWorkflow(name, signal), [api, name]);
  const confidence = useLoad((signal) => api.stepConfidence(name, signal), [api, name], { on: ['turn'] });
  const reload = (): void => (workflow.reload(), confidence.reload());
  return (
    <>
      <h1 tabIndex={-1}>Workflow {name}</h1>
      <p><a href={placeText('workflows')}>All workflows</a></p>
      <Shown loaded={workflow} what="this workflow">
        {(told) => (
          <>
            <About workflow={told} />
            <Panel title="Steps"><Steps workflow={told} confidence={confidence.data} /></Panel>
            <RunPanel workflow={told} onEnd={reload} />
            <YamlPanel key={told.version ?? 0} name={name} version={told.version ?? 0} onChange={reload} />
          </>
        )}
      </Shown>
    </>
  );
}

function About({ workflow }: { workflow: LearnedWorkflow }): JSX.Element {
  const parameters = workflow.parameters ?? [];
  return (
    <Panel title={workflow.about ? <Plain text={workflow.about} /> : 'About'}>
      <Facts rows={[['version', String(workflow.version ?? 0)], ['recordings', String(workflow.recordings ?? 0)], ['steps', String(workflow.steps.length)]]} />
      {parameters.length > 0 && (
        <div class="scroll"><table>
          <caption>Parameters</caption>
          <thead><tr><th scope="col">name</th><th scope="col">where</th><th scope="col">if it is not given</th></tr></thead>
          <tbody>
            {parameters.map((one) => (
              <tr key={one.name}><td><code>{one.name}</code></td><td><Plain text={one.about ?? ''} /></td><td>{one.default === undefined ? <span class="muted">must be given</span> : <Plain text={one.default} />}</td></tr>
            ))}
          </tbody>
        </table></div>
      )}
    </Panel>
  );
}

function Steps({ workflow, confidence }: { workflow: LearnedWorkflow; confidence: Confidence | null }): JSX.Element {
  const known = new Map((confidence?.steps ?? []).map((one) => [one.id, one]));
  return (
    <ol class="steps">
      {workflow.steps.map((step) => {
        const sure = known.get(step.id);
        return (
          <li key={step.id}>
            <div class="row spread">
              <span class="turn-title"><Plain text={step.intent || step.id} /></span>
              {sure && <Sureness label={step.intent || step.id} share={sure.confidence} />}
            </div>
            <div class="row muted">
              {(step.recordings ?? 0) < (workflow.recordings ?? 0) && <Badge tone="warn">in {step.recordings ?? 0} of {workflow.recordings} recordings</Badge>}
              {step.by && <Badge>by {step.by === 'person' ? 'a person' : step.by === 'agent' ? 'an agent' : step.by}</Badge>}
              {(step.healed ?? []).length > 0 && <Badge tone="accent">healed</Badge>}
              {step.page && <Plain text={step.page} />}
              {sure?.source && <span>{sure.source}, seen {Math.round((sure.seen ?? 0) * 10) / 10}</span>}
            </div>
            <StepDetails step={step} />
          </li>
        );
      })}
    </ol>
  );
}

function StepDetails({ step }: { step: WorkflowStep }): JSX.Element {
  return (
    <details class="part">
      <summary>Details of {step.id}</summary>
      <div class="part-inside">
        {(step.healed ?? []).map((one, i) => <HealedRow key={i} healed={one} />)}
        <JsonTree name="contract" value={step.contract} open />
        {step.element && <JsonTree name="element" value={step.element} />}
      </div>
    </details>
  );
}

/** Where a selector came from that took the place of another. */
function HealedRow({ healed }: { healed: Healed }): JSX.Element {
  return (
    <Facts rows={[
      ['healed', <code><Plain text={healed.selector} /></code>],
      ['instead of', healed.instead_of ? <code><Plain text={healed.instead_of} /></code> : ''],
      ['score', healed.score === undefined ? '' : `${healed.score.toFixed(2)}, ahead by ${(healed.margin ?? 0).toFixed(2)}`],
      ['verified', healed.at_ms ? <Time ms={healed.at_ms} /> : ''],
      ['turn', healed.turn ? <Id id={healed.turn} /> : ''],
      ['ranker', healed.ranker ?? ''],
    ]} />
  );
}
