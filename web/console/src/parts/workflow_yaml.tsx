// The document of a workflow as YAML: to read, and for operators to edit.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { explainError } from '../api';
import { mayDrive, useApp } from '../app_context';
import { plainText } from '../format';
import { useLoad } from '../hooks';
import { placeText } from '../route';
import { Act, Notice, Panel, Plain, Shown } from './bits';

export function YamlPanel({ name, version, onChange }: { name: string; version: number; onChange(): void }): JSX.Element {
  const { api, role } = useApp();
  const yaml = useLoad((signal) => api.workflowYaml(name, signal), [api, name, version]);
  return (
    <Panel title="Document">
      <details class="part">
        <summary>As YAML</summary>
        <div class="part-inside">
          <Shown loaded={yaml} what="its document">
            {(text) => mayDrive(role) ? <Editor name={name} text={text} onChange={onChange} /> : <pre class="body">{plainText(text)}</pre>}
          </Shown>
        </div>
      </details>
      {mayDrive(role) && <Forget name={name} />}
    </Panel>
  );
}

function Editor({ name, text, onChange }: { name: string; text: string; onChange(): void }): JSX.Element {
  const { api, say } = useApp();
  const [edited, setEdited] = useState(text);
  const [why, setWhy] = useState('');
  useEffect(() => setEdited(text), [text]);
  const save = async (): Promise<void> => {
    try {
      const put = await api.putWorkflowYaml(name, edited);
      setWhy('');
      say(`Saved as version ${put.version ?? 0}.`);
      onChange();
    } catch (error) {
      setWhy(explainError(error));
    }
  };
  return (
    <>
      <textarea class="yaml" aria-label={`document of ${name}`} aria-invalid={why !== ''} spellcheck={false} rows={24} value={edited} onInput={(event) => setEdited(event.currentTarget.value)} />
      {why && <Notice tone="bad"><Plain text={why} /></Notice>}
      <div class="row">
        <Act label="Save as next version" tone="primary" disabled={edited === text} run={save} />
        <button type="button" class="button" disabled={edited === text} onClick={() => (setEdited(text), setWhy(''))}>Undo</button>
      </div>
    </>
  );
}

/** Asks once more: what is forgotten does not come back. */
function Forget({ name }: { name: string }): JSX.Element {
  const { api, say } = useApp();
  const [isAsked, setAsked] = useState(false);
  const forget = async (): Promise<void> => {
    await api.deleteWorkflow(name);
    say(`${name} and its recordings are forgotten.`);
    location.hash = placeText('workflows');
  };
  if (!isAsked) return <p><button type="button" class="button danger" onClick={() => setAsked(true)}>Forget this workflow…</button></p>;
  return <p class="row">It and its recordings will be gone. <Act label="Forget it" tone="danger" run={forget} /><button type="button" class="button" onClick={() => setAsked(false)}>Keep it</button></p>;
}
