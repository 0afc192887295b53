// Where in the console one is: the part of the address behind "#".

export interface Place {
  page: string;
  /** What the page is about: a session, a record, a run. */
  id: string;
  query: Record<string, string>;
}

export function parsePlace(hash: string): Place {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  const [page = '', ...rest] = path.split('/');
  return { page: page || 'overview', id: decode(rest.join('/')), query: Object.fromEntries(new URLSearchParams(query)) };
}

export function placeText(page: string, id = '', query: Record<string, string> = {}): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== '');
  const tail = pairs.length > 0 ? `?${new URLSearchParams(pairs).toString()}` : '';
  return `#/${page}${id ? `/${encodeURIComponent(id)}` : ''}${tail}`;
}

/** "#key=fk_..." hands a key over; null for every other address. */
export function keyInHash(hash: string): string | null {
  const key = /^#key=(.+)$/.exec(hash)?.[1];
  return key ? decode(key).trim() : null;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
