import { sentence } from '#contract/operator-sentences.ts';
import type { PauseState } from '#contract/withdrawals-payouts.ts';
import type { ActorOrId } from '#platform/audit-trail.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { changeSettings, readSiteState } from '#platform/settings-change.ts';
import { refusalOf } from './decision-refusals.ts';
import { isStop, readStop, sentenceOfStop } from './payout-stop-queries.ts';
import { postpone, type Step, type Turn } from './payout-turn.ts';
import type { Payout } from './queries.ts';
import * as queries from './queries.ts';
import { holdRecorded } from './reconciliation.ts';
import { isWaitingApproval } from './reconciliation-queries.ts';
import { verifyTimeline } from './timelines.ts';

/**
 * What stops payments: those of the site an operator's pause (the setting `payoutsPaused`) and a marker of payments
 * that can't be kept (`timelines.ts`), those of one member a suspension, a denial, a debt, or a payment of which nobody
 * took note after a restore. Nothing is dropped. A stopped payout keeps its state and goes on by itself, except after a
 * denial. A pause is said of all payouts at once, and not as the reason of each, so each keeps the reason that it had
 * before, but for a stop of its member that ended.
 */
/** What operators read while all payouts are paused. This is no fault of a payout. */
export const PAUSED = sentence('payouts-paused');
/** The longest time after the end of a pause until a stopped payout goes on. */
const PAUSED_WAIT_S_MAX = 60;

type PauseParts = Pick<Platform, 'database'>;

const findPause = async ({ database }: PauseParts): Promise<string | undefined> =>
  (await queries.readPaused(database)) ? PAUSED : undefined;

/**
 * Pauses all payouts of the site or resumes them. The setting `payoutsPaused` is the same: a repeated call changes
 * nothing, but for another reason of a pause that lasts.
 */
export async function changePause(
  { database, config }: Pick<Platform, 'database' | 'config'>,
  isPaused: boolean,
  actor: ActorOrId,
  reason: string | null,
): Promise<PauseState> {
  await changeSettings(database, config.mode, { payoutsPaused: isPaused }, actor, reason);
  const { payoutsPaused, pause } = await readSiteState(database, config.mode);
  return { payoutsPaused, pause };
}

/** Reports a pause as the part `payouts-paused`, on each node. */
export async function reportPause(platform: PauseParts & Pick<Platform, 'health'>): Promise<void> {
  platform.health.report('payouts-paused', await findPause(platform), { isByChoice: true });
}

/**
 * Postpones a payment that may not be signed, or sent for the first time, now. Undefined if it may. A stop says nothing
 * about the outside party, so it does not count as trouble, and payouts that were sent are followed.
 */
export async function postponeStopped(turn: Turn, payout: Payout): Promise<Step | undefined> {
  if ((await findPause(turn)) !== undefined) {
    const { withdrawalId, trouble } = payout;
    // What stops payments to a member is judged before, so a reason of that kind is a former one.
    const kept = isStop(trouble) ? null : trouble;
    await queries.postpone(turn.database, turn.lease, withdrawalId, kept, PAUSED_WAIT_S_MAX);
    return 'idle';
  }
  const reason = await verifyTimeline(turn, true);
  if (reason === undefined) {
    // A record that can't be read is a fault of this step: nothing is signed.
    await holdRecorded(turn);
    return undefined;
  }
  await postpone(turn, payout, reason);
  return 'idle';
}

/**
 * Refuses to try a payout again that something stops: nothing would happen, and nobody would say so. An operator's own
 * halt is lifted by the act. One that a restored copy has approved would be paid beside a payment of which nobody knows
 * whose it is.
 * @throws Refusal `points-in-check`, `withdrawals-suspended`, `withdrawal-disowned`, `member-in-debt`
 */
export async function requireUnstopped(
  database: Reader,
  { withdrawalId, state, haltedBy }: Payout,
): Promise<void> {
  const isWaiting = state === 'queued' && haltedBy === null;
  if (isWaiting || (state === 'parked' && (await isWaitingApproval(database, withdrawalId))))
    await requireNoStop(database, withdrawalId);
}

/**
 * Refuses what would let a payment leave that something stops.
 * @throws Refusal as `requireUnstopped`
 */
export async function requireNoStop(database: Reader, withdrawalId: string): Promise<void> {
  const { stop } = await readStop(database, withdrawalId);
  if (stop !== null) throw refuse(refusalOf({ status: stop, state: null }).code, sentenceOfStop(stop));
}

/**
 * Postpones a payout whose member was suspended, disowned the request or came into debt after the approval, or whose
 * points may be paid already. Undefined if nothing stops it. This says nothing about the outside party, so it does not
 * count as trouble, and other members are paid.
 */
export async function postponeForMember(turn: Turn, payout: Payout): Promise<Step | undefined> {
  const { stop } = await readStop(turn.database, payout.withdrawalId);
  if (stop === null) return undefined;
  await postpone(turn, payout, sentenceOfStop(stop));
  return 'idle';
}
