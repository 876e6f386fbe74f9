import { md5, type ProviderVectors, sent } from '../vector-shape.ts';

/** The shared formula of both generations. */
const shared = {
  secret: 'wannads_test_secret',
  digest: 'signature',
  writtenIn: 'hex',
} as const;

export const vectors: ProviderVectors = {
  documented: {
    successBody: 'OK',
    arrivesWithinHours: 72,
    publishesAddresses: true,
    takesChargebacks: false,
    liveSourcePolicy: 'hold',
    signsAddress: false,
    reversal: { status: 'rejected' },
  },
  forms: {
    wannads: {
      ...shared,
      values: {
        user_id: '123456789',
        transaction_id: 'W-98765',
        reward: '120.5',
        payout: '0.24',
        status: 'credited',
        offer_id: '71',
        goal_id: '2',
        offer_name: 'Big Farm',
      },
      fields: {
        transaction: { transaction_id: 'W-98766' },
        member: { user_id: '987654321' },
        amount: { reward: '9000' },
        kind: { status: 'rejected' },
        payout: { payout: '12.5' },
      },
      indifferent: ['offer_id', 'goal_id', 'offer_name'],
      takenBack: (_transaction, amount, other) => ({
        transaction_id: other,
        status: 'rejected',
        reward: `-${amount}`,
      }),
      meaningless: { status: 'pending' },
      digestOf: (_address, query, secret) =>
        md5(['user_id', 'transaction_id', 'reward'].map((name) => sent(query, name)).join('') + secret),
    },
    wannadsOld: {
      ...shared,
      values: {
        subId: '123456789',
        transId: 'W-98765',
        reward: '120.5',
        payout: '0.24',
        status: '1',
        userIp: '203.0.113.9',
        campaign_id: '71',
        campaign_name: 'Big Farm',
        country: 'KR',
        uuid: '6f1c2a3e-0b4d-4d1c-9d55-8f6a1e2b3c4d',
      },
      fields: {
        transaction: { transId: 'W-98766' },
        member: { subId: '987654321' },
        amount: { reward: '9000' },
        kind: { status: '2' },
        payout: { payout: '12.5' },
      },
      indifferent: ['userIp', 'campaign_id', 'campaign_name', 'country', 'uuid'],
      takenBack: (_transaction, _amount, other) => ({ transId: other, status: '2' }),
      meaningless: { status: '7' },
      digestOf: (_address, query, secret) =>
        md5(['subId', 'transId', 'reward'].map((name) => sent(query, name)).join('') + secret),
      ofTransaction: (transaction) => ({ uuid: `uuid-of-${transaction}` }),
    },
  },
};
