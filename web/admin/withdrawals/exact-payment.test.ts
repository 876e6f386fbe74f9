import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findExactPayment } from './exact-payment.ts';

const payment = (txId: string, coinAmount: string | null, isSameAddress: boolean | null) => ({
  txId,
  coinAmount,
  at: null,
  address: null,
  isSameAddress,
});
const payout = { amount: '0.02000000 LTC', currency: 'LTC' };
const request = { amount: '', currency: 'LTC' };

describe('findExactPayment', () => {
  it('finds the only payment of the amount to the recipient of a payout', () => {
    const exact = payment('a', '0.02000000', true);
    const others = [
      payment('b', '0.02000000', false),
      payment('c', '0.03000000', true),
      payment('d', null, null),
    ];
    assert.equal(findExactPayment([...others, exact], payout), exact);
    assert.equal(findExactPayment(others, payout), undefined);
  });

  it('finds none where two payments fit', () => {
    const two = ['a', 'b'].map((txId) => payment(txId, '0.02000000', true));
    assert.equal(findExactPayment(two, payout), undefined);
    assert.equal(findExactPayment(two, request), undefined);
  });

  it('finds the only payment of a request that may go to its recipient, of any amount', () => {
    const [same, unnamed, other] = [
      payment('a', '0.5', true),
      payment('b', null, null),
      payment('c', '0.5', false),
    ];
    assert.equal(findExactPayment([same, other], request), same);
    assert.equal(findExactPayment([unnamed], request), unnamed);
    assert.equal(findExactPayment([other], request), undefined);
  });
});
