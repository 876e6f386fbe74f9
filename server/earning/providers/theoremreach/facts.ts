import type { ProviderFacts } from '../provider.ts';

export const facts: ProviderFacts = {
  id: 'theoremreach',
  name: 'TheoremReach',
  kind: 'survey',
  defaultWallUrl: 'https://theoremreach.com/respondent_entry/direct',
  successBody: 'OK',
  queryTemplate: '',
  // The company publishes none, and operators have reported none.
  publishedSourceAddresses: [],
  liveSourcePolicy: 'record',
  signatureCovers: {
    transaction: 'signed',
    member: 'signed',
    amount: 'signed',
    kind: 'signed',
    payout: 'signed',
  },
  decidedBy: {
    member: ['user_id'],
    transaction: ['tx_id'],
    amount: ['reward'],
    kind: ['reversal', 'debug', 'screenout', 'profiler'],
    signature: ['hash'],
  },
  settings: { apiKey: { label: 'API key' }, secret: { label: 'secret' } },
  takesChargebacks: true,
  pays: {
    rewardPointsMin: 50,
    rewardPointsMax: 2_000,
    minutesMin: null,
    minutesMax: null,
    arrivesWithinHours: 72,
  },
  words: {
    title: { en: 'Surveys around the clock', ko: '하루 종일 올라오는 설문' },
    text: {
      en: 'New ones all day; the reward stands on each before you begin.',
      ko: '시작하기 전에 받을 포인트를 먼저 보여 줍니다.',
    },
    kinds: null,
  },
  starters: [
    {
      kind: 'survey',
      category: 'social_research',
      title: { en: 'Society and opinion', ko: '사회와 여론' },
      description: {
        en: 'What people think about work, health and public life.',
        ko: '일, 건강, 사회에 대한 생각을 묻습니다.',
      },
      minutes: 12,
    },
  ],
};
