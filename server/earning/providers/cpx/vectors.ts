import { md5, type ProviderVectors, sent } from '../vector-shape.ts';

export const vectors: ProviderVectors = {
  documented: {
    successBody: '1',
    arrivesWithinHours: 24,
    publishesAddresses: true,
    takesChargebacks: true,
    liveSourcePolicy: 'hold',
    signsAddress: false,
    reversal: { status: '2' },
  },
  forms: {
    cpx: {
      writtenIn: 'hex',
      secret: 'cpx_test_secret',
      values: {
        status: '1',
        trans_id: '1001228131380',
        user_id: '123456789',
        amount_local: '662.6500',
        amount_usd: '0.66',
        offer_id: '99',
        type: 'complete',
        ip_click: '203.0.113.9',
      },
      fields: {
        transaction: { trans_id: '1001228131381' },
        member: { user_id: '987654321' },
        amount: { amount_local: '9000' },
        kind: { status: '2', type: 'out' },
        payout: { amount_usd: '12.5' },
      },
      digest: 'secure_hash',
      indifferent: ['offer_id', 'ip_click'],
      takenBack: () => ({ status: '2' }),
      meaningless: { status: '7' },
      digestOf: (_address, query, secret) => md5(`${sent(query, 'trans_id')}-${secret}`),
    },
  },
};
