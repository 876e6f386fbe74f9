import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points } from './fields.ts';

/** The daily bonus: points once per site day, more with each consecutive day. */

export const dailyBonus = z.object({
  /** Consecutive claimed days up to today. Until today's claim it is yesterday's count; after a missed day 0. */
  consecutiveDays: z.number(),
  claimed: z.boolean(),
  /** The points of today's claim. */
  amount: points,
  /** Points of the first, second, … consecutive day. The last entry also applies to all later days. */
  schedule: z.array(points),
});
export type DailyBonus = z.infer<typeof dailyBonus>;

export const readDailyBonus = endpoint({
  method: 'GET',
  path: '/api/daily-bonus',
  summary: 'Today’s bonus and the consecutive claimed days',
  access: 'member',
  topic: 'bonus',
  reply: dailyBonus,
});

export const claimDailyBonus = endpoint({
  method: 'POST',
  path: '/api/daily-bonus/claim',
  summary: 'Claim today’s bonus, once per site day',
  access: 'member',
  refreshes: ['balance', 'history', 'earnings'],
  idempotent: true,
  reply: z.object({ points, consecutiveDays: z.number(), claimed: z.literal(true) }),
  refusals: ['earnings-suspended', 'already-claimed', 'idempotency-mismatch', 'in-progress'],
});
