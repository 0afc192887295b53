// One turn: what was asked, what the gates said, what was done, waited for, observed and judged.

import type { ComponentChildren, JSX } from 'preact';
import { durationText, shortId, valueText, wordsOf } from '../format';
import { placeText } from '../route';
import { phasesOf, type Turn, type TurnStatus } from '../turns';
import type { GateVerdict, JsonObject, RuleOutcome, TurnResult, WaitOutcome } from '../types';
import { Badge, Facts, Id, Plain, Time, type Tone, toneOfRisk } from './bits';
import { Phases } from './charts';
import { DeltaView } from './state_view';
import { JsonTree } from './json_tree';
import { ArtifactPicture } from './picture';

export const kTurnTones: Record<TurnStatus, Tone> = { running: 'accent', held: 'warn', ok: 'ok', failed: 'bad', refused: 'warn' };

export function TurnBadge({ turn }: { turn: Turn }): JSX.Element {
  return <Badge tone={kTurnTones[turn.status]}>{turn.failureCode ? `${turn.status}: ${turn.failureCode}` : turn.status === 'held' ? 'waits for people' : turn.status}</Badge>;
}

export function TurnTitle({ turn }: { turn: Turn }): JSX.Element {
  return <><strong>{wordsOf(turn.actionType || 'turn')}</strong> <span class="muted"><Plain text={turn.target} /></span></>;
}

export function TurnTook({ turn }: { turn: Turn }): JSX.Element | null {
  return turn.endedMs === null ? null : <span class="number muted">{durationText((turn.endedMs - turn.startedMs) * 1000)}</span>;
}

export function TurnView({ turn, pictures = false }: { turn: Turn; pictures?: boolean }): JSX.Element {
  const result = turn.result;
  return (
    <div class="turn">
      <Facts rows={[
        ['turn', turn.turnId && <Id id={turn.turnId} length={24} />],
        ['action', turn.actionId && <Id id={turn.actionId} />],
        ['agent', turn.agent],
        ['began', <Time ms={turn.startedMs} />],
        ['records', <>{turn.records.map((seq) => <a key={seq} class="gap" href={placeText('ledger', String(seq))}>{seq}</a>)}</>],
      ]} />
      {result?.failure && <p class="failure"><Badge tone="bad">{result.failure.code}</Badge> <Plain text={result.failure.message} /></p>}
      <Phases parts={phasesOf(result)} />
      <Part title="Gates" count={turn.gates.length}><Gates gates={turn.gates} /></Part>
      <Part title="Plan" count={turn.plan ? 1 : 0}><Plan plan={turn.plan} /></Part>
      <Part title="Attempts" count={result?.attempts?.length ?? 0} open={(result?.attempts?.length ?? 0) > 1}><Attempts result={result} /></Part>
      <Part title="Rulings" count={result?.metadata?.rulings?.length ?? 0}><Rulings result={result} /></Part>
      <Part title="Approvals" count={turn.approvals.length} open><Approvals approvals={turn.approvals} /></Part>
      <Part title="Waits" count={result?.wait_outcomes?.length ?? 0}><Waits waits={result?.wait_outcomes ?? []} /></Part>
      <Part title="Verification" count={result?.verification?.outcomes.length ?? 0} open={result?.verification?.passed === false}>
        <Rules rules={result?.verification?.outcomes ?? []} />
      </Part>
      <Part title="Network" count={numberIn(result?.network_summary, 'requests')}><Network summary={result?.network_summary} /></Part>
      <Part title="What changed" count={result?.state_delta ? 1 : 0} showCount={false}><DeltaView delta={result?.state_delta ?? null} /></Part>
      <Part title="Artifacts" count={result?.artifacts?.length ?? 0} open={pictures}><Artifacts turn={turn} pictures={pictures} /></Part>
      <Part title="Contract" count={turn.contract ? 1 : 0} showCount={false}><JsonTree value={turn.contract} open /></Part>
    </div>
  );
}

/** Left out when there is nothing to tell. */
function Part({ title, count, open = false, showCount = true, children }: {
  title: string; count: number; open?: boolean; showCount?: boolean; children: ComponentChildren;
}): JSX.Element | null {
  if (count === 0) return null;
  return (
    <details class="part" open={open}>
      <summary>{title} {showCount && count > 1 && <span class="muted">{count}</span>}</summary>
      <div class="part-inside">{children}</div>
    </details>
  );
}

function toneOfVerdict(verdict: string): Tone {
  if (verdict === 'admit' || verdict === 'passed' || verdict === 'allow') return 'ok';
  return verdict === 'defer' || verdict === 'ask' || verdict === 'inconclusive' ? 'warn' : 'bad';
}

function Gates({ gates }: { gates: GateVerdict[] }): JSX.Element {
  return (
    <ol class="rows">
      {gates.map((gate) => (
        <li key={gate.gate}>
          <details>
            <summary><Badge tone={toneOfVerdict(gate.outcome_kind)}>{gate.outcome_kind}</Badge> <strong>{gate.gate}</strong> <span class="muted">{wordsOf(gate.reason)}{gate.code ? ` (${gate.code})` : ''}</span></summary>
            <JsonTree value={gate.facts ?? {}} open />
          </details>
        </li>
      ))}
    </ol>
  );
}

