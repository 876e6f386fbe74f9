import { z } from 'zod';
import { sameText } from '#platform/secrets.ts';
import {
  addressKey,
  byQuery,
  dollarsOf,
  listed,
  md5,
  queryOf,
  survey,
  visitor,
  type Wall,
  type WallCall,
} from '../wall.ts';

export const wall: Wall = {
  hue: 212,
  apiKey: '20417',
  path: '',
  hasScreenOuts: true,
  forms: [],
  demoShare: 0.5,
  transactionIdOf: (number) => number,
  findVisitor({ query }, secret) {
    const opened = z
      .object({ app_id: addressKey, ext_user_id: visitor, secure_hash: z.string() })
      .safeParse(query).data;
    if (opened === undefined) return undefined;
    const digest = md5(`${opened.ext_user_id}-${secret}`);
    return sameText(opened.secure_hash.toLowerCase(), digest) ? opened.ext_user_id : undefined;
  },
  postback: (_address, call, secret) => byQuery(queryFor(call, secret)),
  offers: [
    survey(
      '41207',
      'Streaming and television at home',
      '14 questions about what you watch',
      9,
      120n,
      listed('general', 3, '집에서 보는 영상과 TV', '무엇을 보는지 묻는 14문항'),
    ),
    survey(
      '41331',
      'Groceries and delivery',
      'Your last week of shopping',
      12,
      160n,
      listed('market_research', 9, '장보기와 배달', '지난 한 주의 장보기'),
    ),
    survey(
      '40988',
      'Getting to work',
      'Commuting, by any means',
      6,
      75n,
      listed('social_research', 31, '출퇴근길', '교통수단과 걸리는 시간'),
    ),
    survey(
      '41420',
      'Mobile banking',
      'Apps you use, and why',
      15,
      200n,
      listed('market_research', 52, '모바일 뱅킹', '쓰는 앱과 그 이유'),
    ),
    survey(
      '41102',
      'Skin care',
      'Products of the last three months',
      8,
      90n,
      listed('market_research', 75, '피부 관리', '최근 석 달 동안 쓴 제품'),
    ),
    survey(
      '41275',
      'Pets and their food',
      'For people with a dog or a cat',
      11,
      140n,
      listed('general', 98, '반려동물과 사료', '개나 고양이와 사는 분'),
    ),
  ],
};

function queryFor(call: WallCall, secret: string): string {
  const type = { complete: 'complete', 'screen-out': 'out', reverse: 'canceled' }[call.action];
  return queryOf([
    ['status', call.action === 'reverse' ? '2' : '1'],
    ['trans_id', call.transactionId],
    ['user_id', call.memberRef],
    ['amount_local', `${call.points}.0000`],
    ['amount_usd', dollarsOf(call.points)],
    ['offer_id', call.offer.id],
    ['type', type],
    ['ip_click', call.memberAddress],
    ['secure_hash', md5(`${call.transactionId}-${secret}`)],
  ]);
}
