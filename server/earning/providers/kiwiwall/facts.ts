import type { ProviderFacts } from '../provider.ts';

export const facts: ProviderFacts = {
  id: 'kiwiwall',
  name: 'KiwiWall',
  kind: 'offerwall',
  defaultWallUrl: 'https://www.kiwiwall.com/wall',
  successBody: '1',
  queryTemplate: [
    'status={status}',
    'trans_id={trans_id}',
    'sub_id={sub_id}',
    'gross={gross}',
    'amount={amount}',
    'offer_id={offer_id}',
    'offer_name={offer_name}',
    'ip_address={ip_address}',
    'signature={signature}',
  ].join('&'),
  publishedSourceAddresses: ['34.193.235.172'],
  liveSourcePolicy: 'hold',
  signatureCovers: {
    member: 'signed',
    amount: 'signed',
    transaction: { unsigned: 'Calls from other addresses are held; a path token keeps the URL secret' },
    kind: { unsigned: 'One credit and one reversal per transaction; a reversal takes at most its credit' },
    payout: { unsigned: 'Never booked; only shown to operators beside the points' },
  },
  decidedBy: {
    member: ['sub_id'],
    transaction: ['trans_id'],
    amount: ['amount'],
    kind: ['status'],
    signature: ['signature'],
  },
  settings: { apiKey: { label: 'wall id', form: /^[\w-]+$/ }, secret: { label: 'secret' } },
  takesChargebacks: false,
  pays: {
    rewardPointsMin: null,
    rewardPointsMax: null,
    minutesMin: null,
    minutesMax: null,
    arrivesWithinHours: 72,
  },
  words: {
    title: { en: 'Apps, games and offers', ko: '앱, 게임, 혜택' },
    text: {
      en: 'Install, sign up or reach a level. Each step pays on its own.',
      ko: '설치, 가입, 레벨 달성. 단계마다 따로 적립됩니다.',
    },
    kinds: { en: 'Apps, games, offers', ko: '앱, 게임, 혜택' },
  },
  starters: [
    {
      kind: 'task',
      category: 'offer',
      title: { en: 'Apps, games and offers', ko: '앱, 게임, 혜택' },
      description: {
        en: 'Install, sign up or reach a level. Each step pays on its own.',
        ko: '설치, 가입, 레벨 달성. 단계마다 따로 적립됩니다.',
      },
      minutes: 10,
    },
  ],
};
