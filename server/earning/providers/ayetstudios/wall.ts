import { createHash, createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  byQuery,
  dollarsOf,
  listed,
  offer,
  percentEncoded,
  type QueryParameters,
  queryOf,
  type SentPostback,
  visitor,
  type Wall,
  type WallCall,
} from '../wall.ts';

export const wall: Wall = {
  hue: 238,
  apiKey: '9128',
  path: '/:wall',
  hasScreenOuts: false,
  forms: [],
  demoShare: 0,
  transactionIdOf: (number) => createHash('sha1').update(number).digest('hex'),
  findVisitor: ({ query }) =>
    z.object({ external_identifier: visitor }).safeParse(query).data?.external_identifier,
  postback: (_address, call, secret) => signedCall(call, secret),
  offers: [
    offer(
      '77101',
      'Castle Keepers',
      'Reach chapter 4',
      300,
      1_000n,
      listed('game', 10, '캐슬 키퍼스', '4장까지 가기'),
    ),
    offer('77118', 'Tom’s Diner (EU)', 'Serve 100 guests', 120, 640n),
    offer(
      '77125',
      'Night Sky *',
      'Install and look at 3 planets',
      6,
      70n,
      listed('app', 22, '밤하늘', '설치하고 행성 3개 보기'),
    ),
    offer('77139', 'Train Yard', 'Reach level 8', 150, 520n),
    offer('77142', 'Budget Radar', 'Register', 4, 210n, listed('app', 50, '버짓 레이더', '가입하기')),
    offer(
      '77160',
      'Pixel Pets',
      'Raise one to level 10',
      90,
      380n,
      listed('game', 80, '픽셀 펫', '한 마리를 레벨 10까지 키우기'),
    ),
  ],
};

/** Encodes like PHP's urlencode. */
const formEncoded = (text: string): string =>
  percentEncoded(text).replaceAll('%20', '+').replaceAll('~', '%7E');

/** Signs all parameters, also static ones, sorted by name, in the header. */
function signedCall(call: WallCall, secret: string): SentPostback {
  const isReversal = call.action === 'reverse';
  const sign = isReversal ? '-' : '';
  const parameters: QueryParameters = [
    ['currency_amount', `${sign}${call.points}`],
    ['external_identifier', call.memberRef],
    ['is_chargeback', isReversal ? '1' : '0'],
    ['chargeback_reason', isReversal ? 'Fraudulent activity' : ''],
    ['offer_name', call.offer.title],
    ['payout_usd', `${sign}${dollarsOf(call.points)}`],
    ['transaction_id', isReversal ? `r-${call.transactionId}` : call.transactionId],
  ];
  const text = [...parameters]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, value]) => `${formEncoded(name)}=${formEncoded(value)}`)
    .join('&');
  const hash = createHmac('sha256', secret).update(text, 'utf8').digest('hex');
  return { ...byQuery(queryOf(parameters)), headers: { 'x-ayetstudios-security-hash': hash } };
}
