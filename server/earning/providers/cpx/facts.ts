import type { ProviderFacts } from '../provider.ts';

export const facts: ProviderFacts = {
  id: 'cpx',
  name: 'CPX Research',
  kind: 'survey',
  defaultWallUrl: 'https://offers.cpx-research.com/index.php',
  successBody: '1',
  queryTemplate: [
    'status={status}',
    'trans_id={trans_id}',
    'user_id={user_id}',
    'amount_local={amount_local}',
    'amount_usd={amount_usd}',
    'offer_id={offer_ID}',
    'type={type}',
    'ip_click={ip_click}',
    'secure_hash={secure_hash}',
  ].join('&'),
  publishedSourceAddresses: ['188.40.3.73', '157.90.97.92', '2a01:4f8:d0a:30ff::2'],
  liveSourcePolicy: 'hold',
  signsWallsLikePostbacks: true,
  signatureCovers: {
    transaction: 'signed',
    member: { unsigned: 'One credit per transaction for any member; calls from other addresses are held' },
    amount: {
      unsigned:
        'One credit per transaction for any amount; large credits and calls from other addresses are held',
    },
    kind: { unsigned: 'One credit and one reversal per transaction; a reversal takes at most its credit' },
    payout: { unsigned: 'Never booked; only shown to operators beside the points' },
  },
  decidedBy: {
    member: ['user_id'],
    transaction: ['trans_id'],
    amount: ['amount_local'],
    kind: ['status', 'type'],
    signature: ['secure_hash'],
  },
  settings: { apiKey: { label: 'app id' }, secret: { label: 'secure hash' } },
  takesChargebacks: true,
  pays: {
    rewardPointsMin: null,
    rewardPointsMax: 200,
    minutesMin: 5,
    minutesMax: 15,
    arrivesWithinHours: 24,
  },
  words: {
    title: { en: 'Market and social research', ko: '시장 조사와 사회 조사' },
    text: {
      en: 'Tell it about yourself once, then see only the surveys that fit you.',
      ko: '한 번만 알려 주면 맞는 설문만 보여 줍니다.',
    },
    kinds: null,
  },
  starters: [
    {
      kind: 'survey',
      category: 'market_research',
      title: { en: 'Surveys that fit your profile', ko: '내 프로필에 맞는 설문' },
      description: {
        en: 'Brands, shopping and services. The reward stands on each before you begin.',
        ko: '브랜드, 쇼핑, 서비스에 관한 설문입니다. 시작하기 전에 받을 포인트를 보여 줍니다.',
      },
      minutes: 10,
      points: 100n,
    },
  ],
};
