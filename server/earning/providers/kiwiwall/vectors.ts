import { md5, type ProviderVectors, sent } from '../vector-shape.ts';

export const vectors: ProviderVectors = {
  documented: {
    successBody: '1',
    arrivesWithinHours: 72,
    publishesAddresses: true,
    takesChargebacks: false,
    liveSourcePolicy: 'hold',
    signsAddress: false,
    reversal: { status: '2' },
  },
  forms: {
    kiwiwall: {
      writtenIn: 'hex',
      secret: 'kiwi_test_secret',
      values: {
        status: '1',
        trans_id: 'kw-1',
        sub_id: '123456789',
        gross: '0.5',
        amount: '500.75',
        offer_id: '12',
        offer_name: 'Big Farm',
        ip_address: '203.0.113.9',
      },
      fields: {
        transaction: { trans_id: 'kw-2' },
        member: { sub_id: '987654321' },
        amount: { amount: '9000' },
        kind: { status: '2' },
        payout: { gross: '12.5' },
      },
      digest: 'signature',
      indifferent: ['offer_id', 'offer_name', 'ip_address'],
      takenBack: (_transaction, amount) => ({ status: '2', amount: `-${amount}` }),
      meaningless: { status: '7' },
      digestOf: (_address, query, secret) =>
        md5(`${sent(query, 'sub_id')}:${sent(query, 'amount')}:${secret}`),
    },
  },
};
