import type { ProviderFacts } from '../../../server/earning/providers/provider.ts';

export const facts: ProviderFacts = {
  id: 'acme',
  name: 'Acme Offers',
  kind: 'offerwall',
  defaultWallUrl: 'https://wall.acme.example/',
  successBody: 'OK',
  queryTemplate: 'id={id}&user={user}&points={points}&usd={usd}&what={what}&name={name}&sign={sign}',
  publishedSourceAddresses: ['198.51.100.7'],
  liveSourcePolicy: 'record',
  takesChargebacks: false,
  signatureCovers: {
    transaction: 'signed',
    member: 'signed',
    amount: 'signed',
    kind: 'signed',
    payout: 'signed',
  },
  decidedBy: {
    member: ['user'],
    transaction: ['id'],
    amount: ['points'],
    kind: ['what'],
    signature: ['sign'],
  },
  settings: { apiKey: { label: 'site id' }, secret: { label: 'secret' } },
  pays: {
    rewardPointsMin: 20,
    rewardPointsMax: 900,
    minutesMin: null,
    minutesMax: null,
    arrivesWithinHours: 48,
  },
  words: {
    title: { en: 'Rockets and anvils', ko: '로켓과 모루' },
    text: { en: 'Order one, and see.', ko: '주문하고 지켜보세요.' },
    kinds: { en: 'Offers', ko: '혜택' },
  },
  starters: [
    {
      kind: 'task',
      category: 'offer',
      title: { en: 'Rockets', ko: '로켓' },
      description: { en: 'By mail.', ko: '우편으로.' },
      minutes: 5,
    },
  ],
};
