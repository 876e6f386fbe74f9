import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openOfferwall } from '#contract/earning.ts';
import { readHistory } from '#contract/ledger.ts';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { addressOf } from './api.ts';

test('an address has its parameters filled in, and made safe', () => {
  assert.equal(addressOf(openOfferwall, { params: { id: 'cpx' } }), '/api/offerwalls/cpx/open');
  assert.equal(addressOf(openOfferwall, { params: { id: '../x' } }), '/api/offerwalls/..%2Fx/open');
});

test('a query says what is asked for and leaves out what is not', () => {
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
