import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readTicketQueue } from '#contract/support.ts';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { listSearchOf } from './list-search.ts';

const read = listSearchOf(readWithdrawalQueue.list);

describe('the address of a list', () => {
  it('keeps what the list declares', () => {
    const search = {
      page: 3,
      q: 'kim@example.org',
      sort: '-amount',
      status: 'approved',
      method: 'litecoin',
      minAmount: 1_000,
      olderThanHours: 24,
      open: 'an-id',
      columns: 'amount,state',
    };
    assert.deepEqual(read(search), search);
    assert.deepEqual(read({ status: 'all' }), { status: 'all' });
    assert.deepEqual(read({ q: 482917305 }), { q: '482917305' });
  });
  it('leaves out what the list does not declare', () => {
    assert.deepEqual(read({ status: 'lost', sort: 'name', priority: 'high', page: 0, colour: 'red' }), {});
    assert.deepEqual(read({ method: 'Not An Id', minAmount: -1, maxAmount: 1.5, olderThanHours: 0 }), {});
    assert.deepEqual(read({ minAmount: 10 ** 15, maxAmount: null, olderThanHours: 'a day' }), {});
  });
  it('leaves out a minimum above its maximum, with the maximum', () => {
    assert.deepEqual(read({ method: 'dash', minAmount: 9_000, maxAmount: 100 }), { method: 'dash' });
    const equal = { minAmount: 100, maxAmount: 100 };
    assert.deepEqual(read(equal), equal);
  });
  it('differs by list', () => {
    const readTickets = listSearchOf(readTicketQueue.list);
    assert.deepEqual(readTickets({ priority: 'high', method: 'litecoin', sort: 'amount' }), {
      priority: 'high',
    });
  });
});
