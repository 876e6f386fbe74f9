import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOfferwall } from '#contract/earning.ts';
import { readHistory } from '#contract/ledger.ts';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { ApiError, addressOf } from './call.ts';

test('fills in the parameters of a path and escapes them', () => {
  assert.equal(addressOf(openOfferwall, { params: { id: 'cpx' } }), '/api/offerwalls/cpx/open');
  assert.equal(addressOf(openOfferwall, { params: { id: '../x' } }), '/api/offerwalls/..%2Fx/open');
});

test('adds the given query fields and leaves out undefined ones', () => {
  assert.equal(
    addressOf(readHistory, { query: { page: '2', limit: '10' } }),
    '/api/user/history?page=2&limit=10',
  );
  assert.equal(
    addressOf(readWithdrawalQueue, { query: { q: 'a&b@example.com', status: undefined } }),
    '/api/admin/withdrawals-data?q=a%26b%40example.com',
  );
  assert.equal(addressOf(readHistory, {}), '/api/user/history');
});

test('§1-8 any failed request: builds an error message from status, colon and detail', () => {
  const problem = { type: 'about:blank', title: 'Conflict', status: 409 } as const;
  const detail = 'Insufficient balance';
  const code = 'insufficient-balance';
  assert.equal(
    new ApiError(409, code, detail, { ...problem, detail, code }).message,
    '409: Insufficient balance',
  );
});
