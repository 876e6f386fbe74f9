import { hmac, type ProviderVectors } from '../vector-shape.ts';

export const vectors: ProviderVectors = {
  documented: {
    successBody: 'OK',
    arrivesWithinHours: 72,
    publishesAddresses: false,
    takesChargebacks: true,
    liveSourcePolicy: 'record',
    signsAddress: true,
    reversal: { reversal: 'true' },
  },
  forms: {
    theoremreach: {
      secret: 'theorem_test_secret',
      values: {
        user_id: '123456789',
        reward: '50.5',
        currency: '0.5',
        tx_id: 'abc123',
        reversal: 'false',
        debug: 'false',
        screenout: '0',
        profiler: '0',
        offer_name: 'Tea & coffee',
        ip: '203.0.113.9',
      },
      fields: {
        transaction: { tx_id: 'abc124' },
        member: { user_id: '987654321' },
        amount: { reward: '9000' },
        kind: { reversal: 'true', screenout: '1', profiler: '1', debug: 'true' },
        payout: { currency: '12.5' },
      },
      digest: 'hash',
      writtenIn: 'base64url',
      indifferent: ['offer_name', 'ip'],
      takenBack: () => ({ reversal: 'true' }),
      meaningless: { debug: 'true' },
      digestOf: (address, query, secret) =>
        hmac('sha1', secret, `${address}?${query}`)
          .digest('base64')
          .replaceAll('+', '-')
          .replaceAll('/', '_')
          .replace(/=+$/, ''),
    },
  },
};
