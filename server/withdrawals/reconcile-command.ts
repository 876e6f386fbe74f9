import { recordActs } from '#platform/audit-trail.ts';
import { takeLease, takeLeaseWithin } from '#platform/leases.ts';
import type { Platform } from '#platform/platform.ts';
import { destinationText, setUpRail } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import { OTHER_ACCOUNT } from './payout-comparison.ts';
import * as queries from './payout-queries.ts';
import { compareMethod } from './reconciliation.ts';
import {
  findPendingReconciliation,
  giveUpReconciliation,
  readComparedMethods,
} from './reconciliation-queries.ts';
import { readOpenChecks } from './request-check-queries.ts';

/**
 * The command `reconcile`: compares the payouts of every method with the outside party's list now, and returns the
 * comparison as lines of text. What is clear is released. Payments that no payout accounts for are told once; the
 * operator takes note of them by this command. A possible match stays parked, for an operator to decide.
 */
export type ReconcileParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'health'>;

const LEASE_WAIT_MS_MAX = 20_000;
const UNACCOUNTED_MAX = 1_000;

/**
 * @param newAccountOf a method that pays from another account than before, as the operator means it
 * @param isNoted whether the operator takes note of the payments that no payout accounts for
 * @returns the lines, and whether every method could be compared
 */
export async function reconcilePayouts(
  platform: ReconcileParts,
  newAccountOf: string | null = null,
  isNoted = false,
): Promise<{ lines: string[]; isComplete: boolean }> {
  const { database } = platform;
  const refusal = newAccountOf === null ? undefined : await acceptAccount(platform, newAccountOf);
  const lines: string[] = refusal === undefined ? [] : [refusal];
  let isComplete = refusal === undefined;
  for (const { method } of await readComparedMethods(database)) {
    const trouble = await compareNow(platform, method);
    if (trouble !== undefined) isComplete = false;
    lines.push(`${method}: ${trouble ?? 'compared; what is clear goes on'}`);
  }
  const parked = await queries.readParked(database);
  for (const { withdrawalId, method, amountUnits, trouble } of parked)
    lines.push(`${method}: payout ${withdrawalId} of ${amountText(amountUnits)} is parked. ${trouble ?? ''}`);
  for (const { withdrawalId, method, reason } of await readOpenChecks(database))
    lines.push(`${method}: request ${withdrawalId} waits for a decision. ${reason}`);
  const unaccounted = await queries.readUnaccounted(database, UNACCOUNTED_MAX);
  for (const { method, reference, destination, amountUnits, paidAt } of unaccounted) {
    const to = `${amountText(amountUnits)} to ${destinationText(method, destination)}`;
    const advice = 'no request holds its points: revoke them';
    lines.push(`${method}: no payout accounts for ${reference}, ${to}, ${paidAt.toISOString()}; ${advice}`);
  }
  if (isNoted)
    await database.transaction(async (tx) => {
      const seen = await queries.noteUnaccountedSeen(tx, unaccounted);
      const act = { operatorId: null, act: 'payout.reconcile' as const };
      await recordActs(
        tx,
        seen.map(({ reference }) => ({ ...act, target: reference })),
      );
    });
  return { lines, isComplete };
}

/**
 * Lets a method pay from another account from now on. Not while a comparison after a restore is due: the list of the
 * other account does not show what the former one paid.
 * @returns why not
 */
async function acceptAccount({ database }: ReconcileParts, method: string): Promise<string | undefined> {
  const pending = await findPendingReconciliation(database, method);
  if (pending !== undefined)
    return (
      `${method}: the account was not changed. ${pending.reason} Connect the former account and compare, ` +
      'or give the comparison up: `npm run admin -- reconcile --give-up METHOD REASON`.'
    );
  await database.transaction(async (tx) => {
    const account = (await queries.forgetPayingAccount(tx, method, OTHER_ACCOUNT))?.account ?? null;
    const before = account === null ? {} : { account };
    await recordActs(tx, [{ operatorId: null, act: 'payout.reconcile', target: method, before }]);
  });
  return undefined;
}

/**
 * Ends the comparison of a method whose payments can never be listed again, for example because its account is lost.
 * Its pending requests can be decided then, but for those that may be paid already. Returns whether one was pending.
 */
export const giveUpComparison = (
  { database }: Pick<ReconcileParts, 'database'>,
  method: string,
  reason: string,
): Promise<boolean> =>
  database.transaction(async (tx) => {
    const before = await giveUpReconciliation(tx, method);
    if (before === undefined) return false;
    const act = { operatorId: null, act: 'payout.reconcile' as const, target: method, reason };
    await recordActs(tx, [{ ...act, before, after: { isGivenUp: true } }]);
    return true;
  });

async function compareNow(platform: ReconcileParts, method: string): Promise<string | undefined> {
  const lease = await takeLeaseWithin(LEASE_WAIT_MS_MAX, () =>
    takeLease(platform, queries.turnNameOf(method)),
  );
  if (lease === undefined) return 'another process works on these payouts';
  try {
    return await compareMethod({ ...platform, lease }, method, await setUpRail(platform, method));
  } finally {
    await lease.release();
  }
}
