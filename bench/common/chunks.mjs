// The chunks of a body that is sent in chunks.

// The chunks of a body as far as they are whole: { data, end }, where `end` is behind the data. The last one of a body
// is empty.
export function* chunksOf(bytes) {
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    if (line < 0) return;
    const begin = line + 2;
    const end = begin + parseInt(bytes.toString('latin1', at, line), 16);
    if (Number.isNaN(end)) throw new Error('the chunks of a body have no length');
    if (end > bytes.length) return;
    yield { data: bytes.subarray(begin, end), end };
    if (end === begin) return;
    at = end + 2;
  }
}
