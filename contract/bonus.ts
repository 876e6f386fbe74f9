import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points } from './fields.ts';

/** The daily bonus: points for coming back, more with each consecutive site day. */

export const dailyBonus = z.object({
  /** Days claimed in a row up to today: yesterday's count while today's is unclaimed, 0 after a miss. */
  consecutiveDays: z.number(),
  claimed: z.boolean(),
  /** What today's claim gives, or gave. */
  amount: points,
  /** Points of the first, second, … day in a row. The last goes for every day after it, too. */
  schedule: z.array(points),
});
export type DailyBonus = z.infer<typeof dailyBonus>;

export const readDailyBonus = endpoint({
  method: 'GET',
  path: '/api/daily-bonus',
  summary: 'Today’s bonus and the days claimed in a row',
  access: 'member',
  topic: 'bonus',
  reply: dailyBonus,
});

export const claimDailyBonus = endpoint({
  method: 'POST',
  path: '/api/daily-bonus/claim',
  summary: 'Claim today’s bonus, once a site day',
  access: 'member',
  refreshes: ['balance', 'history', 'earnings'],
  idempotent: true,
  reply: z.object({ points, consecutiveDays: z.number(), claimed: z.literal(true) }),
  refusals: ['earnings-suspended', 'already-claimed', 'idempotency-mismatch', 'in-progress'],
});
