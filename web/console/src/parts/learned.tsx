// How sure something is, drawn and written; what a run by prediction came to.

import type { JSX } from 'preact';
import { wordsOf } from '../format';
import type { RunResult, RunStep } from '../learned_types';
import { placeText } from '../route';
import { Badge, Notice, Plain, type Tone } from './bits';
import { percent } from './transition_graph';

// The thresholds of the profiles conservative and balanced.
const kSure = 0.7;
const kFair = 0.5;

export function Sureness({ label, share }: { label: string; share: number }): JSX.Element {
  const tone = share >= kSure ? 'ok' : share >= kFair ? 'warn' : 'bad';
  return (
    <span class="sureness">
      <svg class={`meter-bar ${tone}`} viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={`${label}: ${percent(share)} sure`}>
        <rect class="track" x="0" y="0" width="100" height="6" rx="1" />
        <rect class="fill" x="0" y="0" width={Math.min(Math.max(share, 0), 1) * 100} height="6" rx="1" />
      </svg>
      <span class="number">{percent(share)}</span>
    </span>
  );
}

const kDecisionTones: Record<string, Tone> = { executed: 'ok', would_execute: 'accent', skipped: 'plain', asked: 'warn' };

export function RunSteps({ steps }: { steps: RunStep[] }): JSX.Element {
  return (
    <ol class="rows" aria-live="polite">
      {steps.map((step, i) => (
        <li key={i}>
          <div class="row spread">
            <span><Badge tone={step.error ? 'bad' : kDecisionTones[step.decision ?? ''] ?? 'plain'}>{wordsOf(step.decision ?? 'step')}</Badge> <Plain text={step.intent ?? step.step ?? ''} /></span>
            <Sureness label={step.intent ?? 'step'} share={step.confidence ?? 0} />
          </div>
          <div class="muted">
            <Plain text={[step.by === 'model' ? 'by a model' : '', step.source ?? '', step.reason ?? ''].filter(Boolean).join(', ')} />
            {step.turn_id && <>{' · '}<a href={placeText('runs', step.turn_id)}>its turn</a></>}
          </div>
          {step.healed && <div>healed: <code><Plain text={step.healed.selector} /></code></div>}
          {step.error && <div class="failure"><Plain text={`${step.error.code ?? ''} ${step.error.message ?? ''}`} /></div>}
        </li>
      ))}
    </ol>
  );
}

const kOutcomeTones: Record<string, Tone> = { completed: 'ok', asks: 'warn', refused: 'bad', failed: 'bad' };

export function RunEnd({ result }: { result: RunResult }): JSX.Element {
  const question = result.question;
  return (
    <Notice tone={kOutcomeTones[result.outcome] ?? 'warn'} title={wordsOf(result.outcome)}>
      {' '}<Plain text={result.reason ?? ''} />
      {result.error && <p class="failure"><Plain text={`${result.error.code ?? ''} ${result.error.message ?? ''}`} /></p>}
      {question && <p><Plain text={question.text ?? ''} /></p>}
      {question?.candidates && question.candidates.length > 0 && (
        <ul class="reasons">
          {question.candidates.map((one, i) => <li key={i}><Plain text={`${one.role ?? ''} ${one.name ?? ''} ${one.item ?? ''}`} /> <span class="number">{(one.score ?? 0).toFixed(2)}</span></li>)}
        </ul>
      )}
    </Notice>
  );
}
