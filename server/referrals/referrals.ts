import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/referrals.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { shownBalance } from '../ledger/ledger.ts';
import {
  findTotals,
  insertReferral,
  listReferrals,
  type Rewarded,
  readDueAmong,
  readPendingAfter,
  reward,
} from './queries.ts';

/**
 * Referrals: 100 points for whoever brought a friend, at the friend's first booked credit that is no screen-out;
 * nothing for registering. What always holds: a referral has at most one movement, `referral:{friend}`, and is
 * `rewarded` exactly if it has it; a referrer's totals are the sums of the referrals. A reward is an act of its own
 * after the credit, in its own transaction. The rows are the truth: what is open although its friend has completed
 * a task is due, and a sweep finds it (`jobs.ts`), whatever died in between. A paid reward stays.
 *
 * Registering a member begins the referral in the same transaction, by `beginReferral`. Who is the same person as the
 * referrer is not rewarded, and neither is an account that was closed. Suspensions delay nothing here.
 */
type RewardingPlatform = Pick<Platform, 'database' | 'bus' | 'log'>;

/** The newest that a list shows. The totals count all. */
const LISTED_MAX = 500;

/** Begins the referral of a member whom this transaction registers; refused at once where both are one person. */
export async function beginReferral(
  tx: Tx,
  referral: { memberId: number; referrerId: number },
): Promise<void> {
  await insertReferral(tx, referral.memberId, referral.referrerId);
}

/** How many friends, and the points for them, given and to come. */
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

/** The member's friends, newest first. One who will never be rewarded stays pending, with a reward of 0. */
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

/** Rewards the referrer of a friend, if that is due and not done, and tells their sockets. */
export async function rewardReferrer(
  platform: RewardingPlatform,
  referredId: number,
): Promise<Rewarded['status']> {
  const { database, bus, log } = platform;
  const { status, referrerId, balance } = await database.transaction((tx) => reward(tx, referredId));
  if (status === 'refused') log.info({ referredId, referrerId }, 'a referral was not rewarded');
  if (status === 'rewarded' && referrerId !== null && balance !== null)
    bus.announce({
      memberId: referrerId,
      event: { type: 'balance', balance: shownBalance(balance) },
    });
  return status;
}

/** Rewards what is due among these friends: one look for all of them. One that fails is left to the sweep. */
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
 * Looks at the next open referrals after `after` in the order of members, at most `limit`, and rewards those due.
 * @returns where to go on, or null at the end
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
      // It is still due, so the next sweep comes by again; the others must not wait for it.
      platform.log.error({ error, referredId }, 'a referral could not be rewarded');
    }
}
