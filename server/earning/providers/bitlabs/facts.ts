import type { ProviderFacts } from '../provider.ts';

export const facts: ProviderFacts = {
  id: 'bitlabs',
  name: 'BitLabs',
  kind: 'survey',
  defaultWallUrl: 'https://web.bitlabs.ai/',
  successBody: 'OK',
  queryTemplate: [
    'uid=[%USER:UID%]',
    'tx=[%TX%]',
    'val=[%VALUE:CURRENCY%]',
    'usd=[%VALUE:USD%]',
    'type=[%ACTIVITY:TYPE%]',
    'ref=[%REF%]',
    'state=[%OFFER:TASK:STATE%]',
    'offer=[%OFFER:NAME%]',
  ].join('&'),
  publishedSourceAddresses: ['20.76.54.40/29', '18.199.243.90', '18.157.62.114', '18.193.24.206'],
  liveSourcePolicy: 'record',
  signatureCovers: {
    transaction: 'signed',
    member: 'signed',
    amount: 'signed',
    kind: 'signed',
    payout: 'signed',
  },
  decidedBy: {
    member: ['uid'],
    transaction: ['tx', 'ref'],
    amount: ['val'],
    kind: ['type', 'state'],
    signature: ['hash'],
  },
  settings: { apiKey: { label: 'app token' }, secret: { label: 'app secret' } },
  takesChargebacks: true,
  pays: {
    rewardPointsMin: 50,
    rewardPointsMax: 2_000,
    minutesMin: null,
    minutesMax: null,
    arrivesWithinHours: 72,
  },
  words: {
    title: { en: 'Short opinion surveys', ko: '짧은 의견 설문' },
    text: {
      en: 'If one turns out not to fit you, it says so early and offers the next.',
      ko: '맞지 않는 설문은 일찍 알려 주고 다음 설문을 보여 줍니다.',
    },
    kinds: null,
  },
  starters: [
    {
      kind: 'survey',
      category: 'general',
      title: { en: 'Short opinion surveys', ko: '짧은 의견 설문' },
      description: {
        en: 'Everyday questions, and the next survey at once if one does not fit.',
        ko: '일상에 관한 질문입니다. 맞지 않으면 바로 다음 설문을 보여 줍니다.',
      },
      minutes: 8,
    },
  ],
};
