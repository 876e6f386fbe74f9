import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RefusalCode, refusals } from '#contract/refusals.ts';
import { ApiError } from './call.ts';
import { isOutcomeUnknown, newIdempotencyKey } from './idempotency-key.ts';

const refusedAs = (code: RefusalCode, status: number = refusals[code].status) =>
  new ApiError(status, code, refusals[code].detail, null);

test('creates a unique key of 128 bits', () => {
  const keys = Array.from({ length: 100 }, newIdempotencyKey);
  assert.equal(new Set(keys).size, 100);
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
});

test('reports an unknown outcome after a lost answer and after a fault', () => {
  assert.ok(isOutcomeUnknown(new ApiError(0, 'unreachable', 'The server did not answer.', null)));
  assert.ok(isOutcomeUnknown(refusedAs('internal')));
  assert.ok(isOutcomeUnknown(refusedAs('overloaded')));
  // Answers of a proxy in front of the server have no code.
  for (const status of [408, 429, 502, 504]) assert.ok(isOutcomeUnknown(refusedAs('internal', status)));
});

test("reports an unknown outcome after a refusal that precedes the key's lookup", () => {
  for (const code of ['rate-limited', 'unauthenticated', 'in-progress'] as const)
    assert.ok(isOutcomeUnknown(refusedAs(code)), code);
});

test("reports a known outcome after a rule's refusal, so that the next press gets a new key", () => {
  for (const code of [
    'insufficient-balance',
    'below-minimum',
    'withdrawal-limit-reached',
    'daily-limit-reached',
    'already-claimed',
    'invalid-request',
    'idempotency-mismatch',
    'account-suspended',
  ] as const)
    assert.ok(!isOutcomeUnknown(refusedAs(code)), code);
});

test('reports a known outcome after an error in the browser, because nothing was sent', () => {
  assert.ok(!isOutcomeUnknown(new Error('This browser has no randomness')));
});
