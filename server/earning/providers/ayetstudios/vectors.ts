import { hmac, type ProviderVectors } from '../vector-shape.ts';

/** Name and value as PHP reads them: bytes, of which broken escapes are a part. */
const phpDecoded = (piece: string): [string, string] => {
  const [name = '', ...rest] = piece.replaceAll('+', ' ').split('=').map(bytesOf);
  return [name, rest.join('=')];
};

const bytesOf = (text: string): string =>
  text.replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number.parseInt(byte.slice(1), 16)));

const phpEncodedBytes = (bytes: string): string =>
  bytes.replace(/[^\w.-]/g, (byte) =>
    byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`,
  );

export const vectors: ProviderVectors = {
  documented: {
    successBody: 'OK',
    arrivesWithinHours: 72,
    publishesAddresses: true,
    takesChargebacks: false,
    liveSourcePolicy: 'record',
    signsAddress: false,
    reversal: { is_chargeback: '1' },
  },
  forms: {
    ayetstudios: {
      secret: 'ayet_test_api_key',
      values: {
        currency_amount: '360.5',
        external_identifier: '123456789',
        is_chargeback: '0',
        chargeback_reason: '',
        offer_name: 'Tom’s App (EU)~*',
        payout_usd: '0.36',
        transaction_id: '381f99333613b41392b15183d69a7240308e8461',
      },
      fields: {
        transaction: { transaction_id: '481f99333613b41392b15183d69a7240308e8461' },
        member: { external_identifier: '987654321' },
        amount: { currency_amount: '9000' },
        kind: { is_chargeback: '1' },
        payout: { payout_usd: '12.5' },
      },
      digest: 'x-ayetstudios-security-hash',
      isInHeader: true,
      writtenIn: 'hex',
      indifferent: ['chargeback_reason', 'offer_name'],
      takenBack: (transaction, amount) => ({
        transaction_id: `r-${transaction}`,
        is_chargeback: '1',
        currency_amount: `-${amount}`,
      }),
      meaningless: { is_chargeback: '2' },
      digestOf: (_address, query, secret) => {
        const parameters = new Map(query.split('&').map((piece) => phpDecoded(piece)));
        const pairs = [...parameters].sort(([one], [other]) => (one < other ? -1 : 1));
        const text = pairs.map((pair) => pair.map(phpEncodedBytes).join('=')).join('&');
        return hmac('sha256', secret, text).digest('hex');
      },
    },
  },
};
