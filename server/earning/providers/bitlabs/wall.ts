import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  addressKey,
  byQuery,
  dollarsOf,
  listed,
  queryOf,
  survey,
  visitor,
  type Wall,
  type WallCall,
} from '../wall.ts';

export const wall: Wall = {
  hue: 266,
  apiKey: 'sandbox-app-token',
  path: '',
  hasScreenOuts: true,
  forms: [],
  demoShare: 0.32,
  transactionIdOf: (number) => `s${number}`,
  findVisitor: ({ query }) => z.object({ token: addressKey, uid: visitor }).safeParse(query).data?.uid,
  postback: (address, call, secret) => byQuery(queryFor(address, call, secret)),
  offers: [
    survey(
      's-7710',
      'Travel plans for the next year',
      'A profile and 20 questions',
      14,
      420n,
      listed('general', 6, '내년 여행 계획', '프로필과 20문항'),
    ),
    survey(
      's-7642',
      'Headphones and speakers',
      'Brands and prices',
      10,
      280n,
      listed('market_research', 27, '헤드폰과 스피커', '브랜드와 가격'),
    ),
    survey(
      's-7803',
      'Health insurance',
      'Two parts, one day apart',
      22,
      950n,
      listed('social_research', 44, '건강 보험', '하루 간격으로 두 번'),
    ),
    survey('s-7588', 'Coffee & tea', 'A short one', 4, 60n, listed('general', 60, '커피와 차', '짧은 설문')),
    survey(
      's-7915',
      'Electric cars',
      'For drivers, with pictures to rate',
      18,
      640n,
      listed('market_research', 83, '전기차', '운전하는 분, 사진을 보고 평가'),
    ),
    survey(
      's-7426',
      'Diary of a shopping week',
      'Seven short entries',
      60,
      1_850n,
      listed('social_research', 120, '한 주의 장보기 일기', '짧은 기록 일곱 번'),
    ),
  ],
};

/** BitLabs without states: a reconciliation has its own transaction, names the first one, and has negative values. */
function queryFor(address: string, call: WallCall, secret: string): string {
  const isReversal = call.action === 'reverse';
  const type = { complete: 'COMPLETE', 'screen-out': 'SCREENOUT', reverse: 'RECONCILIATION' }[call.action];
  const sign = isReversal ? '-' : '';
  const query = queryOf([
    ['uid', call.memberRef],
    ['tx', isReversal ? `sr${call.transactionId.replace(/^s/, '')}` : call.transactionId],
    ['val', `${sign}${call.points}`],
    ['usd', `${sign}${dollarsOf(call.points)}`],
    ['type', type],
    ['ref', isReversal ? call.transactionId : ''],
    ['state', 'NONE'],
    ['offer', call.offer.title],
  ]);
  const digest = createHmac('sha1', secret).update(`${address}?${query}`, 'utf8').digest('hex');
  return `${query}&hash=${digest}`;
}
