import { createHmac } from 'node:crypto';
import { z } from 'zod';
import {
  addressKey,
  byQuery,
  dollarsOf,
  listed,
  offer,
  queryOf,
  visitor,
  type Wall,
} from '../../../server/earning/providers/wall.ts';

export const wall: Wall = {
  hue: 40,
  apiKey: 'site-1',
  path: '',
  hasScreenOuts: false,
  forms: [],
  demoShare: 0,
  transactionIdOf: (number) => `ac-${number}`,
  findVisitor: ({ query }) => z.object({ site: addressKey, user: visitor }).safeParse(query).data?.user,
  postback(address, call, secret) {
    const query = queryOf([
      ['id', call.transactionId],
      ['user', call.memberRef],
      ['points', String(call.points)],
      ['usd', dollarsOf(call.points)],
      ['what', call.action === 'reverse' ? 'back' : 'paid'],
      ['name', call.offer.title],
    ]);
    const sign = createHmac('sha256', secret).update(`${address}?${query}`).digest('hex');
    return byQuery(`${query}&sign=${sign}`);
  },
  offers: [
    offer(
      '1',
      'Rocket skates',
      'Order a pair',
      5,
      90n,
      listed('offer', 7, '로켓 스케이트', '한 켤레 주문하기'),
    ),
    offer('2', 'Anvil', 'Order one', 3, 60n),
  ],
};
