// The ledger: find records, look at one, check all.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useApp } from '../app_context';
import { timeText, valueText, wordsOf } from '../format';
import { useLoad } from '../hooks';
import { Act, Badge, Facts, Field, Id, Notice, Panel, Plain, Shown, Time } from '../parts/bits';
import { JsonTree } from '../parts/json_tree';
import { type Place, placeText } from '../route';
import type { LedgerRecord, RecordFilter, Verification } from '../types';

const kPage = 50;
const kKinds = [
  'turn_opened', 'turn_closed', 'refusal', 'decision', 'approval', 'token', 'operator', 'snapshot', 'view', 'recovery',
  'checkpoint_note', 'lease', 'policy', 'run', 'step',
];

export function LedgerPage({ place }: { place: Place }): JSX.Element {
  return place.id ? <RecordPage seq={Number(place.id)} /> : <Records place={place} />;
}

function filterOf(query: Record<string, string>): RecordFilter {
  const filter: RecordFilter = {};
  for (const name of ['kind', 'workflow', 'session', 'agent', 'action'] as const) if (query[name]) filter[name] = query[name];
  return filter;
}

function Records({ place }: { place: Place }): JSX.Element {
  const { api } = useApp();
  const filter = filterOf(place.query);
  const before = Number(place.query['before'] ?? 0);
  const found = useLoad((signal) => api.newestRecords(filter, before, kPage, signal), [api, JSON.stringify(filter), before],
    { on: before === 0 ? ['ledger'] : [] });
  return (
    <>
      <h1 tabIndex={-1}>Ledger</h1>
      <VerifyPanel />
      <Panel title="Records">
        <Filters key={JSON.stringify(filter)} filter={filter} />
        <Shown loaded={found} what="records of the ledger">
          {(page) => (
            <>
              {page.records.length === 0 && <p class="muted">No record matches.</p>}
              {page.records.length > 0 && <RecordTable records={page.records} />}
              <nav class="row" aria-label="pages of records">
                {before > 0 && <a class="button" href={placeText('ledger', '', { ...filter })}>Newest</a>}
                {page.from > 1 && <a class="button" href={placeText('ledger', '', { ...filter, before: String(page.from) })}>Older</a>}
              </nav>
            </>
          )}
        </Shown>
      </Panel>
    </>
  );
}

// What is being entered stays when records come meanwhile.
function Filters({ filter }: { filter: RecordFilter }): JSX.Element {
  const [entered, setEntered] = useState<RecordFilter>(filter);
  const submit = (event: Event): void => {
    event.preventDefault();
    location.hash = placeText('ledger', '', Object.fromEntries(Object.entries(entered).map(([name, value]) => [name, value.trim()])));
  };
  const enter = (event: { currentTarget: HTMLInputElement | HTMLSelectElement }): void =>
    setEntered({ ...entered, [event.currentTarget.name]: event.currentTarget.value });
  const field = (name: 'workflow' | 'session' | 'agent' | 'action'): JSX.Element => (
    <Field key={name} label={name} control={(id) => <input id={id} name={name} value={entered[name] ?? ''} onInput={enter} spellcheck={false} />} />
  );
  return (
    <form class="filters" onSubmit={submit} role="search" aria-label="records">
      <Field label="kind" control={(id) => (
        <select id={id} name="kind" value={entered.kind ?? ''} onChange={enter}>
          <option value="">any</option>
          {kKinds.map((kind) => <option key={kind} value={kind}>{wordsOf(kind)}</option>)}
        </select>
      )} />
      {field('workflow')}{field('session')}{field('agent')}{field('action')}
      <button type="submit" class="button">Find</button>
    </form>
  );
}

function RecordTable({ records }: { records: LedgerRecord[] }): JSX.Element {
  return (
    <div class="scroll"><table class="records">
      <caption class="hidden">Records, newest first</caption>
      <thead><tr><th scope="col">record</th><th scope="col">kind</th><th scope="col">workflow</th><th scope="col">about</th><th scope="col">when</th></tr></thead>
      <tbody>
        {records.map((record) => (
          <tr key={record.seq}>
            <td><a href={placeText('ledger', String(record.seq))}>{record.seq}</a></td>
            <td>{wordsOf(record.kind)}</td>
            <td><Plain text={valueText(record.payload['workflow'])} /></td>
            <td><About record={record} /></td>
            <td><Time ms={record.time_ms} /></td>
          </tr>
        ))}
      </tbody>
    </table></div>
  );
}

