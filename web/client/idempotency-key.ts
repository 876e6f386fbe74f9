import { type FailureCode, isApiError } from './call.ts';

/** A new `Idempotency-Key`: 128 random bits. Unlike randomUUID this also works on plain http. */
export function newIdempotencyKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
}

/**
 * Refusals after which it is unknown whether an earlier attempt succeeded. They precede the key's lookup or come from
 * no rule.
 */
const unknownOutcomes = new Set<FailureCode>([
  'unreachable',
  'internal',
  'rate-limited',
  'unauthenticated',
  'in-progress',
]);

/**
 * Whether it is unknown if the act was carried out. The next press then sends the same key and gets the result of the
 * first; a new key could carry the act out twice.
 */
export const isOutcomeUnknown = (error: unknown): boolean =>
  isApiError(error) && (error.status >= 500 || unknownOutcomes.has(error.code));
