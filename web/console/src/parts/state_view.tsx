// What a page shows, as an agent is told; and what changed of it.

import type { JSX } from 'preact';
import { valueText, wordsOf } from '../format';
import type { Json, JsonObject, PageState } from '../types';
import { Badge, Facts, Id, Plain } from './bits';
import { JsonTree } from './json_tree';

export function StateView({ state }: { state: PageState }): JSX.Element {
  return (
    <>
      <Facts rows={[
        ['title', <Plain text={state.title ?? ''} />],
        ['address', <Plain text={state.url} />],
        ['state', <Id id={state.state_id} />],
        ['revision', valueText(state.revision)],
        ['tabs', String(state.tabs?.length ?? 0)],
      ]} />
      <div class="scroll">
        <table>
          <caption class="muted">Elements</caption>
          <thead><tr><th scope="col">ref</th><th scope="col">role</th><th scope="col">name</th><th scope="col">value</th></tr></thead>
          <tbody>
            {(state.elements ?? []).map((element) => (
              <tr key={element.ref}>
                <td><code>{element.ref}</code></td><td>{element.role}</td><td><Plain text={element.name ?? ''} /></td>
                <td>{element.secret ? <span class="muted">{element.filled ? 'filled, secret' : 'empty, secret'}</span> : <Plain text={element.value_hint ?? ''} />}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {(state.texts ?? []).length > 0 && <ul class="texts">{state.texts!.map((text, i) => <li key={i}><span class="muted">{text.kind}</span> <Plain text={text.text} /></li>)}</ul>}
      <JsonTree value={state as unknown as JsonObject} name="all of it" />
    </>
  );
}

const kSigns: Record<string, string> = { add: '+', remove: '−', update: '~', order: '↕', replace: '=' };

/** The operations of a delta, section by section, one line each. */
export function DeltaView({ delta }: { delta: JsonObject | null }): JSX.Element {
  if (!delta) return <p class="muted">Nothing is known.</p>;
  const full = delta['full'] as JsonObject | undefined;
  const sections = Object.entries((delta['ops'] ?? {}) as Record<string, Json>) as [string, JsonObject[]][];
  return (
    <>
      {full && <p><Badge tone="accent">another page</Badge> <Plain text={valueText(full['title'])} /> <span class="muted"><Plain text={valueText(full['url'])} /></span></p>}
      {!full && sections.length === 0 && <p class="muted">Nothing changed.</p>}
      {sections.map(([section, ops]) => (
        <div key={section}>
          <h4>{wordsOf(section)}</h4>
          <ul class="delta">{(Array.isArray(ops) ? ops : []).map((op, i) => <DeltaLine key={i} op={op} />)}</ul>
        </div>
      ))}
      <JsonTree value={delta} name="all of it" />
    </>
  );
}

function DeltaLine({ op }: { op: JsonObject }): JSX.Element {
  const kind = valueText(op['op']);
  const what = op['item'] ?? op['fields'] ?? op['keys'] ?? op['items'];
  return (
    <li class={`delta-${kind}`}>
      <span aria-label={kind} class="sign">{kSigns[kind] ?? '?'}</span> {op['key'] !== undefined && <code>{valueText(op['key'])}</code>} <span>{valueText(what)}</span>
    </li>
  );
}