function About({ record }: { record: LedgerRecord }): JSX.Element {
  const payload = record.payload;
  const code = valueText(payload['failure_code']);
  if (code) return <Badge tone={record.kind === 'refusal' ? 'warn' : 'bad'}>{code}</Badge>;
  if (payload['success'] === true) return <Badge tone="ok">ok</Badge>;
  const spec = (payload['contract'] as { action_spec?: { action_type?: string } } | undefined)?.action_spec;
  return <span class="muted"><Plain text={valueText(spec?.action_type ?? payload['event'] ?? payload['agent'])} /></span>;
}

function RecordPage({ seq }: { seq: number }): JSX.Element {
  const { api, say } = useApp();
  const record = useLoad((signal) => api.record(seq, signal), [api, seq]);
  const download = async (): Promise<void> => {
    const proof = JSON.stringify(await api.proof(seq), null, 2);
    save(`falconer-proof-${seq}.json`, proof);
    say(`The proof of record ${seq} was saved.`);
  };
  return (
    <>
      <h1 tabIndex={-1}>Record {seq}</h1>
      <nav class="row page-head" aria-label="records">
        {seq > 1 && <a class="button" href={placeText('ledger', String(seq - 1))}>Record {seq - 1}</a>}
        <a class="button" href={placeText('ledger', String(seq + 1))}>Record {seq + 1}</a>
        <a class="button" href={placeText('ledger')}>All records</a>
      </nav>
      <Shown loaded={record} what={`record ${seq}`}>
        {(one) => (
          <Panel title={wordsOf(one.kind)} extra={<Act label="Download proof" run={download} />}>
            <Facts rows={[
              ['time', timeText(one.time_ms)],
              ['hash', <Id id={one.hash} length={16} />],
              ['previous', <Id id={one.previous} length={16} />],
              ['workflow', one.payload['workflow'] && <a href={placeText('runs', valueText(one.payload['workflow']))}>{valueText(one.payload['workflow'])}</a>],
            ]} />
            <JsonTree value={one.payload} name="payload" open />
          </Panel>
        )}
      </Shown>
    </>
  );
}

/** Hands a text to the reader as a file. */
function save(name: string, text: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

function VerifyPanel(): JSX.Element {
  const { api } = useApp();
  const [report, setReport] = useState<Verification | null>(null);
  const verify = async (): Promise<void> => {
    setReport(null);
    setReport(await api.verification());
  };
  return (
    <Panel title="Is it whole?" extra={<Act label="Verify" tone="primary" run={verify} />}>
      <div aria-live="polite">
        {report ? <Verdict report={report} /> : <p class="muted">Checks every record, hash and signature of the chain.</p>}
      </div>
    </Panel>
  );
}

function Verdict({ report }: { report: Verification }): JSX.Element {
  const first = report.findings[0];
  const counts = `${report.records} records checked, ${report.signed_size} of them signed, ${report.checkpoints} checkpoints.`;
  if (!first) {
    return (
      <Notice tone="ok" title="The ledger is whole.">
        {' '}{counts} <Facts rows={[['head', <Id id={report.head} length={16} />], ['root', report.root && <Id id={report.root} length={16} />]]} />
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={`The ledger is damaged: ${wordsOf(first.finding)} at record ${first.seq}.`}>
      {' '}<Plain text={first.detail} /> <a href={placeText('ledger', String(first.seq))}>Record {first.seq}</a>. {counts}
      {report.findings.length > 1 && (
        <ul>{report.findings.slice(1).map((finding, i) => <li key={i}>{wordsOf(finding.finding)} at record {finding.seq}: <Plain text={finding.detail} /></li>)}</ul>
      )}
    </Notice>
  );
}
