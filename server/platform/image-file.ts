/**
 * Reads an image that somebody uploads: its type and size. It takes PNG, JPEG and WebP by their own structure, to the
 * last byte, so that no other file passes for one. SVG is refused, because it is a document that can run scripts.
 */
export type ImageFile = { type: 'png' | 'jpg' | 'webp'; width: number; height: number };

/** Undefined if the bytes are no such image, have more after it, or move. */
export const readImageFile = (bytes: Buffer): ImageFile | undefined =>
  readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);

const PNG_START = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Chunks of length, name, data and checksum, from IHDR to IEND. */
function readPng(bytes: Buffer): ImageFile | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_START) || bytes.length < 45) return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR' || bytes.readUInt32BE(8) !== 13) return undefined;
  let hasPixels = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    const next = at + 12 + bytes.readUInt32BE(at);
    if (name === 'acTL') return undefined;
    if (name === 'IDAT') hasPixels = true;
    if (name === 'IEND')
      return hasPixels && next === bytes.length
        ? { type: 'png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
        : undefined;
    at = next;
  }
  return undefined;
}

const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** Segments from the start to the first frame, whose header has the size; the file ends with the end of the image. */
function readJpeg(bytes: Buffer): ImageFile | undefined {
  const { length } = bytes;
  if (length < 20 || bytes.readUInt16BE(0) !== 0xffd8 || bytes.readUInt16BE(length - 2) !== 0xffd9)
    return undefined;
  for (let at = 2; at + 9 <= length; ) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff || marker < 0xc0) return undefined;
    if (isFrame(marker))
      return { type: 'jpg', height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    if (marker === 0xd9 || marker === 0xda) return undefined;
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** A RIFF file of the size that it names. Its first chunk has the size of the image. */
function readWebp(bytes: Buffer): ImageFile | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP' || bytes.readUInt32LE(4) + 8 !== bytes.length)
    return undefined;
  const size = webpSizeOf(bytes, bytes.toString('latin1', 12, 16));
  return size === undefined ? undefined : { type: 'webp', width: size[0], height: size[1] };
}

const ANIMATED = 0x02;

function webpSizeOf(bytes: Buffer, chunk: string): [number, number] | undefined {
  if (chunk === 'VP8X')
    return (bytes.readUInt8(20) & ANIMATED) !== 0
      ? undefined
      : [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  if (chunk === 'VP8L' && bytes.readUInt8(20) === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (chunk === 'VP8 ' && bytes.readUIntBE(23, 3) === 0x9d012a)
    return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  return undefined;
}
