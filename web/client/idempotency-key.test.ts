import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RefusalCode, refusals } from '#contract/refusals.ts';
import { ApiError } from './call.ts';
import { isOutcomeUnknown, newIdempotencyKey } from './idempotency-key.ts';

const refusedAs = (code: RefusalCode, status: number = refusals[code].status) =>
  new ApiError(status, code, refusals[code].detail, null);

test('a key is like no other', () => {
  const keys = Array.from({ length: 100 }, newIdempotencyKey);
  assert.equal(new Set(keys).size, 100);
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
});

test('an answer that never came or says that something failed leaves open what was done', () => {
  assert.ok(isOutcomeUnknown(new ApiError(0, 'unreachable', 'The server did not answer.', null)));
  assert.ok(isOutcomeUnknown(refusedAs('internal')));
  assert.ok(isOutcomeUnknown(refusedAs('overloaded')));
  // Of whoever stands in front of the server, whose answers have no code.
  for (const status of [408, 429, 502, 504]) assert.ok(isOutcomeUnknown(refusedAs('internal', status)));
});

test('a refusal from before the key is looked at says nothing about the press before it', () => {
  for (const code of ['rate-limited', 'unauthenticated', 'in-progress'] as const)
    assert.ok(isOutcomeUnknown(refusedAs(code)), code);
});

test('a rule that says no has decided: nothing was done, and the next press is another attempt', () => {
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

test('what failed in the browser itself was never sent', () => {
  assert.ok(!isOutcomeUnknown(new Error('This browser has no randomness')));
});
