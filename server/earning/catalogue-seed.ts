import { providerFacts } from '#contract/earning.ts';
import type { NewListing } from './catalogue-queries.ts';

/**
 * What a new catalogue may start with: one entry for each thing that a provider's wall has on any day. It names no
 * offer, because offers come and go; points and minutes are the least that is usual there.
 */
type Starter = Omit<NewListing, 'seedKey' | 'points'> & { points?: bigint };

const FALLBACK_POINTS = 50n;

const starters = [
  {
    kind: 'survey',
    category: 'market_research',
    provider: 'cpx',
    title: { en: 'Surveys that fit your profile', ko: '내 프로필에 맞는 설문' },
    description: {
      en: 'Brands, shopping and services. The reward stands on each before you begin.',
      ko: '브랜드, 쇼핑, 서비스에 관한 설문입니다. 시작하기 전에 받을 포인트를 보여 줍니다.',
    },
    minutes: 10,
    points: 100n,
  },
  {
    kind: 'survey',
    category: 'general',
    provider: 'bitlabs',
    title: { en: 'Short opinion surveys', ko: '짧은 의견 설문' },
    description: {
      en: 'Everyday questions, and the next survey at once if one does not fit.',
      ko: '일상에 관한 질문입니다. 맞지 않으면 바로 다음 설문을 보여 줍니다.',
    },
    minutes: 8,
  },
  {
    kind: 'survey',
    category: 'social_research',
    provider: 'theoremreach',
    title: { en: 'Society and opinion', ko: '사회와 여론' },
    description: {
      en: 'What people think about work, health and public life.',
      ko: '일, 건강, 사회에 대한 생각을 묻습니다.',
    },
    minutes: 12,
  },
  {
    kind: 'task',
    category: 'game',
    provider: 'adgem',
    title: { en: 'Games with goals', ko: '목표가 있는 게임' },
    description: {
      en: 'Each level you reach pays on its own.',
      ko: '레벨에 이를 때마다 따로 적립됩니다.',
    },
    minutes: 60,
  },
  {
    kind: 'task',
    category: 'offer',
    provider: 'wannads',
    title: { en: 'Offers from brands', ko: '브랜드 혜택' },
    description: { en: 'Sign-ups and trials.', ko: '가입과 체험입니다.' },
    minutes: 15,
  },
  {
    kind: 'task',
    category: 'video',
    provider: 'wannads',
    title: { en: 'Short videos', ko: '짧은 영상' },
    description: { en: 'Watch to the end.', ko: '끝까지 보면 적립됩니다.' },
    minutes: 3,
  },
  {
    kind: 'task',
    category: 'app',
    provider: 'ayetstudios',
    title: { en: 'Apps to try', ko: '써 볼 앱' },
    description: { en: 'Install, open, look around.', ko: '설치하고 열어서 둘러보면 됩니다.' },
    minutes: 10,
  },
  {
    kind: 'task',
    category: 'offer',
    provider: 'kiwiwall',
    title: { en: 'Apps, games and offers', ko: '앱, 게임, 혜택' },
    description: {
      en: 'Install, sign up or reach a level. Each step pays on its own.',
      ko: '설치, 가입, 레벨 달성. 단계마다 따로 적립됩니다.',
    },
    minutes: 10,
  },
] satisfies Starter[];

export const starterListings: readonly NewListing[] = starters.map((starter: Starter) => {
  const usual = providerFacts(starter.provider).rewardPointsMin;
  return {
    ...starter,
    points: starter.points ?? (usual === null ? FALLBACK_POINTS : BigInt(usual)),
    seedKey: `starter:${starter.provider}:${starter.category}`,
  } as NewListing;
});
