// What a session's page showed when its last turn ended, put together from the record. It is there also
// for those who may not look at sessions, and while the page itself cannot answer because it waits.

import { type Api, ApiError } from './api';
import type { JsonObject, LedgerRecord, PageState } from './types';

// Enough to reach back to the turn that opened the page.
const kRecords = 90;

type Item = JsonObject;

/** null when nobody can tell. */
export async function lastPage(api: Api, workflow: string, signal: AbortSignal): Promise<PageState | null> {
  const known = await api.newestRecords({ workflow, kind: 'turn_closed' }, 0, kRecords, signal).then((found) => pageAfter(found.records), nothing);
  return known ?? api.state(workflow, 'page', signal).catch(nothing);
}

function nothing(error: unknown): null {
  if (error instanceof ApiError) return null;
  throw error;
}

/** The records of one workflow, in any order. */
export function pageAfter(records: LedgerRecord[]): PageState | null {
  let page: PageState | null = null;
  for (const record of [...records].sort((a, b) => a.seq - b.seq)) {
    const delta = ((record.payload['result'] ?? {}) as JsonObject)['state_delta'] as JsonObject | undefined;
    if (delta?.['full']) page = delta['full'] as unknown as PageState;
    else if (delta && page) page = applied(page, delta);
  }
  return page;
}

function applied(page: PageState, delta: JsonObject): PageState {
  const next = { ...page } as unknown as Record<string, unknown>;
  for (const [section, ops] of Object.entries((delta['ops'] ?? {}) as Record<string, Item[]>)) {
    next[section] = ops.reduce(withOp, (next[section] ?? []) as Item[]);
  }
  return next as unknown as PageState;
}

// The operations in the order and meaning in which states are told (docs/driver.md).
function withOp(items: Item[], op: Item): Item[] {
  const key = String(op['key']);
  const isMeant = (item: Item, at: number): boolean => String(item['ref'] ?? item['fid'] ?? item['tab_id'] ?? item['id'] ?? at) === key;
  switch (op['op']) {
    case 'replace':
      return op['items'] as unknown as Item[];
    case 'remove':
      return items.filter((item, at) => !isMeant(item, at));
    case 'update':
      return items.map((item, at) => (isMeant(item, at) ? { ...item, ...(op['fields'] as Item) } : item));
    case 'add':
      return items.toSpliced(op['index'] as number, 0, op['item'] as Item);
    default:
      return items;
  }
}
