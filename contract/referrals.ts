import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { memberId, points, time, uuid } from './fields.ts';

/** A member's referrals and their rewards. */

export const referralStats = z.object({
  totalReferrals: z.number(),
  totalRewards: points,
  /** The rewards of all open referrals. */
  pendingRewards: points,
});
export type ReferralStats = z.infer<typeof referralStats>;

export const referral = z.object({
  id: uuid,
  referredId: memberId,
  createdAt: time,
  /** `"0"` if the reward was refused, for example because friend and referrer are the same person. */
  rewardAmount: points,
  status: z.enum(['pending', 'rewarded']),
  rewardedAt: time.nullable(),
});
export type Referral = z.infer<typeof referral>;

export const readReferralStats = endpoint({
  method: 'GET',
  path: '/api/referrals/stats',
  summary: 'The number of referred friends, and the rewards for them',
  access: 'member',
  topic: 'referrals',
  reply: referralStats,
});

export const readReferrals = endpoint({
  method: 'GET',
  path: '/api/referrals',
  summary: 'The referred friends, newest first, at most 500',
  access: 'member',
  topic: 'referrals',
  reply: z.array(referral),
});
