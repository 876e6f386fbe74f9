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
  listed('theoremreach', 'tr-311', 'social_research', 14, '뉴스를 어디에서 읽는지', '짧은 설문'),
  listed('theoremreach', 'tr-326', 'market_research', 36, '집수리', '지난 한 해의 작업'),
  listed('theoremreach', 'tr-340', 'social_research', 70, '은행과 신뢰', '척도로 답하는 의견'),
  listed('theoremreach', 'tr-355', 'general', 18, '아침 식사', '일곱 번의 아침'),
  listed('theoremreach', 'tr-362', 'market_research', 90, '휴대폰과 요금제', '요금을 직접 내는 분'),
  listed('theoremreach', 'tr-378', 'general', 110, '기억에 남는 광고', '영상을 보고 답하기'),
];

const tasks: readonly Listed[] = [
  listed('kiwiwall', '2201', 'game', 20, '하버 타운', '설치하고 레벨 12에 이르기'),
  listed('kiwiwall', '2317', 'app', 4, '버짓 비', '설치하고 계좌 하나 추가하기'),
  listed('kiwiwall', '2188', 'game', 66, '워드 오차드', '퍼즐 40개 풀기'),
  listed('kiwiwall', '2402', 'game', 140, '나이트 트레인', '14일 안에 6장까지 가기'),
  listed('kiwiwall', '2356', 'offer', 38, '링고 레인', '무료 1주를 시작하고 강의 3개 듣기'),
  listed('kiwiwall', '2290', 'app', 12, '파슬 워치', '설치하고 열기'),
  listed('wannads', '5104', 'offer', 8, '레시피 박스', '소식지 구독하기'),
  listed('wannads', '5127', 'offer', 57, '태양광 점검', '지붕에 관한 양식 채우기'),
  listed('wannads', '5133', 'game', 30, '미니 골프 리그', '설치하고 3라운드 이기기'),
  listed('wannads', '5150', 'offer', 100, '시네마 클럽', '무료 한 달 시작하기'),
  listed('wannads', '5162', 'app', 73, '날씨 위젯', '설치하고 열기'),
  listed('wannads', '5189', 'video', 5, '영화 예고편', '세 편을 끝까지 보기'),
  listed('wannads', '5195', 'video', 46, '커피를 볶는 법', '영상을 보고 질문에 답하기'),
  listed('adgem', '9021', 'game', 16, '듄 세틀러스', '마을 회관 9단계까지 가기'),
  listed('adgem', '9038', 'game', 62, '버블 베이커리', '레벨 50 마치기'),
  listed('adgem', '9060', 'app', 88, '스텝 바이 스텝', '만 보 걷기 세 번'),
  listed('adgem', '9075', 'offer', 130, '스톡 스쿨', '계좌 열기 (18세 이상)'),
  listed('adgem', '9083', 'game', 25, '퍼즐 포스트', '설치하고 5일 동안 하기'),
  listed('ayetstudios', '77101', 'game', 10, '캐슬 키퍼스', '4장까지 가기'),
  listed('ayetstudios', '77125', 'app', 22, '밤하늘', '설치하고 행성 3개 보기'),
  listed('ayetstudios', '77142', 'app', 50, '버짓 레이더', '가입하기'),
  listed('ayetstudios', '77160', 'game', 80, '픽셀 펫', '한 마리를 레벨 10까지 키우기'),
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
