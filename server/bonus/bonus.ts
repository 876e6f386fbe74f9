import assert from 'node:assert/strict';
import type * as contract from '#contract/bonus.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { requireMayEarn } from '../members/members.ts';
import { claim, readStanding } from './queries.ts';

/**
 * The daily bonus: points once per site day, more with each consecutive day; a missed day starts the streak again.
 * Invariants: a member has at most one movement `bonus:{member}:{day}` per site day, and the streak's row is written
 * with it. The points of a day follow the schedule at the time of the claim; later changes of the schedule or of the
 * site's time zone change no past claim. After a change of the time zone, a claim whose day is now in the future counts
 * as today's. Members decides who may earn; the ledger keeps the balance.
 */

/** Reads the member's consecutive days, the points of today's claim, and the schedule. */
export async function readDailyBonus(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<ReplyOf<typeof contract.readDailyBonus>> {
  const standing = await readStanding(database, memberId);
  return {
    consecutiveDays: standing.consecutiveDays,
    claimed: standing.isClaimed,
    amount: String(standing.amount),
    schedule: standing.schedule.map(String),
  };
}

/**
 * Claims today's bonus and announces the new balance. A repeated key returns the first claim.
 * @throws Refusal `account-suspended`, `earnings-suspended`, `already-claimed`, in this order
 */
export async function claimDailyBonus(
  platform: Pick<Platform, 'database' | 'bus'>,
  memberId: number,
  requestKey: string | null,
): Promise<ReplyOf<typeof contract.claimDailyBonus>> {
  const { database } = platform;
  await requireMayEarn(database, memberId);
  const claimed = await database.transaction((tx) => claim(tx, memberId, requestKey));
  if (claimed.status === 'already_claimed') throw refuse('already-claimed');
  // The account was deleted after its session was read.
  if (claimed.status === 'closed') throw refuse('unauthenticated');
  assert(
    claimed.status === 'claimed' || claimed.status === 'exists',
    `The ledger said ${claimed.status} to a bonus`,
  );
  assert(claimed.points !== null && claimed.consecutiveDays !== null, 'a claim has points and days');
  announceBalance(platform, memberId, claimed.balance);
  return { points: String(claimed.points), consecutiveDays: claimed.consecutiveDays, claimed: true };
}
