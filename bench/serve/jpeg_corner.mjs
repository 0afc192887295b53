// How bright the top left corner of a JPEG is. Only the first number of its data is read, which is the mean of the
// corner's 8 by 8 pixels.

const kQuantizers = 0xdb;
const kHuffman = 0xc4;
const kScan = 0xda;
const kFrames = [0xc0, 0xc1, 0xc2];  // baseline, extended, progressive
const kBlock = 8;
const kMiddle = 128;

// The segments before the data, and where the data begins.
function* segmentsOf(jpeg) {
  if (jpeg.readUInt16BE(0) !== 0xffd8) throw new Error('this is no JPEG');
  for (let at = 2; ;) {
    const kind = jpeg.readUInt16BE(at) & 0xff;
    const end = at + 2 + jpeg.readUInt16BE(at + 2);
    yield { kind, body: jpeg.subarray(at + 4, end), end };
    if (kind === kScan) return;
    at = end;
  }
}

// Codes of brightness (table 0), as Map("length:code" -> category).
function codesIn(body, codes) {
  for (let at = 0; at < body.length;) {
    const isFirst = body[at] === 0;
    const counts = body.subarray(at + 1, at + 17);
    let symbol = at + 17;
    let code = 0;
    counts.forEach((count, i) => {
      for (let n = 0; n < count; ++n) {
        if (isFirst) codes.set(`${i + 1}:${code}`, body[symbol]);
        ++symbol;
        ++code;
      }
      code <<= 1;
    });
    at = symbol;
  }
}

// Table 0 comes first in every JPEG of a browser; values of two bytes are marked.
function firstQuantizer(body) {
  return body[0] >> 4 ? body.readUInt16BE(1) : body[1];
}

function* bitsOf(bytes) {
  for (let at = 0; at < bytes.length; ++at) {
    for (let bit = 7; bit >= 0; --bit) yield (bytes[at] >> bit) & 1;
    if (bytes[at] === 0xff) ++at;  // a zero is put behind it
  }
}

function firstNumber(data, codes) {
  const bits = bitsOf(data);
  let code = 0;
  for (let length = 1; length <= 16; ++length) {
    code = code << 1 | bits.next().value;
    const category = codes.get(`${length}:${code}`);
    if (category === undefined) continue;
    let value = 0;
    for (let n = 0; n < category; ++n) value = value << 1 | bits.next().value;
    return category > 0 && value < 1 << (category - 1) ? value - (1 << category) + 1 : value;
  }
  throw new Error('the data of the JPEG cannot be read');
}

// From 0, black, to 255.
export function cornerOf(jpeg) {
  const codes = new Map();
  let quantizer;
  let shift = 0;
  let data;
  for (const { kind, body, end } of segmentsOf(jpeg)) {
    if (kind === kQuantizers) quantizer ??= firstQuantizer(body);
    if (kind === kHuffman) codesIn(body, codes);
    if (kind === kScan) {
      shift = body.at(-1) & 15;
      data = jpeg.subarray(end);
    }
  }
  const mean = kMiddle + (firstNumber(data, codes) << shift) * quantizer / kBlock;
  return Math.min(255, Math.max(0, mean));
}
