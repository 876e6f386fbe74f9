import type { ProviderFacts } from '../provider.ts';

export const facts = {
  id: 'adgem',
  name: 'AdGem',
  kind: 'offerwall',
  defaultWallUrl: 'https://api.adgem.com/v1/wall',
  successBody: 'OK',
  // In alphabetical order, so that a sender that sorts the parameters before signing gets the same text.
  queryTemplate: [
    'amount={amount}',
    'campaign_name={campaign_name}',
    'goal_id={goal_id}',
    'payout={payout}',
    'player_id={player_id}',
    'transaction_id={transaction_id}',
  ].join('&'),
  signatureHeader: 'signature',
  publishedSourceAddresses: ['18.191.5.158'],
  liveSourcePolicy: 'record',
  signatureCovers: {
    transaction: 'signed',
    member: 'signed',
    amount: 'signed',
    kind: 'signed',
    payout: 'signed',
  },
  decidedBy: {
    member: ['player_id'],
    transaction: ['transaction_id', 'goal_id'],
    amount: ['amount'],
    // Only a negative amount makes a reversal.
    kind: [],
    signature: ['verifier'],
  },
  settings: { apiKey: { label: 'app id' }, secret: { label: 'postback key' } },
  takesChargebacks: false,
  pays: {
    rewardPointsMin: 200,
    rewardPointsMax: 5_000,
    minutesMin: null,
    minutesMax: null,
    arrivesWithinHours: 72,
  },
  words: {
    title: { en: 'Games with goals', ko: '목표가 있는 게임' },
    text: {
      en: 'Each level you reach pays on its own, so stop when you like.',
      ko: '레벨에 이를 때마다 따로 적립되니 원하는 데서 멈추면 됩니다.',
    },
    kinds: { en: 'Games, offers', ko: '게임, 혜택' },
  },
  starters: [
    {
      kind: 'task',
      category: 'game',
      title: { en: 'Games with goals', ko: '목표가 있는 게임' },
      description: {
        en: 'Each level you reach pays on its own.',
        ko: '레벨에 이를 때마다 따로 적립됩니다.',
      },
      minutes: 60,
    },
  ],
} as const satisfies ProviderFacts;
