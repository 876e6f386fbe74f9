import { type FailureCode, isApiError } from './call.ts';

/** A fresh key for `Idempotency-Key`: 128 random bits. Unlike randomUUID this works on plain http too. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/** Said before the key is looked at, or by none of our rules: an earlier press may have done its work all the same. */
const undecided = new Set<FailureCode>([
  'unreachable',
  'internal',
  'rate-limited',
  'unauthenticated',
  'in-progress',
]);

/**
 * Whether it stays unknown if the act of this key was carried out. The next press then sends the same key: it hears
 * what became of the first, where a new key would do it a second time.
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
  isApiError(error) && (error.status >= 500 || undecided.has(error.code));
