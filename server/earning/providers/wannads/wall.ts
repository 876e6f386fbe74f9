import { z } from 'zod';
import {
  addressKey,
  byQuery,
  dollarsOf,
  listed,
  md5,
  offer,
  queryOf,
  visitor,
  type Wall,
  type WallCall,
} from '../wall.ts';

export const wall: Wall = {
  hue: 338,
  apiKey: 'sandbox-wannads-key',
  path: '',
  hasScreenOuts: false,
  forms: [
    { id: 'new', name: 'New generation' },
    { id: 'old', name: 'Old generation' },
  ],
  demoShare: 0,
  transactionIdOf: (number) => `W-${number}`,
  findVisitor: ({ query }) => z.object({ apiKey: addressKey, userId: visitor }).safeParse(query).data?.userId,
  postback: (_address, call, secret) =>
    byQuery(call.form === 'old' ? oldQuery(call, secret) : newQuery(call, secret)),
  offers: [
    offer(
      '5104',
      'Recipe Box',
      'Subscribe to the newsletter',
      3,
      120n,
      listed('offer', 8, '레시피 박스', '소식지 구독하기'),
    ),
    offer(
      '5127',
      'Solar check',
      'Fill in a form about your roof',
      8,
      540n,
      listed('offer', 57, '태양광 점검', '지붕에 관한 양식 채우기'),
    ),
    offer(
      '5133',
      'Mini Golf League',
      'Install and win 3 rounds',
      60,
      850n,
      listed('game', 30, '미니 골프 리그', '설치하고 3라운드 이기기'),
    ),
    offer(
      '5150',
      'Cinema Club',
      'Start a free month',
      6,
      1_400n,
      listed('offer', 100, '시네마 클럽', '무료 한 달 시작하기'),
    ),
    offer(
      '5162',
      'Weather Widget',
      'Install and open',
      2,
      100n,
      listed('app', 73, '날씨 위젯', '설치하고 열기'),
    ),
    offer('5178', 'Language test', 'Answer all 30 questions', 18, 310n),
    offer(
      '5189',
      'Film trailers',
      'Watch three to the end',
      6,
      110n,
      listed('video', 5, '영화 예고편', '세 편을 끝까지 보기'),
    ),
    offer(
      '5195',
      'How coffee is roasted',
      'Watch a film and answer a question',
      9,
      150n,
      listed('video', 46, '커피를 볶는 법', '영상을 보고 질문에 답하기'),
    ),
  ],
};

/** The id of a rejection. It differs from its credit's, and repeats for the same credit. */
const rejectionOf = (transactionId: string): string => `R-${transactionId.replace(/^W-/, '')}`;

/** A rejection of the old generation is positive, and has the uuid of its credit. */
function oldQuery(call: WallCall, secret: string): string {
  const isReversal = call.action === 'reverse';
  const transactionId = isReversal ? rejectionOf(call.transactionId) : call.transactionId;
  const reward = `${call.points}.00`;
  return queryOf([
    ['subId', call.memberRef],
    ['transId', transactionId],
    ['reward', reward],
    ['payout', dollarsOf(call.points)],
    ['status', isReversal ? '2' : '1'],
    ['userIp', call.memberAddress],
    ['campaign_id', call.offer.id],
    ['campaign_name', call.offer.title],
    ['country', 'KR'],
    ['uuid', md5(call.transactionId)],
    ['signature', md5(`${call.memberRef}${transactionId}${reward}${secret}`)],
  ]);
}

/** A rejection of the new generation is negative, and only its offer identifies the credit. */
function newQuery(call: WallCall, secret: string): string {
  const isReversal = call.action === 'reverse';
  const transactionId = isReversal ? rejectionOf(call.transactionId) : call.transactionId;
  const sign = isReversal ? '-' : '';
  const reward = `${sign}${call.points}`;
  return queryOf([
    ['user_id', call.memberRef],
    ['transaction_id', transactionId],
    ['reward', reward],
    ['payout', `${sign}${dollarsOf(call.points)}`],
    ['status', isReversal ? 'rejected' : 'credited'],
    ['offer_id', call.offer.id],
    ['goal_id', ''],
    ['offer_name', call.offer.title],
    ['signature', md5(`${call.memberRef}${transactionId}${reward}${secret}`)],
  ]);
}
