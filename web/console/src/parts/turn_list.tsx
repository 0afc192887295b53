// Turns below each other; each opens to all that is known of it.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { placeText } from '../route';
import type { Turn } from '../turns';
import { Time } from './bits';
import { TurnBadge, TurnTitle, TurnTook, TurnView } from './turn_view';

export function TurnList({ turns, withWorkflow = true }: { turns: Turn[]; withWorkflow?: boolean }): JSX.Element {
  if (turns.length === 0) return <p class="muted">No turns yet.</p>;
  return <ol class="turns">{turns.map((turn) => <TurnRow key={turn.key} turn={turn} withWorkflow={withWorkflow} />)}</ol>;
}

// What is closed is not drawn: a turn has hundreds of lines.
function TurnRow({ turn, withWorkflow }: { turn: Turn; withWorkflow: boolean }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <li>
      <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <span class="turn-title"><TurnTitle turn={turn} /></span>
          <span class="turn-end">
            <TurnBadge turn={turn} /><TurnTook turn={turn} /><span class="muted"><Time ms={turn.startedMs} /></span>
          </span>
        </summary>
        {isOpen && (
          <>
            {withWorkflow && turn.workflow && <p>in <a href={placeText('runs', turn.workflow)}>{turn.workflow}</a></p>}
            <TurnView turn={turn} />
          </>
        )}
      </details>
    </li>
  );
}
