import { hmac, type ProviderVectors } from '../../../server/earning/providers/vector-shape.ts';

export const vectors: ProviderVectors = {
  documented: {
    successBody: 'OK',
    arrivesWithinHours: 48,
    publishesAddresses: true,
    takesChargebacks: false,
    liveSourcePolicy: 'record',
    signsAddress: true,
    reversal: { what: 'back' },
  },
  forms: {
    acme: {
      secret: 'acme_test_secret',
      values: { id: 'ac-1', user: '123456789', points: '50.5', usd: '0.1', what: 'paid', name: 'Anvil' },
      fields: {
        transaction: { id: 'ac-2' },
        member: { user: '987654321' },
        amount: { points: '9000' },
        kind: { what: 'back' },
        payout: { usd: '12.5' },
      },
      digest: 'sign',
      writtenIn: 'hex',
      indifferent: ['name'],
      takenBack: () => ({ what: 'back' }),
      meaningless: { what: 'pondered' },
      digestOf: (address, query, secret) => hmac('sha256', secret, `${address}?${query}`).digest('hex'),
    },
  },
};
