import type { Platform } from '#platform/platform.ts';
import { readSettings } from '#platform/settings.ts';
import { postpone, type Step, type Turn } from './payout-turn.ts';
import { type Payout, readIsInDebt } from './queries.ts';
import { verifyTimeline } from './timelines.ts';

/**
 * What stops payments: those of the site an operator's pause (the setting `payoutsPaused`) and a marker of payments
 * that can't be kept (`timelines.ts`), those of one member a debt. Nothing is dropped. A stopped payout keeps its state
 * and goes on by itself.
 */
const PAUSED = 'Payouts are paused by an operator. Nothing is signed or sent until they are resumed.';

const IN_DEBT =
  'The member’s balance is below zero. The payment waits until new points fill it, or until an operator gives it up.';

type PauseParts = Pick<Platform, 'database' | 'config'>;

const findPause = async ({ database, config }: PauseParts): Promise<string | undefined> =>
  (await readSettings(database, config.mode)).payoutsPaused ? PAUSED : undefined;

/** Reports a pause as the part `payouts-paused`, on each node. */
export async function reportPause(platform: PauseParts & Pick<Platform, 'health'>): Promise<void> {
  platform.health.report('payouts-paused', await findPause(platform));
}

/**
 * Postpones a payment that may not be signed, or sent for the first time, now. Undefined if it may. A stop says nothing
 * about the outside party, so it does not count as trouble, and payouts that were sent are followed.
 */
export async function postponeStopped(turn: Turn, payout: Payout): Promise<Step | undefined> {
  const reason = (await findPause(turn)) ?? (await verifyTimeline(turn, true));
  if (reason === undefined) return undefined;
  await postpone(turn, payout, reason);
  return 'idle';
}

/**
 * Postpones a payout whose member came into debt after the approval. Undefined if the member is not in debt. The debt
 * says nothing about the outside party, so it does not count as trouble, and other members are paid.
 */
export async function postponeInDebt(turn: Turn, payout: Payout): Promise<Step | undefined> {
  const { isInDebt } = await readIsInDebt(turn.database, payout.withdrawalId);
  if (!isInDebt) return undefined;
  await postpone(turn, payout, IN_DEBT);
  return 'idle';
}
