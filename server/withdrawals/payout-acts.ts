import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { Payout as PayoutReply } from '#contract/withdrawals-payouts.ts';
import { type RecordedAct, recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import { checkLease, type Lease, takeLease } from '#platform/leases.ts';
import { type Refusal, refuse } from '#platform/refusal.ts';
import * as decisionQueries from './decision-queries.ts';
import { refusalOf } from './decision-refusals.ts';
import { announceReturn, type PayoutParts } from './decisions.ts';
import { announceWithdrawal } from './news.ts';
import { findRail, setUpRail } from './payment-methods.ts';
import { type Comparison, comparePayout } from './payout-comparison.ts';
import { readPayout } from './payout-list.ts';
import { clearPayout, parkUnprepared, replacePayment, turnNameOf } from './payout-queries.ts';
import {
  actInTurn,
  findPayment,
  type OperatorAct,
  refuseUnseen,
  type SettlingAct,
  takeTurn,
} from './payout-turn.ts';
import { advance } from './payouts.ts';
import * as queries from './queries.ts';
import type { PaymentStatus, Rail } from './rails/rail.ts';
import { enqueueSweep } from './sweep-job.ts';
import { verifyTimeline } from './timelines.ts';
import { readWithdrawal } from './withdrawal-list.ts';

/**
 * What an operator can do about a payout that is not done: take its approval back, check it now, retry it, give it up
 * and return its points, or name the payment that paid it. Each is one row of the audit trail. All but the check are
 * for the payouts of others only, and hold the lease of the method; a check without the lease only makes the payout
 * due. The rail is asked before a payout is given up or settled, before a queued one's approval is taken back, and
 * before a parked one without a payment is tried again.
 * Points return only if the payment was certainly not made and can't be made any more.
 */
type Work = { payout: queries.Payout; rail: Rail; lease: Lease };

/** Runs an act on a payout that is not done, in the turn of its method. */
async function actOnUnfinished(act: OperatorAct, work: (parts: Work) => Promise<void>): Promise<PayoutReply> {
  const { database } = act.platform;
  if ((await queries.findPayout(database, act.id)) === undefined) throw refuse('not-found');
  await actInTurn(act, async ({ rail, lease }) => {
    const payout = await queries.findPayout(database, act.id);
    if (payout === undefined || payout.state === 'confirmed' || payout.state === 'failed')
      throw refuse('payout-finished');
    await work({ payout, rail, lease });
  });
  return readPayout(database, act.id);
}

/** Writes an act and its row of the audit trail in one transaction, on condition of the lease. */
function write(
  act: OperatorAct,
  name: RecordedAct['act'],
  { payout, lease }: Work,
  change: (tx: Tx) => Promise<object>,
) {
  const { operatorId, id: target, reason } = act;
  return act.platform.database.transaction(async (tx) => {
    if (!(await checkLease(tx, lease))) throw refuse('payout-busy');
    const after = { ...(await change(tx)) };
    const before = { state: payout.state, reference: payout.reference, trouble: payout.trouble };
    await recordActs(tx, [{ operatorId, act: name, target, reason, before, after }]);
  });
}

/**
 * Takes an approval back, so that the withdrawal is pending again. Of a payout that the rail may have paid, or about
 * which it does not answer, nobody knows that it was not sent.
 * @throws Refusal `not-found`, `already-decided`, `already-sent`, `own-request`, `payout-busy`
 */
export async function undoApproval(
  platform: PayoutParts,
  operatorId: number,
  id: string,
): Promise<OperatorWithdrawal> {
  const { database } = platform;
  const found = await queries.findPayout(database, id);
  const lease = found && (await takeTurn(platform, found.method));
  try {
    if (found?.state === 'queued') await requireUnpaid(platform, found);
    await database.transaction(async (tx) => {
      if (lease && !(await checkLease(tx, lease))) throw refuse('payout-busy');
      const decided = await decisionQueries.undoApproval(tx, id, operatorId);
      if (decided.status !== 'undone') throw refusalOf(decided);
      const changed = { before: { status: 'approved' }, after: { status: 'pending' } };
      await recordActs(tx, [{ operatorId, act: 'withdrawal.undo', target: id, ...changed }]);
    });
  } finally {
    await lease?.release();
  }
  await announceWithdrawal(platform, id);
  return readWithdrawal(database, id);
}

/** @throws Refusal `already-sent` unless the rail's list shows that nothing may have paid the payout */
async function requireUnpaid(platform: PayoutParts, payout: queries.Payout): Promise<void> {
  const setup = await setUpRail(platform, payout.method);
  if (setup.kind === 'unusable') throw refuse('already-sent', setup.reason);
  const comparison = await comparePayout(platform.database, setup.rail, payout);
  if (comparison.kind !== 'clear') throw refuse('already-sent', comparison.reason);
}

/**
 * Tries a payout again now. For one that may be paid already, the operator says that the listed payments are others.
 * @param act `shown` are the references that the operator has seen; by default those that the payout names
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`,
 * `payout-unclear` (the rail lists another one)
 */
export const retryPayout = (act: OperatorAct & { shown?: readonly string[] }): Promise<PayoutReply> =>
  actOnUnfinished(act, async (work) => {
    const { payout, rail, lease } = work;
    const shown = act.shown ?? payout.possibleReferences;
    const mustClear = payout.state === 'parked' && payout.artifact === null;
    const comparison = mustClear ? await comparePayout(act.platform.database, rail, payout) : undefined;
    if (comparison?.kind === 'unknown') throw refuse('payout-unavailable', comparison.reason);
    if (comparison?.kind === 'possible' && comparison.references.some((one) => !shown.includes(one))) {
      await parkUnprepared(act.platform.database, lease, act.id, comparison);
      throw refuseUnseen(comparison);
    }
    await write(act, 'payout.retry', work, async (tx) => {
      const references = comparison?.kind === 'possible' ? comparison.references : [];
      if (mustClear) await clearPayout(tx, act.id, references);
      await queries.makeDue(tx, act.id);
      await enqueueSweep(tx);
      return mustClear ? { state: 'queued', cleared: references } : { state: payout.state };
    });
  });

/**
 * Gives a payout up that was certainly not paid and can't be, and returns its points.
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`,
 * `payout-unclear`
 */
export async function failPayout(act: OperatorAct): Promise<PayoutReply> {
  const { platform } = act;
  let returned: decisionQueries.Returned | undefined;
  const reply = await actOnUnfinished(act, async (work) => {
    const { payout, rail, lease } = work;
    const fault = await findDoubt(platform, rail, payout);
    if (fault) throw fault;
    await write(act, 'payout.fail', work, async (tx) => {
      if (payout.state !== 'queued' && payout.state !== 'parked')
        await queries.park(tx, lease, act.id, act.reason);
      const seenState = payout.state === 'queued' ? 'queued' : 'parked';
      const failed = await queries.failPayout(tx, act.id, seenState, act.reason);
      if (failed.status !== 'failed') throw refuse('payout-busy');
      returned = failed;
      return { state: 'failed' };
    });
  });
  if (returned) await announceReturn(platform, act.id, returned);
  return reply;
}

/** Why points may not return: a payment may have been made, or may still be made. */
async function findDoubt(
  platform: PayoutParts,
  rail: Rail,
  payout: queries.Payout,
): Promise<Refusal | undefined> {
  const comparison: Comparison = await comparePayout(platform.database, rail, payout);
  if (comparison.kind === 'unknown') return refuse('payout-unavailable', comparison.reason);
  if (comparison.kind === 'possible') return refuse('payout-unclear', comparison.reason);
  const payment = findPayment(payout);
  const status = payment && (await rail.inspect(payment));
  return status && !isImpossible(status) ? refuse('payout-unclear') : undefined;
}

const isImpossible = ({ kind }: PaymentStatus): boolean => kind === 'failed' || kind === 'lapsed';

/**
 * Makes a payment that an operator names the payout's own. It must pay the recipient exactly the amount, belong to no
 * other payout, and leave the payout's own payment impossible. One that was named before, and that the rail does not
 * list, can be replaced.
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`,
 * `payout-unclear`, `payment-mismatch`
 */
export const settlePayout = (act: SettlingAct): Promise<PayoutReply> =>
  actOnUnfinished(act, async (work) => {
    const { payout, rail, lease } = work;
    const found = await rail.find(act.reference, payout.destination);
    if (found.kind === 'unknown') throw refuse('payout-unavailable', found.reason);
    if (found.kind === 'absent') throw refuse('payment-mismatch', found.reason);
    if (found.paidUnits !== payout.amountUnits) throw refuse('payment-mismatch');
    const own = findPayment(payout);
    if (own && own.reference !== found.payment.reference) {
      const status = await rail.inspect(own);
      const isReplaced = status.kind === 'replaced' && status.by.reference === found.payment.reference;
      // Nothing was sent for a payment that was only named, so the named one may have been the wrong one.
      const isLost = payout.isFound && status.kind === 'absent';
      if (!isReplaced && !isLost && !isImpossible(status)) throw refuse('payout-unclear');
    }
    await write(act, 'payout.settle', work, async (tx) => {
      const settled = await replacePayment(tx, lease, payout, found.payment, act.reason);
      if (settled === undefined) throw refuse('payment-mismatch', 'Another payout has this payment.');
      await enqueueSweep(tx);
      return { state: 'broadcast', reference: found.payment.reference };
    });
    await verifyTimeline(act.platform);
  });

/**
 * Advances a payout on an operator's request. If it is queued, or the method has its turn already, the payout is made
 * due and left to the sweep.
 * @throws Refusal `not-found`
 */
export async function syncWithdrawal(
  platform: PayoutParts,
  id: string,
  operatorId: number | null = null,
): Promise<OperatorWithdrawal> {
  const { database } = platform;
  const found = await queries.findPayout(database, id);
  if (found === undefined) return readWithdrawal(database, id);
  const check = { operatorId, act: 'payout.check' as const, target: id };
  const rail = found.state === 'queued' ? undefined : await findRail(platform, found.method);
  const lease = rail && (await takeLease(platform, turnNameOf(found.method)));
  if (rail && lease) {
    try {
      await database.transaction((tx) => recordActs(tx, [check]));
      const payout = await queries.findPayout(database, id);
      if (payout) await advance({ ...platform, lease }, rail, payout);
    } finally {
      await lease.release();
    }
  } else {
    await database.transaction(async (tx) => {
      await recordActs(tx, [check]);
      await queries.makeDue(tx, id);
      await enqueueSweep(tx);
    });
  }
  return readWithdrawal(database, id);
}
