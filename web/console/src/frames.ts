// Frames of a live view as they come over /stream/{session}: a header, then a JPEG picture.
//
//   offset  size  field (big endian)
//   0       1     version, 1
//   1       1     type, 1: a picture
//   2       2     length of the header; the picture begins there
//   4       8     sequence
//   12      8     time in milliseconds since 1970
//   20      2     width of the picture
//   22      2     height
//
// A header may be longer than what is known here; a frame of another type is skipped.

export interface Frame {
  sequence: bigint;
  timeMs: number;
  width: number;
  height: number;
  picture: Uint8Array<ArrayBuffer>;
}

const kVersion = 1;
const kPicture = 1;
const kKnownHeader = 24;

export class FrameError extends Error {}

/** null for a frame that is no picture. Throws FrameError for what cannot be read. */
export function parseFrame(bytes: ArrayBuffer): Frame | null {
  if (bytes.byteLength < 4) throw new FrameError(`a frame of ${bytes.byteLength} bytes is too short`);
  const view = new DataView(bytes);
  const version = view.getUint8(0);
  if (version !== kVersion) throw new FrameError(`frames of version ${version} are not known here`);
  if (view.getUint8(1) !== kPicture) return null;
  const header = view.getUint16(2);
  if (header < kKnownHeader || header > bytes.byteLength) {
    throw new FrameError(`a header of ${header} bytes cannot be read`);
  }
  return {
    sequence: view.getBigUint64(4),
    timeMs: Number(view.getBigUint64(12)),
    width: view.getUint16(20),
    height: view.getUint16(22),
    picture: new Uint8Array(bytes, header),
  };
}
