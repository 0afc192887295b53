// A JSON value that can be opened piece by piece.

import type { JSX } from 'preact';
import { plainText } from '../format';
import type { Json } from '../types';

// Longer lists are shown in parts: a page of a ledger must not freeze on one record.
const kMostItems = 200;

export function JsonTree({ value, name, open = false }: { value: Json | undefined; name?: string; open?: boolean }): JSX.Element {
  if (value === null || value === undefined || typeof value !== 'object') {
    return <div class="json-line">{name !== undefined && <Name name={name} />}<Leaf value={value ?? null} /></div>;
  }
  const entries = Array.isArray(value) ? value.map((item, i): [string, Json] => [String(i), item]) : Object.entries(value) as [string, Json][];
  if (entries.length === 0) {
    return <div class="json-line">{name !== undefined && <Name name={name} />}<span class="muted">{Array.isArray(value) ? '[]' : '{}'}</span></div>;
  }
  const count = Array.isArray(value) ? `[${entries.length}]` : `{${entries.length}}`;
  return (
    <details class="json" open={open}>
      <summary>{name !== undefined ? <Name name={name} /> : null}<span class="muted">{count}</span></summary>
      <div class="json-inside">
        {entries.slice(0, kMostItems).map(([key, item]) => <JsonTree key={key} name={key} value={item} />)}
        {entries.length > kMostItems && <div class="muted">and {entries.length - kMostItems} more</div>}
      </div>
    </details>
  );
}

function Name({ name }: { name: string }): JSX.Element {
  return <span class="json-name">{plainText(name)}: </span>;
}

function Leaf({ value }: { value: Json }): JSX.Element {
  const text = typeof value === 'string' ? `"${plainText(value)}"` : String(value);
  return <span class={`json-${value === null ? 'null' : typeof value}`}>{text}</span>;
}
