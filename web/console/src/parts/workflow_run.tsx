// A run of a workflow, from its form to what it came to, step by step as it happens.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { explainError } from '../api';
import { mayDrive, useApp } from '../app_context';
import { followJob } from '../job_feed';
import type { LearnedWorkflow, RunResult, RunStep, RunWish } from '../learned_types';
import { placeText } from '../route';
import { Act, Field, Notice, Panel, Plain } from './bits';
import { RunEnd, RunSteps } from './learned';

const kProfiles = ['conservative', 'balanced', 'aggressive'];

interface Running {
  session: string;
  job: string;
  steps: RunStep[];
  result: RunResult | null;
  why: string;
}

function wishOf(form: HTMLFormElement, workflow: LearnedWorkflow): RunWish {
  const fields = new FormData(form);
  const text = (name: string): string => String(fields.get(name) ?? '');
  const given = (workflow.parameters ?? []).filter((one) => one.default === undefined || text(`parameter.${one.name}`) !== '');
  const wish: RunWish = {
    session: text('session') || workflow.name,
    parameters: Object.fromEntries(given.map((one) => [one.name, text(`parameter.${one.name}`)])),
    dry_run: fields.has('dry_run'),
    ask_model: fields.has('ask_model'),
  };
  if (text('profile')) wish.profile = text('profile');
  return wish;
}

/** For those who may act; others see nothing of it. */
export function RunPanel({ workflow, onEnd }: { workflow: LearnedWorkflow; onEnd(): void }): JSX.Element | null {
  const { api, role } = useApp();
  const [running, setRunning] = useState<Running | null>(null);
  const stopper = useRef(new AbortController());
  useEffect(() => () => stopper.current.abort(), []);
  if (!mayDrive(role) && role !== 'agent') return null;

  const change = (more: Partial<Running>): void => setRunning((old) => (old ? { ...old, ...more } : old));
  const start = async (wish: RunWish): Promise<void> => {
    setRunning({ session: wish.session ?? workflow.name, job: '', steps: [], result: null, why: '' });
    try {
      const job = await api.runWorkflow(workflow.name, wish);
      change({ job });
      const tell = (news: object): void => setRunning((old) => (old ? { ...old, steps: [...old.steps, news as RunStep] } : old));
      const ended = await followJob(api, job, tell, stopper.current.signal);
      change(ended.result ? { result: ended.result, steps: ended.result.steps ?? [] } : { why: ended.problem?.detail ?? `It is ${ended.status}.` });
      onEnd();
    } catch (error) {
      if (!stopper.current.signal.aborted) change({ why: explainError(error) });
    }
  };
  const isUnderWay = running !== null && running.result === null && running.why === '';
  return (
    <Panel title="Run it">
      <RunForm workflow={workflow} isBusy={isUnderWay} start={(wish) => void start(wish)} />
      {running && (
        <>
          <p>In the session <a href={placeText('sessions', running.session)}>{running.session}</a>{isUnderWay && running.job && <>{' '}<Act label="Cancel" tone="danger" run={() => api.cancelJob(running.job)} /></>}</p>
          <RunSteps steps={running.steps} />
          {isUnderWay && <p class="muted" role="status">It goes on…</p>}
          {running.result && <RunEnd result={running.result} />}
          {running.why && <Notice tone="bad"><Plain text={running.why} /></Notice>}
        </>
      )}
    </Panel>
  );
}

function RunForm({ workflow, isBusy, start }: { workflow: LearnedWorkflow; isBusy: boolean; start(wish: RunWish): void }): JSX.Element {
  const submit = (event: Event): void => {
    event.preventDefault();
    start(wishOf(event.currentTarget as HTMLFormElement, workflow));
  };
  return (
    <form class="filters" autocomplete="off" onSubmit={submit}>
      {(workflow.parameters ?? []).map((one) => (
        <Field key={one.name} label={one.name}
          control={(id) => <input id={id} name={`parameter.${one.name}`} required={one.default === undefined} placeholder={one.default ?? ''} title={one.about} autocomplete="off" spellcheck={false} />} />
      ))}
      <Field label="session" control={(id) => <input id={id} name="session" placeholder={workflow.name} spellcheck={false} />} />
      <Field label="how sure it must be" control={(id) => (
        <select id={id} name="profile"><option value="">as it is set</option>{kProfiles.map((one) => <option key={one} value={one}>{one}</option>)}</select>
      )} />
      <label class="check"><input type="checkbox" name="dry_run" /> only tell what it would do</label>
      <label class="check"><input type="checkbox" name="ask_model" defaultChecked /> a model may be asked</label>
      <button type="submit" class="button primary" disabled={isBusy} aria-busy={isBusy}>Run</button>
    </form>
  );
}
