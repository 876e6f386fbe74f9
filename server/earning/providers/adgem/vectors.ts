import { hmac, type ProviderVectors } from '../vector-shape.ts';

export const vectors: ProviderVectors = {
  documented: {
    successBody: 'OK',
    arrivesWithinHours: 72,
    publishesAddresses: true,
    takesChargebacks: false,
    liveSourcePolicy: 'record',
    signsAddress: true,
    reversal: { amount: '-1000' },
  },
  forms: {
    adgem: {
      secret: 'adgem_test_key',
      values: {
        amount: '1000.5',
        campaign_name: 'Example App: Sports & Casino (iOS)',
        goal_id: 'g1',
        payout: '2.5',
        player_id: '123456789',
        transaction_id: 'tx-1',
        request_id: '0e9b8f6c-2b0d-4a55-9d7e-0c1f8a4e6b21',
      },
      fields: {
        transaction: { transaction_id: 'tx-2', goal_id: 'g2' },
        member: { player_id: '987654321' },
        amount: { amount: '9000' },
        // Only a negative amount makes a reversal.
        kind: {},
        payout: { payout: '12.5' },
      },
      digest: 'verifier',
      writtenIn: 'hex',
      indifferent: ['campaign_name', 'request_id'],
      takenBack: (_transaction, amount) => ({ amount: `-${amount}` }),
      meaningless: { amount: '0.9' },
      digestOf: (address, query, secret) => hmac('sha256', secret, `${address}?${query}`).digest('hex'),
    },
  },
};
