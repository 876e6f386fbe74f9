import { sentence } from '#contract/operator-sentences.ts';
import { recordActs } from '#platform/audit-trail.ts';
import { checkLease } from '#platform/leases.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { findRecordedPayment } from './accounted-queries.ts';
import * as decisionQueries from './decision-queries.ts';
import { announceReturn, type PayoutParts } from './decisions.ts';
import { announceWithdrawal } from './news.ts';
import { setUpRail } from './payment-methods.ts';
import { type Comparison, comparePayout, type PayoutComparison } from './payout-comparison.ts';
import { adoptMade } from './payout-own-payments.ts';
import { haltPayout, lockHalted, noteCleared, readOthers } from './payout-queries.ts';
import { type OperatorAct, parkPossible, postpone, type Turn, takeTurn } from './payout-turn.ts';
import type { Payout } from './queries.ts';
import * as queries from './queries.ts';
import type { Rail } from './rails/rail.ts';
import { reconcileMethod } from './reconciliation.ts';
import { readWithdrawalRow } from './withdrawal-list.ts';

/**
 * The halt of a payout without a stored payment, which an operator gives up or whose approval an operator takes back.
 * From the halt on nothing is prepared for it. That needs neither the turn of its method nor an answer of the outside
 * party, because a payment is stored only under the lock on the row. The halt ends as it was asked for, when the
 * outside party's list shows that nothing may have paid the payout: in the act itself, else in a sweep. What may have
 * been paid is parked. An operator's retry lifts the halt.
 */

/** `gone`: somebody else ended it. `made`: a payment that it had before paid it, and is its own again. */
export type HaltEnd =
  | { kind: 'ended' | 'gone' }
  | { kind: 'made'; reason: string }
  | Exclude<Comparison, { kind: 'clear' }>;

const CHANGED: HaltEnd = { kind: 'unknown', reason: sentence('other-process') };

/**
 * Halts a queued payout, to give it up with the operator's reason, and records the act.
 * @param cleared references of payments that are others', as the operator says
 * @returns whether it is halted now, and by this call; not if it is not queued, or an operator's own
 * @throws Refusal `payout-unclear`, `payout-unavailable`
 */
export async function haltToFail(
  { platform, operatorId, id, reason }: OperatorAct,
  cleared: readonly string[],
): Promise<{ isHalted: boolean; isChanged: boolean }> {
  const { memberId } = await readWithdrawalRow(platform.database, id);
  await refuseOwn(platform, id, cleared);
  const target = { kind: 'withdrawal', id, memberId } as const;
  return platform.database.transaction(async (tx) => {
    const isChanged = await haltPayout(tx, id, operatorId, reason);
    const isHalted = (await lockHalted(tx, id, reason)) !== undefined;
    const others = isHalted ? await readOthers(tx, id, cleared) : [];
    if (others.length > 0) await noteCleared(tx, id, others);
    const before = { state: 'queued' };
    const after = { state: 'halted', ...(others.length > 0 && { cleared: others }) };
    if (isChanged || others.length > 0)
      await recordActs(tx, [{ actor: operatorId, act: 'payout.fail', target, reason, before, after }]);
    return { isHalted, isChanged };
  });
}

/**
 * Refuses to call a payment another's that paid this queued payout by the record. The rail is asked only then, and must
 * answer: what is called another's is believed when the halt ends.
 */
async function refuseOwn(platform: PayoutParts, id: string, cleared: readonly string[]): Promise<void> {
  const payout = await queries.findPayout(platform.database, id);
  if (payout?.state !== 'queued') return;
  const own = await findRecordedPayment(platform.database, id, cleared);
  if (own === undefined) return;
  const setup = await setUpRail(platform, payout.method);
  if (setup.kind === 'unusable') throw refuse('payout-unavailable', setup.reason);
  const found = await setup.rail.find(own.reference, payout.destination);
  if (found.kind === 'unknown') throw refuse('payout-unavailable', found.reason);
  if (found.kind === 'found') throw refuse('payout-unclear', sentence('payment-recorded-here', own));
}

/**
 * Compares a payout that may end without a payment. While the comparison of its method after a restore is due, nothing
 * is known, because an account whose list was not compared may have paid it.
 */
export async function compareToEnd(turn: Turn, rail: Rail, payout: Payout): Promise<PayoutComparison> {
  const reason = await reconcileMethod(turn, payout.method, { kind: 'usable', rail });
  return reason === undefined ? comparePayout(turn.database, rail, payout) : { kind: 'unknown', reason };
}

/** Ends a halt, holding the lease of the method, or notes why it can't end now. */
export async function endHalt(turn: Turn, rail: Rail, payout: Payout): Promise<HaltEnd> {
  const comparison = await compareToEnd(turn, rail, payout);
  if (comparison.kind === 'made') {
    const { reference } = comparison.payment;
    if ((await adoptMade(turn, payout, comparison.payment)) === undefined) return CHANGED;
    await announceWithdrawal(turn, payout.withdrawalId);
    return { kind: 'made', reason: sentence('own-payment-made', { reference }) };
  }
  if (comparison.kind === 'possible') {
    await parkPossible(turn, payout, comparison);
    return comparison;
  }
  const end = comparison.kind === 'clear' ? await endClear(turn, payout) : comparison;
  if (end.kind === 'unknown') await postpone(turn, payout, end.reason);
  return end;
}

async function endClear(turn: Turn, { withdrawalId: id, haltedBy, haltReason }: Payout): Promise<HaltEnd> {
  if (haltedBy === null) return CHANGED;
  const returned = await turn.database.transaction(async (tx) => {
    // The approval may have been taken back and given again, or the operator's wish may have changed.
    if (!(await checkLease(tx, turn.lease)) || !(await lockHalted(tx, id, haltReason))) return undefined;
    if (haltReason === null) {
      const { status } = await decisionQueries.undoApproval(tx, id, haltedBy, true);
      return status === 'undone' ? null : undefined;
    }
    const failed = await queries.failPayout(tx, id, 'queued', haltReason);
    return failed.status === 'failed' ? failed : undefined;
  });
  if (returned === undefined) return CHANGED;
  turn.log.warn({ withdrawal: id, haltedBy, haltReason }, 'a halted payout has ended without a payment');
  if (returned === null) await announceWithdrawal(turn, id);
  else await announceReturn(turn, id, returned);
  return { kind: 'ended' };
}

/** Ends a halt for an operator, if the outside party answers and no other process keeps the turn. */
export async function endHaltNow(platform: PayoutParts, id: string): Promise<HaltEnd> {
  const found = await queries.findPayout(platform.database, id);
  if (found === undefined) return { kind: 'gone' };
  const setup = await setUpRail(platform, found.method);
  if (setup.kind === 'unusable') return { kind: 'unknown', reason: setup.reason };
  const lease = await takeTurnIfFree(platform, found.method);
  if (lease === undefined) return CHANGED;
  try {
    const payout = await queries.findPayout(platform.database, id);
    if (payout === undefined || payout.state === 'failed') return { kind: 'gone' };
    return payout.haltedBy === null || payout.state !== 'queued'
      ? CHANGED
      : await endHalt({ ...platform, lease }, setup.rail, payout);
  } finally {
    await lease.release();
  }
}

async function takeTurnIfFree(platform: PayoutParts, method: string) {
  try {
    return await takeTurn(platform, method);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'payout-busy') return undefined;
    throw error;
  }
}
