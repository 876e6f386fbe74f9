import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/referrals.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { announceBalance } from '../ledger/ledger.ts';
import {
  findTotals,
  type Invitations,
  insertReferral,
  listReferrals,
  type Rewarded,
  readDueAmong,
  listInvitations as readInvitations,
  readPendingAfter,
  reward,
} from './queries.ts';

/**
 * Referrals: the referrer gets 100 points at the friend's first credit that is not a screen-out, and nothing for the
 * registration. Invariants: a referral has at most one movement, `referral:{friend}`, and is `rewarded` if and only if
 * it has one; a referrer's totals are the sums of their referrals. A reward is paid after the credit, in its own
 * transaction. An open referral is due when the friend has completed a task; `jobs.ts` finds it. A paid reward is never
 * reversed.
 *
 * Registration calls `beginReferral` in its transaction. No reward is paid if both accounts share a mailbox, phone or
 * payout address, or if the referrer's account is closed. Suspensions do not delay a reward.
 */
type RewardingPlatform = Pick<Platform, 'database' | 'bus' | 'log'>;

/** How many of a member's newest rewarded friends are looked at. */
const FRIENDS_MAX = 50;

/** Reads what became of the friends of these members after their rewards. */
export const listInvitations = (reader: Reader, memberIds: readonly number[]): Promise<Invitations[]> =>
  readInvitations(reader, memberIds, FRIENDS_MAX);

/** A list has at most this many of the newest referrals. The totals count all. */
const LISTED_MAX = 500;

/**
 * Begins the referral of a member whom this transaction registers. It is refused at once if both accounts share a
 * mailbox, phone or payout address.
 */
export async function beginReferral(
  tx: Tx,
  referral: { memberId: number; referrerId: number },
): Promise<void> {
  await insertReferral(tx, referral.memberId, referral.referrerId);
}

/** Reads the number of friends, and the paid and pending points for them. */
export async function readReferralStats(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<ReplyOf<typeof contract.readReferralStats>> {
  const totals = await findTotals(database, memberId);
  return {
    totalReferrals: Number(totals?.referralCount ?? 0n),
    totalRewards: String(totals?.rewardedPoints ?? 0n),
    pendingRewards: String(totals?.pendingPoints ?? 0n),
  };
}

/** Reads the member's referrals, newest first. A refused one is shown as pending with a reward of 0. */
export async function readReferrals(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<ReplyOf<typeof contract.readReferrals>> {
  const rows = await listReferrals(database, memberId, LISTED_MAX);
  return rows.map((row) => ({
    id: row.id,
    referredId: String(row.referredId),
    createdAt: row.createdAt.toISOString(),
    rewardAmount: row.state === 'refused' ? '0' : String(row.rewardPoints),
    status: row.state === 'rewarded' ? ('rewarded' as const) : ('pending' as const),
    rewardedAt: row.state === 'rewarded' ? (row.decidedAt?.toISOString() ?? null) : null,
  }));
}

/** Rewards the referrer of a friend if the referral is due, and announces their new balance. */
export async function rewardReferrer(
  platform: RewardingPlatform,
  referredId: number,
): Promise<Rewarded['status']> {
  const { database, log } = platform;
  const { status, referrerId, balance } = await database.transaction((tx) => reward(tx, referredId));
  if (status === 'refused') log.info({ referredId, referrerId }, 'a referral was not rewarded');
  if (status === 'rewarded') announceBalance(platform, referrerId, balance);
  return status;
}

/** Rewards the due referrals of these friends, found in one query. The sweep retries those that fail. */
export async function rewardDueAmong(
  platform: RewardingPlatform,
  referredIds: readonly number[],
): Promise<void> {
  const due = await readDueAmong(platform.database, referredIds);
  await rewardEach(
    platform,
    due.map((row) => row.referredId),
  );
}

/**
 * Rewards those that are due among the next `limit` open referrals with a friend's id above `after`.
 * @returns the last id, from which to continue; null at the end
 */
export async function sweepReferrals(
  platform: RewardingPlatform,
  after: number,
  limit: number,
): Promise<number | null> {
  const { lastId, dueIds } = await readPendingAfter(platform.database, after, limit);
  await rewardEach(platform, dueIds);
  return lastId;
}

async function rewardEach(platform: RewardingPlatform, referredIds: readonly number[]): Promise<void> {
  for (const referredId of referredIds)
    try {
      await rewardReferrer(platform, referredId);
    } catch (error) {
      // Continue with the others. This one is still due, so the next sweep tries again.
      platform.log.error({ error, referredId }, 'a referral could not be rewarded');
    }
}
