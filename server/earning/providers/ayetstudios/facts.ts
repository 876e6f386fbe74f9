import type { ProviderFacts } from '../provider.ts';

export const facts = {
  id: 'ayetstudios',
  name: 'ayeT-Studios',
  kind: 'offerwall',
  defaultWallUrl: 'https://www.ayetstudios.com/offers/web_offerwall',
  successBody: 'OK',
  queryTemplate: [
    'currency_amount={currency_amount}',
    'external_identifier={external_identifier}',
    'is_chargeback={is_chargeback}',
    'chargeback_reason={chargeback_reason}',
    'offer_name={offer_name}',
    'payout_usd={payout_usd}',
    'transaction_id={transaction_id}',
  ].join('&'),
  signatureHeader: 'x-ayetstudios-security-hash',
  publishedSourceAddresses: [
    '51.79.101.241',
    '158.69.185.134',
    '158.69.185.154',
    '35.165.166.40',
    '35.166.159.131',
    '52.40.3.140',
  ],
  liveSourcePolicy: 'record',
  signatureCovers: {
    transaction: 'signed',
    member: 'signed',
    amount: 'signed',
    kind: 'signed',
    payout: 'signed',
  },
  decidedBy: {
    member: ['external_identifier'],
    transaction: ['transaction_id'],
    amount: ['currency_amount'],
    kind: ['is_chargeback', 'callback_type'],
    // It comes in a header.
    signature: [],
  },
  settings: { apiKey: { label: 'placement id', form: /^[\w-]+$/ }, secret: { label: 'publisher key' } },
  takesChargebacks: false,
  pays: {
    rewardPointsMin: 50,
    rewardPointsMax: 1_000,
    minutesMin: null,
    minutesMax: null,
    arrivesWithinHours: 72,
  },
  words: {
    title: { en: 'Apps and games to try', ko: '써 볼 앱과 게임' },
    text: {
      en: 'Install, open, look around. Most take under ten minutes.',
      ko: '설치하고 열어서 둘러봅니다. 대부분 10분이 걸리지 않습니다.',
    },
    kinds: { en: 'Apps, games', ko: '앱, 게임' },
  },
  starters: [
    {
      kind: 'task',
      category: 'app',
      title: { en: 'Apps to try', ko: '써 볼 앱' },
      description: { en: 'Install, open, look around.', ko: '설치하고 열어서 둘러보면 됩니다.' },
      minutes: 10,
    },
  ],
} as const satisfies ProviderFacts;
