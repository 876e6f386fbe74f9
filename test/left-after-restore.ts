/** What the back office is told after a restore, for tests of its screens. */
const base = {
  method: 'litecoin',
  txId: 'f00d'.repeat(16),
  address: 'ltc1qother',
  coinAmount: '0.02000000',
  at: '2026-07-31T00:00:00.000Z',
  withdrawalId: '11111111-1111-4111-8111-111111111111',
  memberId: '123456789',
  points: '2000',
  paidBy: null,
  notOwed: null,
  neverMade: null,
};
const revoke = `revoke --key paid-${base.withdrawalId} 123456789`;

/** Payments that no payout accounts for, with what an operator can do about each. */
export const unaccountedPayments = {
  free: {
    ...base,
    advice: 'free',
    revocation: `${revoke} 2000`,
    notOwed: `reconcile --not-owed ${base.txId}`,
  },
  unlisted: {
    ...base,
    txId: 'beef'.repeat(16),
    advice: 'maybe-twice',
    paidBy: 'cafe'.repeat(16),
    revocation: `${revoke} 1500`,
    neverMade: `reconcile --never-made ${'beef'.repeat(16)}`,
  },
  stranger: {
    ...base,
    address: 'ltc1qunknown',
    memberId: null,
    points: null,
    advice: 'unknown',
    revocation: null,
  },
};

/** What the server says of a restore, with nothing left but what is given. */
export const leftAfterRestore = (state: object) => ({
  pending: [],
  unaccounted: [],
  unaccountedCount: 0,
  checkedCount: 0,
  approvedCount: 0,
  waitingPayoutCount: 0,
  waitingRequestCount: 0,
  reasons: [],
  ...state,
});
