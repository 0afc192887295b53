// What is around every page: where one can go, whether news come, who one is.

import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app_context';
import { useLiveStatus } from '../hooks';
import type { LiveStatus } from '../live';
import { type Place, placeText } from '../route';
import { chooseTheme, storedTheme, type Theme } from '../theme';

const kPages = [
  { page: 'overview', title: 'Overview' },
  { page: 'approvals', title: 'Approvals' },
  { page: 'runs', title: 'Runs' },
  { page: 'workflows', title: 'Workflows' },
  { page: 'predict', title: 'Predict' },
  { page: 'ledger', title: 'Ledger' },
  { page: 'policy', title: 'Policy' },
  { page: 'load', title: 'Load' },
];

// By hand: scrollIntoView() also moves where the Tab key begins.
function showCurrent(pages: HTMLElement | null): void {
  const link = pages?.querySelector('[aria-current]')?.getBoundingClientRect();
  if (!pages || !link) return;
  const seen = pages.getBoundingClientRect();
  pages.scrollLeft += Math.min(0, link.left - seen.left) + Math.max(0, link.right - seen.right);
}

export function Shell({ place, pending, signOut, children }: {
  place: Place; pending: number | null; signOut(): void; children: ComponentChildren;
}): JSX.Element {
  const main = useRef<HTMLElement>(null);
  const pages = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  const current = kPages.find((one) => one.page === place.page)?.title ?? 'Session';
  // Who goes to another page by keyboard or hears it read begins at its heading.
  useEffect(() => {
    if (!isFirst.current) main.current?.querySelector('h1')?.focus();
    isFirst.current = false;
    showCurrent(pages.current);
  }, [place.page, place.id]);
  useEffect(() => {
    document.title = `${pending ? `(${pending}) ` : ''}${current} · Falconer`;
  }, [current, pending]);
  const skip = (event: Event): void => {
    event.preventDefault();
    main.current?.focus();
  };
  return (
    <>
      <a class="skip" href="#main" onClick={skip}>Skip to content</a>
      <header class="top">
        <a class="brand" href={placeText('overview')}><span class="mark" aria-hidden="true" /><span class="brand-name">Falconer</span></a>
        <nav ref={pages} aria-label="pages">
          {kPages.map((one) => (
            <a key={one.page} href={placeText(one.page)} aria-current={one.page === place.page ? 'page' : undefined}>
              {one.title}{one.page === 'approvals' && pending ? <span class="count" aria-label={`${pending} pending`}>{pending}</span> : null}
            </a>
          ))}
        </nav>
        <div class="row me"><LiveMark /><Who /><ThemeSwitch /><button type="button" class="button" onClick={signOut}>Sign out</button></div>
      </header>
      <main ref={main} id="main" tabIndex={-1}>{children}</main>
    </>
  );
}

function Who(): JSX.Element {
  const { role } = useApp();
  return <span class="badge plain" title="the role of your key">{role}</span>;
}

const kLiveTexts: Record<LiveStatus, { mark: string; text: string }> = {
  connecting: { mark: 'warn', text: 'connecting' },
  live: { mark: 'ok', text: 'live' },
  waiting: { mark: 'bad', text: 'reconnecting' },
  absent: { mark: 'plain', text: 'no live news' },
  stopped: { mark: 'plain', text: 'stopped' },
};

function LiveMark(): JSX.Element {
  const { status, why } = useLiveStatus();
  const { mark, text } = kLiveTexts[status];
  const about = status === 'absent' ? 'This server tells no news by itself: use Refresh.' : why;
  return <span class="live-mark" role="status" title={about}><i class={`dot ${mark}`} aria-hidden="true" />{text}</span>;
}

function ThemeSwitch(): JSX.Element {
  const [theme, setTheme] = useState<Theme>(storedTheme());
  const choose = (event: { currentTarget: HTMLSelectElement }): void => {
    const chosen = event.currentTarget.value as Theme;
    chooseTheme(chosen);
    setTheme(chosen);
  };
  return (
    <select class="theme" aria-label="colours" value={theme} onChange={choose}>
      <option value="system">auto</option><option value="light">light</option><option value="dark">dark</option>
    </select>
  );
}
