import type { Tx } from '#platform/database.ts';
import { lockSecurityTime, restoreSecurityTime } from '../members/sign-in-queries.ts';

/**
 * Runs an act that stores the same password or number under another text. It is no change of the account's security,
 * which would hold the member's withdrawals for a day, so the time of the last change stays.
 */
export async function withSecurityTimeKept(
  tx: Tx,
  memberId: number,
  act: () => Promise<unknown>,
): Promise<void> {
  const { changedAt } = await lockSecurityTime(tx, memberId);
  await act();
  await restoreSecurityTime(tx, memberId, changedAt);
}
