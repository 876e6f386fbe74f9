import { createHmac, randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  addressKey,
  byQuery,
  dollarsOf,
  listed,
  offer,
  percentEncoded,
  type SentPostback,
  visitor,
  type Wall,
  type WallCall,
} from '../wall.ts';

export const wall: Wall = {
  hue: 18,
  apiKey: '31744',
  path: '',
  hasScreenOuts: false,
  forms: [
    { id: 'get', name: 'GET' },
    { id: 'post', name: 'POST' },
  ],
  demoShare: 0,
  transactionIdOf: (number) => `tx-${number}`,
  findVisitor: ({ query }) =>
    z.object({ appid: addressKey, playerid: visitor }).safeParse(query).data?.playerid,
  postback: (address, call, secret) =>
    call.form === 'post' ? byBody(bodyFor(call), secret) : byQuery(queryFor(address, call, secret)),
  offers: [
    offer(
      '9021',
      'Dune Settlers',
      'Reach town hall 9',
      900,
      4_800n,
      listed('game', 16, '듄 세틀러스', '마을 회관 9단계까지 가기'),
    ),
    offer(
      '9038',
      'Bubble Bakery',
      'Finish level 50',
      240,
      1_600n,
      listed('game', 62, '버블 베이커리', '레벨 50 마치기'),
    ),
    offer('9044', 'Card Kingdom', 'Buy any starter pack', 20, 2_750n),
    offer(
      '9060',
      'Step by Step',
      'Walk 10,000 steps three times',
      4_320,
      600n,
      listed('app', 88, '스텝 바이 스텝', '만 보 걷기 세 번'),
    ),
    offer(
      '9075',
      'Stock School',
      'Open an account (18+)',
      15,
      5_000n,
      listed('offer', 130, '스톡 스쿨', '계좌 열기 (18세 이상)'),
    ),
    offer(
      '9083',
      'Puzzle Post',
      'Install and play 5 days',
      300,
      450n,
      listed('game', 25, '퍼즐 포스트', '설치하고 5일 동안 하기'),
    ),
  ],
};

/** The parameters of a call. AdGem documents no reversal, so this wall sends a negative amount of the same goal. */
function valuesOf(call: WallCall) {
  const sign = call.action === 'reverse' ? '-' : '';
  return {
    amount: `${sign}${call.points}`,
    campaign_name: call.offer.title,
    goal_id: `${call.offer.id}-1`,
    payout: `${sign}${dollarsOf(call.points)}`,
    player_id: call.memberRef,
    transaction_id: call.transactionId,
  };
}

function queryFor(address: string, call: WallCall, secret: string): string {
  const values = Object.entries({ ...valuesOf(call), request_id: randomUUID() });
  const query = values.map(([name, value]) => `${name}=${percentEncoded(value)}`).join('&');
  const verifier = createHmac('sha256', secret).update(`${address}?${query}`, 'utf8').digest('hex');
  return `${query}&verifier=${verifier}`;
}

/** The JSON of a POST. Amounts are numbers, so they have no quotes. */
function bodyFor(call: WallCall): string {
  const { amount, payout, campaign_name: offer_name, ...texts } = valuesOf(call);
  const data = JSON.stringify({ ...texts, offer_id: call.offer.id, offer_name, country: 'KR' });
  const numbers = `"amount":${amount},"payout":${payout}`;
  const timestamp = Math.floor(Date.now() / 1000);
  return `{"request_id":"${randomUUID()}","timestamp":${timestamp},"data":{${numbers},${data.slice(1)}}`;
}

function byBody(body: string, secret: string): SentPostback {
  const signature = createHmac('sha256', secret).update(body, 'utf8').digest('hex');
  return { method: 'POST', query: '', headers: { 'content-type': 'application/json', signature }, body };
}
