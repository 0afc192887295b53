// What waits for people, and their answers.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { mayDecide, useApp } from '../app_context';
import { countdownText, bytesText, valueText } from '../format';
import { type DiffKind, diffForm } from '../form_diff';
import { useLoad, useNow, type Loaded } from '../hooks';
import { lastPage } from '../last_page';
import { explainError } from '../api';
import { Badge, Facts, Id, Notice, Plain, Shown, Time, type Tone, toneOfRisk } from '../parts/bits';
import { askForNotices, noticesAre } from '../notices';
import { storedPerson, storePerson } from '../person';
import { placeText } from '../route';
import type { Approval, NamedValue, Preview } from '../types';

export function Approvals({ approvals }: { approvals: Loaded<Approval[]> }): JSX.Element {
  const { role } = useApp();
  return (
    <>
      <div class="row spread page-head">
        <h1 tabIndex={-1}>Approvals</h1>
        <div class="row">
          <NoticeSwitch />
          <button type="button" class="button" onClick={approvals.reload}>Refresh</button>
        </div>
      </div>
      {!mayDecide(role) && <Notice>With a key for the role {role} approvals can be seen, not decided.</Notice>}
      <Shown loaded={approvals} what="approvals">
        {(list) => list.length === 0
          ? <p class="empty">Nothing waits for a decision.</p>
          : <ul class="plain-list">{list.map((one) => <li key={one.request_id}><ApprovalCard approval={one} reload={approvals.reload} /></li>)}</ul>}
      </Shown>
    </>
  );
}

function NoticeSwitch(): JSX.Element | null {
  const [state, setState] = useState(noticesAre());
  if (state === 'unknown' || state === 'granted') return null;
  if (state === 'denied') return <span class="muted">The browser shows no notices of this page.</span>;
  return <button type="button" class="button" onClick={() => void askForNotices().then(setState)}>Notify me</button>;
}

function ApprovalCard({ approval, reload }: { approval: Approval; reload(): void }): JSX.Element {
  const now = useNow();
  const left = approval.expires_ms - now;
  const title = `approval-${approval.request_id}`;
  return (
    <article class="panel approval" aria-labelledby={title}>
      <header class="panel-head">
        <h2 id={title}><Plain text={approval.preview?.effect || approval.description} /></h2>
        <div class="row">
          <Badge tone={toneOfRisk(approval.risk_level)}>{approval.risk_level} risk</Badge>
          <Badge tone={left < 60_000 ? 'bad' : 'plain'}>{left > 0 ? `${countdownText(left)} left` : 'its time is over'}</Badge>
        </div>
      </header>
      {approval.terms.message && <p class="quote"><Plain text={approval.terms.message} /></p>}
      <Facts rows={[
        ['asked by', <Plain text={approval.agent_id} />],
        ['kind', approval.action_type],
        ['amount', approval.amount && `${approval.amount.value} ${approval.amount.currency ?? ''}`],
        ['workflow', approval.workflow && <a href={placeText('sessions', approval.workflow)}>{approval.workflow}</a>],
        ['asked', <Time ms={approval.asked_ms} />],
        ['rules', approval.triggered_policies.join(', ')],
        ['needs', needsText(approval)],
        ['digest', <Id id={approval.digest} />],
        ['id', <Id id={approval.request_id} />],
      ]} />
      {approval.risk_reasons.length > 0 && (
        <ul class="reasons">{approval.risk_reasons.map((reason) => <li key={reason}><Plain text={reason} /></li>)}</ul>
      )}
      {approval.preview && <PreviewView preview={approval.preview} workflow={approval.workflow ?? ''} />}
      <Answer approval={approval} reload={reload} />
    </article>
  );
}

function needsText(approval: Approval): string {
  const { count, who, approvers } = approval.terms;
  const people = count === 1 ? `one ${who}` : `${count} of rank ${who}`;
  return approvers?.length ? `${people}: ${approvers.join(', ')}` : people;
}

function PreviewView({ preview, workflow }: { preview: Preview; workflow: string }): JSX.Element {
  const isAction = preview.form === 'action';
  return (
    <div class="preview">
      <p class="request">{!isAction && <Badge tone="accent">{preview.method}</Badge>} <Plain text={preview.url} /></p>
      {!preview.is_body_whole && <Notice tone="bad">Not all of the body could be read.</Notice>}
      {preview.is_cut && <Notice tone="warn">Not all of it is shown here.</Notice>}
      {(preview.fields ?? []).length > 0 && <Fields preview={preview} workflow={workflow} />}
      {(preview.files ?? []).map((file) => (
        <p key={file.field + file.name}>
          file <Plain text={file.name} /> in <code>{file.field}</code>: {file.is_known ? `${bytesText(file.bytes)}, ` : 'size and content are not known '}
          {file.is_known && <Id id={file.sha256} />}
        </p>
      ))}
      {preview.body && <pre class="body"><Plain text={preview.body} /></pre>}
      {!isAction && (
        <p class="muted">
          {preview.form === 'none' ? 'No body.' : `Body: ${preview.form}, ${bytesText(preview.body_bytes)}.`} {preview.masked > 0 && `${preview.masked} ${preview.masked === 1 ? 'value is' : 'values are'} masked.`}
        </p>
      )}
      {preview.headers.length > 0 && (
        <details class="part">
          <summary>Headers <span class="muted">{preview.headers.length}, without cookies</span></summary>
          <Facts rows={preview.headers.map((header) => [header.name, <Plain text={header.value} />])} />
        </details>
      )}
    </div>
  );
}

