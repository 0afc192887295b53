// What a session shows right now; and the way in for a person who has taken it over.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../app_context';
import { LiveFeed } from '../live_feed';
import { drawPicture } from './picture';

export function LiveView({ session, small = false, mayAct = false }: { session: string; small?: boolean; mayAct?: boolean }): JSX.Element {
  const { api, say } = useApp();
  const canvas = useRef<HTMLCanvasElement>(null);
  const feed = useRef<LiveFeed | null>(null);
  const [text, setText] = useState('');
  useEffect(() => {
    const mine = new LiveFeed(api, session, {
      say: setText,
      show: async (picture) => {
        if (canvas.current) await drawPicture(canvas.current, picture);
        setText('');
      },
      done: (why) => say(why || 'Done.'),
    });
    feed.current = mine;
    mine.start();
    return () => mine.stop();
  }, [api, session]);

  const click = (event: MouseEvent): void => {
    const at = canvas.current!.getBoundingClientRect();
    feed.current?.click((event.clientX - at.left) / at.width, (event.clientY - at.top) / at.height);
  };
  // The Tab key goes on in the console, so that nobody is caught in the picture.
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key.length === 1) feed.current?.type(event.key);
    else if (kPassedOn.includes(event.key)) feed.current?.press(event.key);
    else return;
    event.preventDefault();
  };
  const isShown = text === '';
  return (
    <>
      <div class={`live ${small ? 'small' : ''} ${mayAct ? 'taken' : ''}`}>
        <canvas ref={canvas} role="img" aria-label={`Live view of ${session}`} hidden={!isShown} tabIndex={mayAct ? 0 : undefined}
          onClick={mayAct ? click : undefined} onKeyDown={mayAct ? press : undefined} />
        {!isShown && <p class="live-text" role={small ? undefined : 'status'}>{text}</p>}
      </div>
      {mayAct && isShown && <Keys feed={feed} />}
    </>
  );
}

const kPassedOn = ['Enter', 'Escape', 'Backspace', 'Delete', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown'];
const kKeys = ['Enter', 'Tab', 'Escape', 'Backspace', 'PageDown', 'PageUp'];

/** What the mouse cannot do: text and keys go to where the focus of the page is. */
function Keys({ feed }: { feed: { current: LiveFeed | null } }): JSX.Element {
  const [typed, setTyped] = useState('');
  const type = (event: Event): void => {
    event.preventDefault();
    if (typed) feed.current?.type(typed);
    setTyped('');
  };
  return (
    <form class="row steering" onSubmit={type}>
      <span class="muted">Click in the picture and type, or</span>
      <input aria-label="text to type" placeholder="type" value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
      <button type="submit" class="button">Type</button>
      {kKeys.map((key) => <button key={key} type="button" class="button" onClick={() => feed.current?.press(key)}>{key}</button>)}
    </form>
  );
}
