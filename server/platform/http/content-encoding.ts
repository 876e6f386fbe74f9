import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';

/** The encodings that documents and the web's files are sent in. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Chooses brotli if it is accepted, else gzip, else no encoding. `q=0` refuses an encoding. */
export function encodingOf(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  const taken = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['br', 'gzip']);
  if (taken.includes('br')) return 'br';
  return taken.includes('gzip') ? 'gzip' : 'identity';
}

/**
 * Encodes a text. With `kept` it uses high levels, for a text that is compressed once and sent often; without, low
 * ones, for a text that is sent once.
 */
export function encoded(text: string, encoding: Encoding, kept: boolean): Buffer {
  const bytes = Buffer.from(text);
  if (encoding === 'gzip') return gzipSync(bytes, { level: kept ? 9 : 5 });
  if (encoding === 'identity') return bytes;
  const quality = kept ? 10 : 4;
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}
