// The console begins here: a key, then pages.

import { render, type JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Api, ApiError, explainError } from './api';
import { type App, AppContext, useApp } from './app_context';
import { useLoad, usePlace } from './hooks';
import { Live } from './live';
import { noticeNew } from './notices';
import { Approvals } from './pages/approvals';
import { LedgerPage } from './pages/ledger';
import { LoadPage } from './pages/load';
import { Overview } from './pages/overview';
import { PolicyPage } from './pages/policy';
import { PredictPage } from './pages/predict';
import { Runs } from './pages/runs';
import { SessionPage } from './pages/session';
import { SignIn } from './pages/sign_in';
import { Workflows } from './pages/workflows';
import { Notice } from './parts/bits';
import { Shell } from './parts/shell';
import { keyInHash, placeText } from './route';
import { applyTheme, storedTheme } from './theme';
import type { Role } from './types';

const kStoredKey = 'falconer.key';
const kSaidFor = 6000;

interface SignedIn {
  api: Api;
  role: Role;
}

/** A key in the address is taken out of it before anything else, so that it is in no history and no bookmark. */
function takeKey(): string | null {
  const handed = keyInHash(location.hash);
  if (!handed) return sessionStorage.getItem(kStoredKey);
  history.replaceState(null, '', `${location.pathname}#/overview`);
  return handed;
}

function whyNot(error: unknown): string {
  if (!(error instanceof ApiError)) return explainError(error);
  if (error.isWrongKey) return 'This key is not one of the server’s. Links end with their server: take the newest one, or a key that “falconer serve” printed at its first start.';
  return explainError(error);
}

function Root(): JSX.Element | null {
  const [signedIn, setSignedIn] = useState<SignedIn | null>(null);
  const [why, setWhy] = useState('');
  const [isBusy, setBusy] = useState(false);
  const first = useMemo(takeKey, []);

  const signIn = async (key: string): Promise<void> => {
    setBusy(true);
    const api = new Api(key);
    try {
      await api.learn().catch(() => undefined);
      const role = await api.whoami();
      sessionStorage.setItem(kStoredKey, key);
      setWhy('');
      setSignedIn({ api, role });
    } catch (error) {
      if (error instanceof ApiError && error.isWrongKey) sessionStorage.removeItem(kStoredKey);
      setWhy(whyNot(error));
    } finally {
      setBusy(false);
    }
  };
  useEffect(() => {
    if (first) void signIn(first);
    const follow = (): void => {
      const handed = keyInHash(location.hash) && takeKey();
      if (handed) void signIn(handed);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, [first]);

  const signOut = (text: string): void => {
    sessionStorage.removeItem(kStoredKey);
    setSignedIn(null);
    setWhy(text);
  };
  if (signedIn) return <Console signedIn={signedIn} signOut={signOut} />;
  // Who brings a key does not see a form flash by.
  if (first && isBusy && !why) return <p class="muted center" role="status">Signing in…</p>;
  return <SignIn why={why} isBusy={isBusy} signIn={(key) => void signIn(key)} />;
}

function Console({ signedIn, signOut }: { signedIn: SignedIn; signOut(why: string): void }): JSX.Element {
  const [said, setSaid] = useState('');
  const app = useMemo<App>(() => ({
    ...signedIn,
    live: new Live(signedIn.api, () => signOut('The server does not know this key any more.')),
    say: setSaid,
  }), [signedIn]);
  useEffect(() => {
    app.live.start();
    return () => app.live.stop();
  }, [app]);
  useEffect(() => {
    if (!said) return undefined;
    const timer = setTimeout(() => setSaid(''), kSaidFor);
    return () => clearTimeout(timer);
  }, [said]);
  return (
    <AppContext.Provider value={app}>
      <Pages signOut={() => signOut('')} />
      <div class="said" role="status" aria-live="polite">{said}</div>
    </AppContext.Provider>
  );
}

function Pages({ signOut }: { signOut(): void }): JSX.Element {
  const { api, role } = useApp();
  const place = usePlace();
  const approvals = useLoad((signal) => api.approvals(signal), [api], { on: ['approval'] });
  const seen = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!approvals.data) return;
    // What waited before somebody looked is no news.
    if (seen.current) noticeNew(seen.current, approvals.data, () => (location.hash = placeText('approvals')));
    seen.current = new Set(approvals.data.map((one) => one.request_id));
  }, [approvals.data]);
  const pending = approvals.data?.length ?? null;
  const pages: Record<string, () => JSX.Element> = {
    overview: () => <Overview pending={pending} />,
    sessions: () => <SessionPage key={place.id} id={place.id} />,
    approvals: () => <Approvals approvals={approvals} />,
    runs: () => <Runs id={place.id} />,
    workflows: () => <Workflows id={place.id} />,
    predict: () => <PredictPage place={place} />,
    ledger: () => <LedgerPage place={place} />,
    policy: () => <PolicyPage />,
    load: () => <LoadPage />,
  };
  return (
    <Shell place={place} pending={pending} signOut={signOut}>
      {role === 'agent' && <Notice tone="warn">A key for the role agent may look at sessions only. Approvals and the ledger need another.</Notice>}
      {pages[place.page]?.() ?? <><h1 tabIndex={-1}>Nothing here</h1><p><a href={placeText('overview')}>To the overview</a></p></>}
    </Shell>
  );
}

applyTheme(storedTheme());
render(<Root />, document.getElementById('app')!);
