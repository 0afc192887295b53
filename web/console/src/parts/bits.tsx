// Small things that all pages are made of.

import type { ComponentChildren, JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useApp } from '../app_context';
import { ApiError, explainError } from '../api';
import { agoText, plainText, shortId, timeText } from '../format';
import { type Loaded, useNow } from '../hooks';

export type Tone = 'ok' | 'bad' | 'warn' | 'plain' | 'accent';

export function Badge({ tone = 'plain', children }: { tone?: Tone; children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${tone}`}>{children}</span>;
}

export function Notice({ tone = 'plain', title, children }: { tone?: Tone; title?: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      {title && <strong>{title}</strong>}
      {children}
    </div>
  );
}

/** What a load came to. Old data stays while new data is on its way, and when it does not come. */
export function Shown<T>({ loaded, what, children }: { loaded: Loaded<T>; what: string; children: (data: T) => ComponentChildren }): JSX.Element {
  return (
    <>
      {loaded.error !== null && <LoadFailure error={loaded.error} what={what} retry={loaded.reload} />}
      {loaded.data === null && loaded.error === null && <p class="muted" aria-busy="true">Loading {what}…</p>}
      {loaded.data !== null && children(loaded.data)}
    </>
  );
}

function LoadFailure({ error, what, retry }: { error: unknown; what: string; retry(): void }): JSX.Element {
  if (error instanceof ApiError && error.isAbsent) return <Notice>This server does not offer {what}.</Notice>;
  if (error instanceof ApiError && error.isForbidden) return <Notice>This key may not see {what}.</Notice>;
  return (
    <Notice tone="bad" title={`No ${what}.`}>
      {' '}{explainError(error)} <button type="button" class="link" onClick={retry}>Try again</button>
    </Notice>
  );
}

export function Panel({ title, extra, children, id }: { title: ComponentChildren; extra?: ComponentChildren; children: ComponentChildren; id?: string }): JSX.Element {
  return (
    <section class="panel" id={id}>
      <header class="panel-head"><h2>{title}</h2>{extra && <div class="row">{extra}</div>}</header>
      {children}
    </section>
  );
}

export function Time({ ms }: { ms: number }): JSX.Element {
  const now = useNow();
  if (!Number.isFinite(ms)) return <span class="muted">unknown</span>;
  return <time dateTime={new Date(ms).toISOString()} title={timeText(ms)}>{agoText(ms, now)}</time>;
}

/** An id, shortened; a click copies the whole. */
export function Id({ id, length = 14 }: { id: string; length?: number }): JSX.Element {
  const { say } = useApp();
  const copy = (): void => void navigator.clipboard.writeText(id).then(() => say('Copied.'), () => say('The browser did not allow copying.'));
  return <button type="button" class="id" title={`${id}\nCopy`} aria-label={`Copy ${id}`} onClick={copy}>{shortId(id, length)}</button>;
}

export function Facts({ rows }: { rows: [string, ComponentChildren][] }): JSX.Element {
  const told = rows.filter(([, value]) => value !== '' && value !== null && value !== undefined && value !== false);
  return <dl class="facts">{told.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{value}</dd></div>)}</dl>;
}

/** Text that came from outside: never marked up, and nothing in it can hide. */
export function Plain({ text }: { text: string }): JSX.Element {
  return <span class="plain">{plainText(text)}</span>;
}

/** A button that does something at the server: not twice at once, and it tells what went wrong. */
export function Act({ label, run, tone, disabled, title }: {
  label: string; run: () => Promise<void>; tone?: 'primary' | 'danger'; disabled?: boolean; title?: string;
}): JSX.Element {
  const [isBusy, setBusy] = useState(false);
  const { say } = useApp();
  const click = (): void => {
    setBusy(true);
    run().catch((error: unknown) => say(explainError(error))).finally(() => setBusy(false));
  };
  return (
    <button type="button" class={`button ${tone ?? ''}`} disabled={disabled || isBusy} aria-busy={isBusy} title={title} onClick={click}>
      {label}
    </button>
  );
}

/** A control below its label. */
export function Field({ label, control }: { label: string; control: (id: string) => JSX.Element }): JSX.Element {
  const id = useId();
  return <div class="field"><label for={id}>{label}</label>{control(id)}</div>;
}

export function toneOfRisk(level: string): Tone {
  return level === 'critical' || level === 'high' ? 'bad' : level === 'medium' ? 'warn' : 'plain';
}
