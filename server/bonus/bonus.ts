import assert from 'node:assert/strict';
import type * as contract from '#contract/bonus.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { requireMayEarn } from '../members/members.ts';
import { claim, readStanding } from './queries.ts';

/**
 * The daily bonus: points for coming back, once a site day, more with each day in a row. What always holds: a member
 * has at most one movement `bonus:{member}:{day}` for a site day, and the streak's row is written with it. A missed
 * day starts again. What a day gives is the site's setting at the moment of the claim; what was given stays, and a
 * changed time zone of the site rewrites nothing: a claim of a day that now lies ahead counts as today's.
 * Who may earn is said by members, the balance is the ledger's.
 */

/** The member's days in a row, what today gives or gave, and the schedule. */
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
 * Claims today's bonus; with the same key again it answers the first claim. `balance` is the new one, or null for a
 * repeated request.
 * @throws Refusal `account-suspended`, `earnings-suspended`, `already-claimed`, in this order
 */
export async function claimDailyBonus(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
  requestKey: string | null,
): Promise<{ reply: ReplyOf<typeof contract.claimDailyBonus>; balance: bigint | null }> {
  await requireMayEarn(database, memberId);
  const claimed = await database.transaction((tx) => claim(tx, memberId, requestKey));
  if (claimed.status === 'already_claimed') throw refuse('already-claimed');
  // The account was deleted while its session was still being asked.
  if (claimed.status === 'closed') throw refuse('unauthenticated');
  assert(
    claimed.status === 'claimed' || claimed.status === 'exists',
    `The ledger said ${claimed.status} to a bonus`,
  );
  assert(claimed.points !== null && claimed.consecutiveDays !== null, 'a claim has points and days');
  return {
    reply: {
      points: String(claimed.points),
      consecutiveDays: claimed.consecutiveDays,
      claimed: true,
    },
    balance: claimed.balance,
  };
}
