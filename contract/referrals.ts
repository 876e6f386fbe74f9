import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { memberId, points, time, uuid } from './fields.ts';

/** Friends whom a member brought, and what the member was given for them. */

export const referralStats = z.object({
  totalReferrals: z.number(),
  totalRewards: points,
  /** What is still to come, if every friend whose reward is open earns something. */
  pendingRewards: points,
});
export type ReferralStats = z.infer<typeof referralStats>;

export const referral = z.object({
  id: uuid,
  referredId: memberId,
  createdAt: time,
  /** `"0"` where no reward will come: the friend is the referrer. */
  rewardAmount: points,
  status: z.enum(['pending', 'rewarded']),
  rewardedAt: time.nullable(),
});
export type Referral = z.infer<typeof referral>;

export const readReferralStats = endpoint({
  method: 'GET',
  path: '/api/referrals/stats',
  summary: 'How many friends the member brought, and the points for them',
  access: 'member',
  topic: 'referrals',
  reply: referralStats,
});

export const readReferrals = endpoint({
  method: 'GET',
  path: '/api/referrals',
  summary: 'The newest friends whom the member brought, at most 500',
  access: 'member',
  topic: 'referrals',
  reply: z.array(referral),
});
