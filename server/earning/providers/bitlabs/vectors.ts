import { hmac, type ProviderVectors } from '../vector-shape.ts';

export const vectors: ProviderVectors = {
  documented: {
    successBody: 'OK',
    arrivesWithinHours: 72,
    publishesAddresses: true,
    takesChargebacks: true,
    liveSourcePolicy: 'record',
    signsAddress: true,
    reversal: { state: 'RECONCILED' },
  },
  forms: {
    bitlabs: {
      writtenIn: 'hex',
      secret: 'bitlabs_test_secret',
      values: {
        uid: '123456789',
        tx: 's123456',
        val: '250.9',
        usd: '0.5',
        type: 'COMPLETE',
        ref: '',
        state: 'NONE',
        offer: 'A & B',
      },
      fields: {
        transaction: { tx: 's123457', ref: 's99' },
        member: { uid: '987654321' },
        amount: { val: '9000' },
        kind: { type: 'RECONCILIATION', state: 'RECONCILED' },
        payout: { usd: '12.5' },
      },
      digest: 'hash',
      indifferent: ['offer'],
      takenBack: (ref, amount, tx) => ({ type: 'RECONCILIATION', ref, tx, val: `-${amount}` }),
      meaningless: { type: 'NEVER_HEARD' },
      digestOf: (address, query, secret) => hmac('sha1', secret, `${address}?${query}`).digest('hex'),
    },
  },
};
