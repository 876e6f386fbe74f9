import { createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { PostbackMessage } from './message.ts';
import type { CallSignature, ProviderAdapter, RawPostback, Verdict } from './provider.ts';
import { InvalidPostback, isBytes } from './raw-query.ts';

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

type Signed = Pick<ProviderAdapter, 'signatureOf' | 'translate'>;

/** Verifies a call by what its company signs, then translates it. */
export const verifySigned = (adapter: Signed, raw: RawPostback, secret: string): Verdict =>
  verifyPostback({
    secret,
    isSigned: () => isSignedWith(adapter.signatureOf(raw), secret),
    translate: () => adapter.translate(raw),
  });

/** What a call says of itself, whoever sent it; undefined if it can't be read. */
export function readClaims({ translate }: Signed, raw: RawPostback): PostbackMessage | undefined {
  const verdict = verifyPostback({ secret: 'none', isSigned: () => true, translate: () => translate(raw) });
  return verdict.ok ? verdict.message : undefined;
}

/** The signature that the text has with this secret. */
export function digestWith({ algorithm, text, encoding }: CallSignature, secret: string): string {
  if (algorithm === 'md5') return hash('md5', text + secret, encoding);
  return createHmac(algorithm, secret).update(text, 'latin1').digest(encoding);
}

/** Whether a call has the signature of this secret. */
export function isSignedWith(signature: CallSignature, secret: string): boolean {
  const { algorithm, text, received, encoding } = signature;
  if (algorithm !== 'md5' && !isBytes(text)) return false;
  const expected = digestWith(signature, secret);
  return encoding === 'hex' ? isDigest(received, expected) : isBase64Digest(received, expected);
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
