import type { ProviderFacts } from '../provider.ts';

const SHIFTED =
  'Digits moved between transaction and reward keep the signature; calls from elsewhere are held';

export const facts: ProviderFacts = {
  id: 'wannads',
  name: 'Wannads',
  kind: 'offerwall',
  defaultWallUrl: 'https://earn.wannads.com/wall',
  successBody: 'OK',
  // For the new generation. The old one appends its own parameters.
  queryTemplate: [
    'user_id={user_id}',
    'transaction_id={transaction_id}',
    'reward={reward}',
    'payout={payout}',
    'status={status}',
    'offer_id={offer_id}',
    'goal_id={goal_id}',
    'offer_name={offer_name}',
    'signature={signature}',
  ].join('&'),
  publishedSourceAddresses: [
    '3.22.177.178',
    '34.250.159.173',
    '34.244.210.150',
    '52.212.236.135',
    '34.251.83.149',
  ],
  liveSourcePolicy: 'hold',
  signatureCovers: {
    member: { joined: 'Member ids have nine digits, so moved characters make an invalid id' },
    transaction: { joined: SHIFTED },
    amount: { joined: SHIFTED },
    kind: {
      unsigned: 'A negative reward is a reversal with any status; calls from other addresses are held',
    },
    payout: { unsigned: 'Never booked; only shown to operators beside the points' },
  },
  decidedBy: {
    member: ['user_id', 'subId'],
    transaction: ['transaction_id', 'transId'],
    amount: ['reward'],
    kind: ['status'],
    signature: ['signature'],
  },
  settings: { apiKey: { label: 'API key' }, secret: { label: 'secret' } },
  takesChargebacks: false,
  pays: {
    rewardPointsMin: 100,
    rewardPointsMax: 1_500,
    minutesMin: null,
    minutesMax: null,
    arrivesWithinHours: 72,
  },
  words: {
    title: { en: 'Offers from brands', ko: '브랜드 혜택' },
    text: { en: 'Sign-ups, trials and short videos.', ko: '가입, 체험, 짧은 영상입니다.' },
    kinds: { en: 'Offers, videos', ko: '혜택, 영상' },
  },
  starters: [
    {
      kind: 'task',
      category: 'offer',
      title: { en: 'Offers from brands', ko: '브랜드 혜택' },
      description: { en: 'Sign-ups and trials.', ko: '가입과 체험입니다.' },
      minutes: 15,
    },
    {
      kind: 'task',
      category: 'video',
      title: { en: 'Short videos', ko: '짧은 영상' },
      description: { en: 'Watch to the end.', ko: '끝까지 보면 적립됩니다.' },
      minutes: 3,
    },
  ],
};
