// The policy in force, and what it would say.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { explainError, type PolicyQuestion } from '../api';
import { useApp } from '../app_context';
import { timeText, valueText, wordsOf } from '../format';
import { useLoad } from '../hooks';
import { Badge, Facts, Field, Id, Notice, Panel, Plain, Shown, type Tone, toneOfRisk } from '../parts/bits';
import { JsonTree } from '../parts/json_tree';
import type { JsonObject, PolicyAnswer, PolicyStatus } from '../types';

export function PolicyPage(): JSX.Element {
  const { api } = useApp();
  const policy = useLoad((signal) => api.policy(signal), [api], { on: ['policy'] });
  return (
    <>
      <h1 tabIndex={-1}>Policy</h1>
      <Panel title="In force"><Shown loaded={policy} what="the policy">{(told) => <PolicyView told={told} />}</Shown></Panel>
      {api.offers('POST', '/v1/policy/explain') && <ExplainPanel />}
    </>
  );
}

function PolicyView({ told }: { told: PolicyStatus }): JSX.Element {
  const policy = told.policy;
  return (
    <>
      {told.last_refused && (
        <Notice tone="warn" title="The file was changed and cannot be read; the policy before it is in force.">
          {' '}<Plain text={told.last_refused.problem.detail} />
        </Notice>
      )}
      {!policy && <p class="muted">There is none: every token decides by itself.</p>}
      {policy && (
        <>
          <Facts rows={[
            ['name', policy.name], ['version', policy.version], ['mode', policy.mode], ['digest', <Id id={policy.digest} />],
            ['file', policy.file], ['since', timeText(Date.parse(policy.since))],
          ]} />
          <ol class="rows">{rulesOf(policy.document).map((rule, i) => <RuleRow key={i} rule={rule} />)}</ol>
          <JsonTree value={policy.document} name="all of it" />
        </>
      )}
    </>
  );
}

function rulesOf(document: JsonObject): JsonObject[] {
  return Array.isArray(document['rules']) ? (document['rules'] as JsonObject[]) : [];
}

function RuleRow({ rule }: { rule: JsonObject }): JSX.Element {
  const effect = valueText(rule['effect']);
  return (
    <li>
      <Badge tone={kOutcomes[effect] ?? 'plain'}>{wordsOf(effect)}</Badge> <strong><Plain text={valueText(rule['name'])} /></strong>
      <JsonTree value={rule['when']} name="when" open />
    </li>
  );
}

const kOutcomes: Record<string, Tone> = { allow: 'ok', deny: 'bad', require_approval: 'warn' };

const kCapabilities = [
  'READ', 'NAVIGATE', 'INTERACT', 'WRITE', 'SUBMIT', 'PURCHASE', 'UPLOAD', 'DOWNLOAD', 'SCRIPT', 'EXPORT', 'AUTH', 'DELETE', 'PII', 'ADMIN',
];

const kQuestions: { name: keyof PolicyQuestion; label: string; hint: string }[] = [
  { name: 'action', label: 'action', hint: 'click' },
  { name: 'url', label: 'address', hint: 'https://shop.example/' },
  { name: 'label', label: 'label of the element', hint: 'Buy now' },
  { name: 'amount', label: 'amount', hint: '250 USD' },
  { name: 'method', label: 'method of the request', hint: 'POST' },
  { name: 'agent', label: 'agent', hint: 'shopper' },
];

function ExplainPanel(): JSX.Element {
  const { api } = useApp();
  const [answer, setAnswer] = useState<PolicyAnswer | null>(null);
  const [why, setWhy] = useState('');
  const submit = (event: Event): void => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const capability = String(fields.get('capability'));
    fields.delete('capability');
    const question: PolicyQuestion = Object.fromEntries([...fields].filter(([, value]) => value !== ''));
    if (capability) question.capabilities = [capability];
    api.explain(question).then(
      (told) => (setAnswer(told), setWhy('')),
      (error: unknown) => (setAnswer(null), setWhy(explainError(error))),
    );
  };
  return (
    <Panel title="What would it say?">
      <form class="filters" onSubmit={submit}>
        {kQuestions.map((question) => (
          <Field key={question.name} label={question.label}
            control={(id) => <input id={id} name={question.name} placeholder={question.hint} spellcheck={false} />} />
        ))}
        <Field label="capability" control={(id) => (
          <select id={id} name="capability"><option value="">as the action needs</option>{kCapabilities.map((one) => <option key={one} value={one}>{one}</option>)}</select>
        )} />
        <button type="submit" class="button primary">Explain</button>
      </form>
      <div aria-live="polite">
        {why && <Notice tone="bad">{why}</Notice>}
        {answer && <Explanation answer={answer} />}
      </div>
    </Panel>
  );
}

function Explanation({ answer }: { answer: PolicyAnswer }): JSX.Element {
  return (
    <>
      <p>
        <Badge tone={kOutcomes[answer.verdict] ?? 'plain'}>{wordsOf(answer.verdict)}</Badge> <Plain text={answer.reason} />
        {answer.risk && <>{' '}<Badge tone={toneOfRisk(answer.risk.level)}>{answer.risk.level} risk</Badge></>}
      </p>
      <ul class="reasons">{(answer.risk?.reasons ?? []).map((reason, i) => <li key={i}><Plain text={reason.text} /></li>)}</ul>
      <ol class="rows">
        {answer.rules.map((rule, i) => (
          <li key={i}>
            <Badge tone={rule.when['truth'] === 'yes' ? 'accent' : 'plain'}>{rule.when['truth'] === 'yes' ? 'holds' : 'does not hold'}</Badge>{' '}
            <strong>{rule.rule}</strong> <span class="muted">{wordsOf(rule.effect)} {rule.capability ?? ''}</span>
            <JsonTree value={rule.when} name="when" />
          </li>
        ))}
      </ol>
    </>
  );
}
