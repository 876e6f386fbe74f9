import { timingSafeEqual } from 'node:crypto';
import type { PostbackMessage } from './message.ts';
import type { Verdict } from './provider.ts';
import { InvalidPostback } from './raw-query.ts';

/**
 * Checks in the order that all adapters need: a secret is set, the signature matches, the parameters are valid. Without
 * a secret nothing verifies, because anyone can compute a hash with an empty secret.
 */
export function verifyPostback(steps: {
  secret: string;
  isSigned: () => boolean;
  translate: () => PostbackMessage;
}): Verdict {
  if (steps.secret === '') return { ok: false, code: 'invalid-signature', why: 'No secret is set' };
  if (!steps.isSigned()) return { ok: false, code: 'invalid-signature', why: 'The signature does not match' };
  try {
    return { ok: true, message: steps.translate() };
  } catch (error) {
    if (error instanceof InvalidPostback) return { ok: false, code: 'invalid-postback', why: error.message };
    throw error;
  }
}

/** Whether a received digest in URL-safe base64 without padding is the expected one; compared in constant time. */
export function isBase64Digest(received: string, expected: string): boolean {
  if (received.length !== expected.length || !/^[\w-]+$/.test(received)) return false;
  return timingSafeEqual(Buffer.from(received, 'latin1'), Buffer.from(expected, 'latin1'));
}

/** Whether a received hex digest, in either case, is the expected lower-case one; compared in constant time. */
export function isDigest(received: string, expected: string): boolean {
  if (received.length !== expected.length || !/^[0-9a-f]+$/i.test(received)) return false;
  return timingSafeEqual(Buffer.from(received.toLowerCase(), 'latin1'), Buffer.from(expected, 'latin1'));
}
