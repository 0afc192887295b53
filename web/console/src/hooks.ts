// What pages are made with: loading, news, time, place.

import { useEffect, useState } from 'preact/hooks';
import { useApp } from './app_context';
import { isAbout, type LiveStatus, type Topic } from './live';
import { parsePlace, type Place } from './route';

export interface Loaded<T> {
  data: T | null;
  error: unknown;
  reload(): void;
}

interface LoadOptions {
  /** Loads again when there is news of these. */
  on?: Topic[];
  /** Of all workflows if none is named. */
  workflow?: string;
}

// News often come several at once; one load answers them all.
const kTogether = 120;

/** Loads when the page opens, when `inputs` change, and when news say so. Never by the clock. */
export function useLoad<T>(load: (signal: AbortSignal) => Promise<T>, inputs: unknown[], options: LoadOptions = {}): Loaded<T> {
  const { live } = useApp();
  const [state, setState] = useState<{ data: T | null; error: unknown }>({ data: null, error: null });
  const [turn, setTurn] = useState(0);

  useEffect(() => {
    const stopper = new AbortController();
    load(stopper.signal).then(
      (data) => !stopper.signal.aborted && setState({ data, error: null }),
      (error: unknown) => !stopper.signal.aborted && setState((old) => ({ ...old, error })),
    );
    return () => stopper.abort();
  }, [...inputs, turn]);

  const wanted = (options.on ?? []).join(' ');
  useEffect(() => {
    if (!wanted) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = live.onNews((news) => {
      const isOfAnother = options.workflow !== undefined && typeof news.data['workflow'] === 'string' && news.data['workflow'] !== options.workflow;
      if (isOfAnother || !isAbout(news, wanted.split(' ') as Topic[]) || timer !== undefined) return;
      timer = setTimeout(() => ((timer = undefined), setTurn((n) => n + 1)), kTogether);
    });
    return () => (end(), clearTimeout(timer));
  }, [live, wanted, options.workflow]);

  return { ...state, reload: () => setTurn((n) => n + 1) };
}

export function useLiveStatus(): { status: LiveStatus; why: string } {
  const { live } = useApp();
  const [, setTurn] = useState(0);
  useEffect(() => live.onStatus(() => setTurn((n) => n + 1)), [live]);
  return { status: live.status, why: live.why };
}

/** The time, told every second while somebody looks. Only what is written changes by it. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => document.hidden || setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

export function usePlace(): Place {
  const [place, setPlace] = useState(() => parsePlace(location.hash));
  useEffect(() => {
    const follow = (): void => setPlace(parsePlace(location.hash));
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}
