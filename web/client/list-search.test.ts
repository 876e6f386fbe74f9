import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAuditTrail } from '#contract/audit-trail.ts';
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
  it('keeps a member, a day and a text, as they were written', () => {
    const readTrail = listSearchOf(readAuditTrail.list);
    const search = { operatorId: 300000001, fromDay: '2026-07-01', toDay: '2026-07-31', target: 42 };
    assert.deepEqual(readTrail(search), search);
    assert.deepEqual(readTrail({ target: 'litecoin' }), { target: 'litecoin' });
    assert.deepEqual(readTrail({ operatorId: 7, fromDay: 'today', toDay: 20260731, target: '' }), {});
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
