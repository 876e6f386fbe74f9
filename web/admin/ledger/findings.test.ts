import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { adviceOf, placeOf } from './findings.ts';

const of = (check: string, subject: string) => placeOf({ check, subject, expected: '', actual: '' });
const WITHDRAWAL = '0190a0b0-1111-7222-8333-444455556666';

describe('the place of a finding', () => {
  it('is the member whom the check names first', () => {
    const member = { path: '/management-panel-x7k9w/users/member', search: { id: '123456789' } };
    assert.deepEqual(of('wallets', '123456789'), member);
    assert.deepEqual(of('chains', '123456789 movement 4'), member);
  });
  it('is the withdrawal, the payout, the call or the trail', () => {
    assert.deepEqual(of('withdrawals', WITHDRAWAL)?.search, { status: 'all', open: WITHDRAWAL });
    assert.deepEqual(of('rail-payouts', WITHDRAWAL)?.search, { state: 'all', q: WITHDRAWAL });
    assert.deepEqual(of('rail-payments', 'abcd')?.search, { state: 'all', q: 'abcd' });
    assert.deepEqual(of('earnings', 'cpx tx 7')?.search, { q: 'tx 7' });
    assert.deepEqual(of('quarantine', '12 cpx tx')?.search, { open: '12' });
    assert.equal(of('audit-trail', '9')?.path, '/management-panel-x7k9w/audit');
  });
  it('is none for a sum of the whole site', () => {
    assert.equal(of('trial-balance', 'all accounts'), undefined);
    assert.equal(of('account-days', 'grants 2026-07-01 grant'), undefined);
  });
});

describe('the advice', () => {
  it('is about the ledger, a payment, a clock, or a fact if nothing else is known', () => {
    assert.equal(adviceOf('wallets'), 'ledger');
    assert.equal(adviceOf('rail-payments'), 'payment');
    assert.equal(adviceOf('leases'), 'clock');
    assert.equal(adviceOf('games'), 'fact');
  });
});
