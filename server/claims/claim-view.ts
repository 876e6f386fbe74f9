import type { Claim } from '#contract/claims.ts';
import type { Platform } from '#platform/platform.ts';
import type { ClaimRow } from './queries.ts';

/** A claim as the contract and the member's browsers know it. */

/** The id of an opening in the list of activity. */
export const activityIdOf = (openingId: bigint): string => `opening:${openingId}`;

/** A claim in the contract's shape. */
export const claimOf = (row: ClaimRow): Claim => ({
  id: String(row.id),
  activityId: activityIdOf(row.openingId),
  provider: row.provider,
  openedAt: row.openedAt.toISOString(),
  arrivesWithinHours: row.arrivesWithinHours,
  text: row.text,
  statedPoints: row.statedPoints?.toString() ?? null,
  state: row.state,
  filedAt: row.filedAt.toISOString(),
  askedAt: row.askedAt?.toISOString() ?? null,
  answerBy: row.answerBy?.toISOString() ?? null,
  dueAt: row.dueAt.toISOString(),
  decidedAt: row.decidedAt?.toISOString() ?? null,
  amount: row.amountPoints?.toString() ?? null,
  reason: row.reason,
});

/** Tells a member's browsers that a claim of theirs has changed. Call it after the commit. */
export function announceClaim({ bus }: Pick<Platform, 'bus'>, memberId: number, id: bigint): void {
  bus.announce({ memberId, event: { type: 'claim', id: String(id) } });
}
