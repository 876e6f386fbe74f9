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
  hue: 188,
  apiKey: 'sandbox-api-key',
  path: '',
  hasScreenOuts: true,
  forms: [],
  demoShare: 0,
  transactionIdOf: (number) => `tr${number}`,
  findVisitor: ({ query }) =>
    z.object({ api_key: addressKey, user_id: visitor }).safeParse(query).data?.user_id,
  postback: (address, call, secret) => byQuery(queryFor(address, call, secret)),
  offers: [
    survey(
      'tr-311',
      'News and where you read it',
      'A short questionnaire',
      7,
      110n,
      listed('social_research', 14, '뉴스를 어디에서 읽는지', '짧은 설문'),
    ),
    survey(
      'tr-326',
      'Home improvement',
      'Projects of the last year',
      13,
      240n,
      listed('market_research', 36, '집수리', '지난 한 해의 작업'),
    ),
    survey(
      'tr-340',
      'Banking & trust',
      'Opinions on a scale',
      10,
      180n,
      listed('social_research', 70, '은행과 신뢰', '척도로 답하는 의견'),
    ),
    survey(
      'tr-355',
      'Breakfast',
      'Seven mornings',
      5,
      80n,
      listed('general', 18, '아침 식사', '일곱 번의 아침'),
    ),
    survey(
      'tr-362',
      'Phones and contracts',
      'For those who pay the bill',
      16,
      390n,
      listed('market_research', 90, '휴대폰과 요금제', '요금을 직접 내는 분'),
    ),
    survey(
      'tr-378',
      'Advertising you remember',
      'With films to watch',
      24,
      720n,
      listed('general', 110, '기억에 남는 광고', '영상을 보고 답하기'),
    ),
  ],
};

/** A reversal has its credit's transaction. The hash signs the whole URL before it. */
function queryFor(address: string, call: WallCall, secret: string): string {
  const query = queryOf([
    ['user_id', call.memberRef],
    ['reward', String(call.points)],
    ['currency', dollarsOf(call.points)],
    ['tx_id', call.transactionId],
    ...(call.action === 'reverse' ? ([['reversal', 'true']] as const) : []),
    ...(call.action === 'screen-out' ? ([['screenout', '1']] as const) : []),
    ['offer_id', call.offer.id],
    ['offer_name', call.offer.title],
    ['ip', call.memberAddress],
  ]);
  const digest = createHmac('sha1', secret).update(`${address}?${query}`, 'utf8').digest('base64');
  const urlSafe = digest.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  return `${query}&hash=${urlSafe}`;
}
