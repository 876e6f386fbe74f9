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
  hue: 96,
  apiKey: 'sandboxwall',
  path: '/:wall/:sub',
  hasScreenOuts: true,
  forms: [],
  demoShare: 0.18,
  transactionIdOf: (number) => `kw-${number}`,
  findVisitor: ({ params }) => z.object({ wall: addressKey, sub: visitor }).safeParse(params).data?.sub,
  postback: (_address, call, secret) => byQuery(queryFor(call, secret)),
  offers: [
    offer(
      '2201',
      'Harbour Town',
      'Install and reach level 12',
      180,
      2_400n,
      listed('game', 20, '하버 타운', '설치하고 레벨 12에 이르기'),
    ),
    offer(
      '2317',
      'Budget Bee',
      'Install, add one account',
      10,
      350n,
      listed('app', 4, '버짓 비', '설치하고 계좌 하나 추가하기'),
    ),
    offer(
      '2188',
      'Word Orchard',
      'Finish 40 puzzles',
      90,
      900n,
      listed('game', 66, '워드 오차드', '퍼즐 40개 풀기'),
    ),
    offer(
      '2402',
      'Night Train',
      'Reach chapter 6 within 14 days',
      600,
      12_500n,
      listed('game', 140, '나이트 트레인', '14일 안에 6장까지 가기'),
    ),
    offer(
      '2356',
      'Lingo Lane',
      'Start a free week and take 3 lessons',
      45,
      1_200n,
      listed('offer', 38, '링고 레인', '무료 1주를 시작하고 강의 3개 듣기'),
    ),
    offer(
      '2290',
      'Parcel Watch',
      'Install and open',
      2,
      80n,
      listed('app', 12, '파슬 워치', '설치하고 열기'),
    ),
  ],
};

function queryFor(call: WallCall, secret: string): string {
  const isReversal = call.action === 'reverse';
  const amount = `${isReversal ? '-' : ''}${call.points}.00`;
  return queryOf([
    ['status', isReversal ? '2' : '1'],
    ['trans_id', call.transactionId],
    ['sub_id', call.memberRef],
    ['gross', dollarsOf(call.points)],
    ['amount', amount],
    ['offer_id', call.offer.id],
    ['offer_name', call.offer.title],
    ['ip_address', call.memberAddress],
    ['signature', md5(`${call.memberRef}:${amount}:${secret}`)],
  ]);
}