function Plan({ plan }: { plan: JsonObject | null }): JSX.Element {
  const budgets = plan?.['budgets'] as JsonObject | undefined;
  const retry = plan?.['retry'] as JsonObject | undefined;
  return (
    <>
      <Facts rows={[
        ['hash', typeof plan?.['plan_hash'] === 'string' && <Id id={plan['plan_hash']} />],
        ['profile', valueText(plan?.['execution_profile'])],
        ['epoch', valueText(plan?.['authority_epoch'])],
        ['time', budgets && `${valueText(budgets['turn_ms'])} ms for the turn`],
        ['attempts', retry && `at most ${valueText(retry['max_attempts'])}`],
      ]} />
      <JsonTree value={plan} name="all of it" />
    </>
  );
}

function Attempts({ result }: { result: TurnResult | null }): JSX.Element {
  return (
    <>
      <ol class="rows">
        {(result?.attempts ?? []).map((attempt) => (
          <li key={attempt.n}>
            <Badge tone={attempt.cause ? 'bad' : 'ok'}>{attempt.cause ?? 'done'}</Badge> attempt {attempt.n}
            {attempt.phase && <span class="muted"> in {attempt.phase}</span>}
            {attempt.backoff_ms !== undefined && <span class="muted"> after a pause of {attempt.backoff_ms} ms</span>}
            {attempt.waited_ms !== undefined && <span class="number muted"> {durationText(attempt.waited_ms * 1000)}</span>}
          </li>
        ))}
      </ol>
      {result?.escalation && <p>Then {wordsOf(result.escalation.mode)}: {wordsOf(result.escalation.reason)}</p>}
    </>
  );
}

function Rulings({ result }: { result: TurnResult | null }): JSX.Element {
  return (
    <ol class="rows">
      {(result?.metadata?.rulings ?? []).map((ruling) => (
        <li key={ruling.id}>
          <details>
            <summary>
              <Badge tone={toneOfVerdict(ruling.effect)}>{ruling.effect}</Badge> {ruling.about}
              {ruling.risk && <> <Badge tone={toneOfRisk(ruling.risk.level)}>{ruling.risk.level}</Badge></>}
              <span class="muted"> {ruling.rule ? `rule ${ruling.rule}` : ''} {ruling.host ?? ''}</span>
            </summary>
            <ul>{(ruling.risk?.reasons ?? []).map((reason, i) => <li key={i}><Plain text={reason.text} /></li>)}</ul>
            <JsonTree value={ruling as unknown as JsonObject} name="all of it" />
          </details>
        </li>
      ))}
    </ol>
  );
}

function Approvals({ approvals }: { approvals: JsonObject[] }): JSX.Element {
  return <ol class="rows">{approvals.map((one, i) => <li key={i}><JsonTree value={one} name={valueText(one['event'])} /></li>)}</ol>;
}

function Waits({ waits }: { waits: WaitOutcome[] }): JSX.Element {
  return (
    <ol class="rows">
      {waits.map((wait, i) => (
        <li key={i}>
          <Badge tone={wait.satisfied ? 'ok' : 'plain'}>{wait.satisfied ? 'came' : 'did not come'}</Badge> {wordsOf(wait.kind)}
          {wait.waited_ms !== undefined && <span class="number muted"> {durationText(wait.waited_ms * 1000)}</span>}
          {wait.observed !== undefined && <span class="muted"> {valueText(wait.observed)}</span>}
          {wait.children && <Waits waits={wait.children} />}
        </li>
      ))}
    </ol>
  );
}

function Rules({ rules }: { rules: RuleOutcome[] }): JSX.Element {
  return (
    <ol class="rows">
      {rules.map((rule, i) => (
        <li key={i}>
          <Badge tone={rule.verdict === 'failed' && rule.severity === 'soft' ? 'warn' : toneOfVerdict(rule.verdict)}>{rule.verdict}</Badge>{' '}
          <strong>{wordsOf(rule.rule_type)}</strong> <span class="muted">{rule.severity} {rule.detail ?? ''}</span>
          {rule.expected !== undefined && <JsonTree name="expected" value={rule.expected} open />}
          {rule.observed !== undefined && <JsonTree name="observed" value={rule.observed} open />}
        </li>
      ))}
    </ol>
  );
}

function numberIn(from: JsonObject | undefined, name: string): number {
  const value = from?.[name];
  return typeof value === 'number' ? value : 0;
}

function Network({ summary }: { summary: JsonObject | undefined }): JSX.Element {
  const names = ['requests', 'responses', 'failed', 'refused', 'client_errors', 'server_errors', 'silent_failures'];
  return (
    <>
      <Facts rows={names.map((name) => [wordsOf(name), String(numberIn(summary, name))])} />
      <JsonTree value={summary} name="all of it" />
    </>
  );
}

function Artifacts({ turn, pictures }: { turn: Turn; pictures: boolean }): JSX.Element {
  return (
    <>
      {(turn.result?.artifacts ?? []).map((artifact) => (
        pictures && artifact.mime.startsWith('image/')
          ? <ArtifactPicture key={artifact.artifact_id} workflow={turn.workflow} id={artifact.artifact_id} label={`${artifact.mime} ${shortId(artifact.name, 24)}`} />
          : <p key={artifact.artifact_id}><Id id={artifact.artifact_id} length={24} /> {artifact.mime} <Plain text={artifact.name} /></p>
      ))}
    </>
  );
}
