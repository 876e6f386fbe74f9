import assert from 'node:assert/strict';
import { takeLease } from '#platform/leases.ts';
import type { PayoutParts } from '../server/withdrawals/decisions.ts';
import { findRail } from '../server/withdrawals/payment-methods.ts';
import { turnNameOf } from '../server/withdrawals/payout-queries.ts';
import { findPayout, readUnfinishedArtifacts, storePayment } from '../server/withdrawals/queries.ts';

/**
 * Prepares and stores the payment of a payout and does not send it, as a sweep does that is killed in between. It costs
 * no process; the kills themselves are in `payouts.test.ts`. Returns the stored artifact.
 */
export async function storeUnsent(parts: PayoutParts, id: string): Promise<string> {
  const payout = await findPayout(parts.database, id);
  assert(payout);
  const rail = await findRail(parts, payout.method);
  assert(rail);
  const unfinished = await readUnfinishedArtifacts(parts.database, payout.method);
  const artifactsOf = (isSent: boolean) =>
    unfinished.filter((one) => one.isSent === isSent).map(({ artifact }) => artifact);
  const outcome = await rail.prepare(payout, artifactsOf(false), artifactsOf(true));
  assert(outcome.kind === 'prepared', JSON.stringify(outcome));
  const lease = await takeLease(parts, turnNameOf(payout.method));
  assert(lease);
  const stored = await storePayment(parts.database, lease, payout, outcome);
  await lease.release();
  assert.equal(stored?.state, 'signed');
  return outcome.artifact;
}