const kDiffs: Record<DiffKind, { tone: Tone; text: string }> = {
  same: { tone: 'ok', text: 'as shown' },
  chosen: { tone: 'plain', text: 'a choice' },
  differs: { tone: 'bad', text: 'differs' },
  not_shown: { tone: 'bad', text: 'not shown' },
  masked: { tone: 'plain', text: 'masked' },
  not_sent: { tone: 'warn', text: 'not sent' },
};

/** What would be sent, held against the page's form where there is one. */
function Fields({ preview, workflow }: { preview: Preview; workflow: string }): JSX.Element {
  const { api } = useApp();
  const fields: NamedValue[] = preview.fields ?? [];
  const isForm = ['form', 'multipart'].includes(preview.form);
  const page = useLoad((signal) => (workflow && isForm ? lastPage(api, workflow, signal) : Promise.resolve(null)), [api, workflow, isForm]);
  const diff = page.data ? diffForm(fields, page.data) : null;
  if (!diff) {
    return (
      <div class="scroll"><table>
        <caption class="muted">Fields</caption>
        <thead><tr><th scope="col">field</th><th scope="col">sends</th></tr></thead>
        <tbody>{fields.map((field, i) => <tr key={i}><td><code>{field.name}</code></td><td><Plain text={field.value} /></td></tr>)}</tbody>
      </table></div>
    );
  }
  return (
    <div class="scroll"><table>
      <caption class="muted">Fields, against what the page's form last showed. Red is what a person at the page would not have seen: most forms have such fields, so look at what they say.</caption>
      <thead><tr><th scope="col">field</th><th scope="col">sends</th><th scope="col">the page showed</th><th scope="col">compared</th></tr></thead>
      <tbody>
        {diff.map((row, i) => (
          <tr key={i} class={`diff-${row.kind}`}>
            <td><code>{row.field}</code></td><td>{row.sent === null ? '' : <Plain text={row.sent} />}</td>
            <td>{row.label && <span class="muted"><Plain text={row.label} />: </span>}<Plain text={valueText(row.shown)} /></td>
            <td><Badge tone={kDiffs[row.kind].tone}>{kDiffs[row.kind].text}</Badge></td>
          </tr>
        ))}
      </tbody>
    </table></div>
  );
}

function Answer({ approval, reload }: { approval: Approval; reload(): void }): JSX.Element | null {
  const { api, role, say } = useApp();
  const [name, setName] = useState(storedPerson);
  const [reason, setReason] = useState('');
  const [why, setWhy] = useState('');
  const [isBusy, setBusy] = useState(false);
  if (!mayDecide(role)) return null;

  const decide = async (approved: boolean): Promise<void> => {
    if (!name.trim()) return setWhy('Say who decides: the name goes on record.');
    if (!approved && !reason.trim()) return setWhy('Say why not: the agent is told.');
    setWhy('');
    setBusy(true);
    storePerson(name.trim());
    try {
      const after = await api.decide(approval.request_id, { approved, approver: name.trim(), reason: reason.trim() });
      const isOpen = after.state === 'pending';
      say(isOpen ? `Counted: ${after.approvals ?? 1} of ${after.terms.count} approvals.` : `${approved ? 'Approved' : 'Denied'}: ${approval.description}`);
      reload();
    } catch (error) {
      setWhy(explainError(error));
    } finally {
      setBusy(false);
    }
  };
  const id = approval.request_id;
  return (
    <form class="answer" onSubmit={(event) => event.preventDefault()}>
      <label for={`name-${id}`}>Your name</label>
      <input id={`name-${id}`} value={name} maxLength={128} autocomplete="name" onInput={(event) => setName(event.currentTarget.value)} />
      <label for={`reason-${id}`}>Reason</label>
      <input id={`reason-${id}`} value={reason} maxLength={1000} onInput={(event) => setReason(event.currentTarget.value)} />
      {why && <Notice tone="bad">{why}</Notice>}
      <div class="row">
        <button type="button" class="button primary" disabled={isBusy} onClick={() => void decide(true)}>Approve</button>
        <button type="button" class="button danger" disabled={isBusy} onClick={() => void decide(false)}>Deny</button>
      </div>
    </form>
  );
}
