// Who comes without a key.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Notice } from '../parts/bits';

export function SignIn({ why, isBusy, signIn }: { why: string; isBusy: boolean; signIn(key: string): void }): JSX.Element {
  const [key, setKey] = useState('');
  const [isEmpty, setEmpty] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    setEmpty(key.trim() === '');
    if (key.trim()) signIn(key.trim());
  };
  const problem = isEmpty ? 'Paste a key first.' : why;
  return (
    <main class="sign-in">
      <h1><span class="mark" aria-hidden="true" />Falconer console</h1>
      <form class="panel" onSubmit={submit}>
        <label for="key">Key</label>
        <input id="key" type="password" autocomplete="off" spellcheck={false} placeholder="fk_…" value={key} autofocus
          aria-invalid={problem !== ''} aria-describedby="key-help key-problem" onInput={(event) => setKey(event.currentTarget.value)} />
        <p id="key-help" class="muted">
          <code>falconer serve</code> prints a key for each role at its first start. It stays in this tab only and is forgotten when the tab closes.
        </p>
        <div id="key-problem">{problem && <Notice tone="bad">{problem}</Notice>}</div>
        <button type="submit" class="button primary" disabled={isBusy} aria-busy={isBusy}>Sign in</button>
      </form>
    </main>
  );
}
