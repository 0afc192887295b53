// Memoised facts about elements (style, role, name, visibility), valid only while nothing changes.
//
// A fact is remembered only inside cached(fn), which must be a synchronous read phase: the page cannot run
// between its start and its end. Code that writes to the page or awaits does so outside of it. Without an
// open scope every function computes afresh, so forgetting the scope costs time, never correctness.

const memos: Memo<unknown>[] = [];
let depth = 0;

export class Memo<V> {
  private values = new Map<unknown, V>();

  constructor() {
    memos.push(this as Memo<unknown>);
  }

  get<K>(key: K, compute: (key: K) => V): V {
    if (depth === 0) return compute(key);
    const known = this.values.get(key);
    if (known !== undefined || this.values.has(key)) return known as V;
    const value = compute(key);
    this.values.set(key, value);
    return value;
  }

  clear(): void {
    if (this.values.size > 0) this.values = new Map();
  }
}

export function cached<T>(read: () => T): T {
  ++depth;
  try {
    return read();
  } finally {
    if (--depth === 0) for (const memo of memos) memo.clear();
  }
}

const styles = new Memo<CSSStyleDeclaration>();

export function styleOf(el: Element): CSSStyleDeclaration {
  return styles.get(el, computedStyle);
}

function computedStyle(el: Element): CSSStyleDeclaration {
  return getComputedStyle(el);
}
