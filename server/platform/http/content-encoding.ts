import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import Negotiator from 'negotiator';

/** Which of the encodings that the web's files have beside them a browser takes, and how a document gets them. */
export type Encoding = 'br' | 'gzip' | 'identity';

/** Brotli where it is accepted, else gzip, else nothing. An encoding that is refused by `q=0` is not used. */
export function encodingOf(accepted: string | undefined): Encoding {
  if (accepted === undefined) return 'identity';
  const taken = new Negotiator({ headers: { 'accept-encoding': accepted } }).encodings(['br', 'gzip']);
  if (taken.includes('br')) return 'br';
  return taken.includes('gzip') ? 'gzip' : 'identity';
}

/**
 * The bytes of a text in an encoding. `kept` is for what is compressed once and sent often; a text that is made for one
 * answer gets the levels that cost least for what they save.
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
