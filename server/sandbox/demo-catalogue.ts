import type { Platform } from '#platform/platform.ts';
import { addListings } from '../earning/catalogue.ts';
import type { NewListing, SurveyCategory, TaskCategory } from '../earning/catalogue-queries.ts';
import { doOnce } from './tables.ts';
import { type WallId, walls } from './wall-offers.ts';

/**
 * A catalogue to look at: the offers of the simulated walls, listed over the last days, each leading to the wall
 * that has it. Titles, points and minutes are the walls' own.
 */
type Listed = {
  wall: WallId;
  offerId: string;
  category: TaskCategory | SurveyCategory;
  hoursAgo: number;
  titleKo: string;
  descriptionKo: string;
};

const listed = (
  wall: WallId,
  offerId: string,
  category: Listed['category'],
  hoursAgo: number,
  titleKo: string,
  descriptionKo: string,
): Listed => ({ wall, offerId, category, hoursAgo, titleKo, descriptionKo });

const surveys: readonly Listed[] = [
  listed('cpx', '41207', 'general', 3, '집에서 보는 영상과 TV', '무엇을 보는지 묻는 14문항'),
  listed('cpx', '41331', 'market_research', 9, '장보기와 배달', '지난 한 주의 장보기'),
  listed('cpx', '40988', 'social_research', 31, '출퇴근길', '교통수단과 걸리는 시간'),
  listed('cpx', '41420', 'market_research', 52, '모바일 뱅킹', '쓰는 앱과 그 이유'),
  listed('cpx', '41102', 'market_research', 75, '피부 관리', '최근 석 달 동안 쓴 제품'),
  listed('cpx', '41275', 'general', 98, '반려동물과 사료', '개나 고양이와 사는 분'),
  listed('bitlabs', 's-7710', 'general', 6, '내년 여행 계획', '프로필과 20문항'),
  listed('bitlabs', 's-7642', 'market_research', 27, '헤드폰과 스피커', '브랜드와 가격'),
  listed('bitlabs', 's-7803', 'social_research', 44, '건강 보험', '하루 간격으로 두 번'),
  listed('bitlabs', 's-7588', 'general', 60, '커피와 차', '짧은 설문'),
  listed('bitlabs', 's-7915', 'market_research', 83, '전기차', '운전하는 분, 사진을 보고 평가'),
  listed('bitlabs', 's-7426', 'social_research', 120, '한 주의 장보기 일기', '짧은 기록 일곱 번'),
];

const tasks: readonly Listed[] = [
  listed('kiwiwall', '2201', 'game', 20, '하버 타운', '설치하고 레벨 12에 이르기'),
  listed('kiwiwall', '2317', 'app', 4, '버짓 비', '설치하고 계좌 하나 추가하기'),
  listed('kiwiwall', '2188', 'game', 66, '워드 오차드', '퍼즐 40개 풀기'),
  listed('kiwiwall', '2402', 'game', 140, '나이트 트레인', '14일 안에 6장까지 가기'),
  listed('kiwiwall', '2356', 'offer', 38, '링고 레인', '무료 1주를 시작하고 강의 3개 듣기'),
  listed('kiwiwall', '2290', 'app', 12, '파슬 워치', '설치하고 열기'),
];

function listingOf({ wall, offerId, category, hoursAgo, titleKo, descriptionKo }: Listed): NewListing {
  const offer = walls[wall].offers.find(({ id }) => id === offerId);
  if (offer === undefined) throw new Error(`${wall} has no offer ${offerId}`);
  return {
    kind: walls[wall].kind === 'survey' ? 'survey' : 'task',
    category,
    provider: wall,
    title: { en: offer.title, ko: titleKo },
    description: { en: offer.task, ko: descriptionKo },
    points: offer.points,
    minutes: offer.minutes,
    hoursAgo,
    seedKey: `sandbox:${wall}:${offerId}`,
  } as NewListing;
}

/** Fills the catalogue on the first start; what operators change afterwards stays. */
export async function prepareCatalogue({ database }: Platform): Promise<void> {
  await doOnce(database, 'demo catalogue', async () => {
    await addListings(database, [...surveys, ...tasks].map(listingOf));
  });
}
