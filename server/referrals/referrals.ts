import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/referrals.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
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
type Parts = Pick<Platform, 'database' | 'bus' | 'log'>;

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
  reader: Reader,
  memberId: number,
): Promise<ReplyOf<typeof contract.readReferralStats>> {
  const totals = await findTotals(reader, memberId);
  return {
    totalReferrals: Number(totals?.referral_count ?? 0n),
    totalRewards: String(totals?.rewarded_points ?? 0n),
    pendingRewards: String(totals?.pending_points ?? 0n),
  };
}

/** The member's friends, newest first. One who will never be rewarded stays pending, with a reward of 0. */
export async function readReferrals(
  reader: Reader,
  memberId: number,
): Promise<ReplyOf<typeof contract.readReferrals>> {
  const rows = await listReferrals(reader, memberId, LISTED_MAX);
  return rows.map((row) => ({
    id: row.id,
    referredId: String(row.referred_id),
    createdAt: row.created_at.toISOString(),
    rewardAmount: row.state === 'refused' ? '0' : String(row.reward_points),
    status: row.state === 'rewarded' ? ('rewarded' as const) : ('pending' as const),
    rewardedAt: row.state === 'rewarded' ? (row.decided_at?.toISOString() ?? null) : null,
  }));
}

/** Rewards the referrer of a friend, if that is due and not done, and tells their sockets. */
export async function rewardReferrer(parts: Parts, referredId: number): Promise<Rewarded['status']> {
  const { database, bus, log } = parts;
  const { status, referrer_id, balance } = await database.transaction((tx) => reward(tx, referredId));
  if (status === 'refused') log.info({ referredId, referrerId: referrer_id }, 'a referral was not rewarded');
  if (status === 'rewarded' && referrer_id !== null && balance !== null)
    bus.announce({
      memberId: referrer_id,
      event: { type: 'balance', balance: String(balance < 0n ? 0n : balance) },
    });
  return status;
}

/** Rewards what is due among these friends: one look for all of them. One that fails is left to the sweep. */
export async function rewardDueAmong(parts: Parts, referredIds: readonly number[]): Promise<void> {
  const due = await readDueAmong(parts.database, referredIds);
  await rewardEach(
    parts,
    due.map((row) => row.referred_id),
  );
}

/**
 * Looks at the next open referrals after `after` in the order of members, at most `limit`, and rewards those due.
 * @returns where to go on, or null at the end
 */
export async function sweepReferrals(parts: Parts, after: number, limit: number): Promise<number | null> {
  const { last_id, due_ids } = await readPendingAfter(parts.database, after, limit);
  await rewardEach(parts, due_ids);
  return last_id;
}

async function rewardEach(parts: Parts, referredIds: readonly number[]): Promise<void> {
  for (const referredId of referredIds)
    try {
      await rewardReferrer(parts, referredId);
    } catch (error) {
      // It is still due, so the next sweep comes by again; the others must not wait for it.
      parts.log.error({ error, referredId }, 'a referral could not be rewarded');
    }
}
