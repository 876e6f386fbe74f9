import { sentence } from '#contract/operator-sentences.ts';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { Payout as PayoutReply } from '#contract/withdrawals-payouts.ts';
import { type RecordedAct, recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import { checkLease, type Lease, takeLease } from '#platform/leases.ts';
import { refuse } from '#platform/refusal.ts';
import { announceNotices } from '../notices/notices.ts';
import { commitSettled, requireAccepted, settleRecorded } from './accepted-payments.ts';
import * as decisionQueries from './decision-queries.ts';
import { refusalOf } from './decision-refusals.ts';
import { announceReturn, type PayoutParts } from './decisions.ts';
import { announceWithdrawal } from './news.ts';
import { findRail } from './payment-methods.ts';
import {
  clearedBy,
  comparePayout,
  findAccountTrouble,
  neverMade,
  type PayoutComparison,
} from './payout-comparison.ts';
import { compareToEnd, endHaltNow, haltToFail } from './payout-halt.ts';
import { readPayout } from './payout-list.ts';
import {
  findUnlistedOwn,
  isImpossible,
  recordTakenOver,
  requireImpossible,
  requireRecordable,
  requireRecorded,
} from './payout-own-payments.ts';
import {
  acceptPayment,
  clearPayout,
  giveBackPayment,
  liftHalt,
  lockForRetry,
  noteCleared,
  notePossible,
  parkUnprepared,
  readOthers,
  replacePayment,
  turnNameOf,
} from './payout-queries.ts';
import { requireNoStop, requireUnstopped } from './payout-stop.ts';
import {
  type AcceptingAct,
  actInTurn,
  findPayment,
  type OperatorAct,
  refuseRecorded,
  refuseTaken,
  refuseUnseen,
} from './payout-turn.ts';
import { advance } from './payouts.ts';
import * as queries from './queries.ts';
import type { FoundPayment, Payment, Rail } from './rails/rail.ts';
import { isChecked, settleRequest } from './request-checks.ts';
import { enqueueSweep } from './sweep-job.ts';
import { verifyTimeline } from './timelines.ts';
import { readWithdrawal, readWithdrawalRow } from './withdrawal-list.ts';

/**
 * What an operator can do about a payout that is not done: take its approval back, check it now, retry it, give it up
 * and return its points, or name the payment that paid it. Each is one row of the audit trail. All but the check are
 * for the payouts of others only. They hold the lease of the method; a check without the lease only makes the payout
 * due, and an approval is taken back and a queued payout given up by a halt first, which needs none (`payout-halt.ts`).
 * The rail is asked before a payout is given up or settled, before an approval is taken back after its delay, and
 * before a parked payout is tried again. Points return only if the payment was certainly not made and can't be made any
 * more.
 */

/** `shown` are references of listed payments that the operator has seen and calls others'. */
type JudgingAct = OperatorAct & { shown?: readonly string[] };
type Work = { memberId: number; payout: queries.Payout; rail: Rail; lease: Lease };

/** Runs an act on a payout that is not done, in the turn of its method. */
async function actOnUnfinished(act: OperatorAct, work: (parts: Work) => Promise<void>): Promise<PayoutReply> {
  const { database } = act.platform;
  if ((await queries.findPayout(database, act.id)) === undefined) throw refuse('not-found');
  await actInTurn(act, async ({ row: { memberId }, rail, lease }) => {
    const payout = await queries.findPayout(database, act.id);
    if (payout === undefined || payout.state === 'confirmed' || payout.state === 'failed')
      throw refuse('payout-finished');
    await work({ memberId, payout, rail, lease });
  });
  return readPayout(database, act.id);
}

/** Writes an act and its row of the audit trail in one transaction, on condition of the lease. */
function write(
  act: OperatorAct,
  name: RecordedAct['act'],
  { memberId, payout, lease }: Work,
  change: (tx: Tx) => Promise<object>,
) {
  const { operatorId: actor, id, reason } = act;
  const target = { kind: 'withdrawal', id, memberId } as const;
  return act.platform.database.transaction(async (tx) => {
    if (!(await checkLease(tx, lease))) throw refuse('payout-busy');
    const after = { ...(await change(tx)) };
    const { state, reference, trouble } = payout;
    const before = { state, reference, trouble };
    await recordActs(tx, [{ actor, act: name, target, reason, before, after }]);
  });
}

/**
 * Takes an approval back, so that the withdrawal is pending again: at once until its delay is over, later when it is
 * certain that nothing paid it. The payout is halted until then.
 * @throws Refusal `not-found`, `already-decided`, `already-sent`, `own-request`, `payout-halted` (halted by now)
 */
export async function undoApproval(
  platform: PayoutParts,
  operatorId: number,
  id: string,
): Promise<OperatorWithdrawal> {
  const { database } = platform;
  const { memberId } = await readWithdrawalRow(database, id);
  const decided = await database.transaction(async (tx) => {
    const decision = await decisionQueries.undoApproval(tx, id, operatorId, false);
    const after = { status: decision.status === 'undone' ? 'pending' : 'halted' };
    if (decision.isRecorded) {
      const target = { kind: 'withdrawal', id, memberId } as const;
      const before = { status: 'approved' };
      await recordActs(tx, [{ actor: operatorId, act: 'withdrawal.undo', target, before, after }]);
    }
    return decision;
  });
  if (decided.status === 'halted') {
    const end = await endHaltNow(platform, id);
    if (end.kind === 'gone' && !decided.isRecorded) throw refuse('already-decided');
    if (end.kind === 'possible' || end.kind === 'made') throw refuse('already-sent', end.reason);
    if (end.kind === 'unknown') throw refuse('payout-halted');
  } else if (decided.status !== 'undone') throw refusalOf(decided);
  await announceWithdrawal(platform, id);
  return readWithdrawal(database, id);
}

/**
 * Tries a payout again now. For one that may be paid already, the operator says that the listed payments are others.
 * @param act `shown` are the references that the operator has seen. By default none: it may name more by now
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`,
 * `payout-unclear` (the rail lists another one), those of `requireUnstopped`
 */
export const retryPayout = (act: JudgingAct): Promise<PayoutReply> =>
  actOnUnfinished(act, async (work) => {
    const { payout, rail } = work;
    const { database } = act.platform;
    // Before the outside party is asked. The write asks again, because the answer takes its time.
    await requireUnstopped(database, payout);
    const isParked = payout.state === 'parked';
    // A payment that the payout had before and that was made after all is taken by the sweep.
    const comparison = isParked ? await comparePayout(database, rail, payout) : undefined;
    const shown = act.shown ?? [];
    if (comparison?.kind === 'unknown' && comparison.sendable !== undefined && payout.artifact === null)
      return sendFormer(act, work, comparison.sendable);
    // A stored payment is looked at by the sweep, which asks again.
    if (comparison?.kind === 'unknown' && payout.artifact === null)
      throw refuse('payout-unavailable', comparison.reason);
    await requireSeen(act, work, comparison, shown);
    await write(act, 'payout.retry', work, async (tx) => {
      const locked = await lockForRetry(tx, act.id);
      if (locked === undefined) throw refuse('payout-finished');
      await requireUnstopped(tx, locked);
      const others = await readOthers(tx, act.id, clearedBy(payout, comparison, shown));
      const references = [...others, ...neverMade(comparison)];
      if (isParked) await clearPayout(tx, act.id, references);
      await liftHalt(tx, act.id);
      await queries.makeDue(tx, act.id);
      await enqueueSweep(tx);
      const state = payout.artifact === null ? 'queued' : payout.state;
      return isParked ? { state, cleared: references } : { state };
    });
  });

/** Gives a payout a payment back that another account prepared and that can still be made. The sweep sends it. */
async function sendFormer(act: OperatorAct, work: Work, payment: Payment): Promise<void> {
  const { payout, lease } = work;
  await requireRecorded(act.platform, payout, payment.reference);
  await write(act, 'payout.retry', work, async (tx) => {
    await requireNoStop(tx, act.id);
    const next = await giveBackPayment(tx, lease, payout, payment, act.reason);
    if (next === undefined) throw refuse('payout-busy');
    await enqueueSweep(tx);
    return { state: next.state, reference: payment.reference };
  });
  await verifyTimeline(act.platform);
}

/**
 * Refuses an act for which the rail lists an unseen payment, and notes it, or one that is the payout's by the record.
 * @throws Refusal `payout-unclear`
 */
async function requireSeen(
  { platform: { database }, id }: OperatorAct,
  { payout, lease }: Work,
  comparison: PayoutComparison | undefined,
  shown: readonly string[],
): Promise<void> {
  if (comparison?.kind !== 'possible' || comparison.references.every((one) => shown.includes(one)))
    return refuseRecorded(database, id, shown);
  if (payout.artifact === null) await parkUnprepared(database, lease, id, comparison);
  else await notePossible(database, lease, id, comparison);
  throw refuseUnseen(comparison);
}

/**
 * Gives a payout up that was certainly not paid and can't be, and returns its points. A queued one is halted until that
 * is certain.
 * @param act `shown` are references of payments that are others', as the operator says; by default none
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`,
 * `payout-unclear`, `payout-halted` (halted by now)
 */
export async function failPayout(act: JudgingAct): Promise<PayoutReply> {
  const { platform, id, shown = [] } = act;
  const { isHalted, isChanged } = await haltToFail(act, shown);
  if (isHalted) {
    const end = await endHaltNow(platform, id);
    if (end.kind === 'gone' && !isChanged) throw refuse('payout-finished');
    if (end.kind === 'possible') throw refuseUnseen(end);
    if (end.kind === 'made') throw refuse('payout-unclear', end.reason);
    if (end.kind === 'unknown') throw refuse('payout-halted');
    return readPayout(platform.database, id);
  }
  let returned: decisionQueries.Returned | undefined;
  const reply = await actOnUnfinished(act, async (work) => {
    const { payout, rail, lease } = work;
    // It was queued again since.
    if (payout.state === 'queued') throw refuse('payout-busy');
    const comparison = await compareToEnd({ ...platform, lease }, rail, payout);
    if (comparison.kind === 'unknown') throw refuse('payout-unavailable', comparison.reason);
    if (comparison.kind === 'made') throw refuse('payout-unclear', madeSentence(comparison.payment));
    await requireSeen(act, work, comparison, shown);
    const own = await requireImpossible({ ...platform, lease }, rail, payout, shown);
    const listed = comparison.kind === 'possible' ? comparison.references : [];
    await write(act, 'payout.fail', work, async (tx) => {
      if (payout.state !== 'parked') await queries.park(tx, lease, id, act.reason);
      const cleared = [...(await readOthers(tx, id, listed)), ...neverMade(comparison), ...own];
      await noteCleared(tx, id, cleared);
      const failed = await queries.failPayout(tx, id, 'parked', act.reason);
      if (failed.status !== 'failed') throw refuse('payout-busy');
      returned = failed;
      return { state: 'failed', ...(cleared.length > 0 && { cleared }) };
    });
  });
  if (returned) await announceReturn(platform, id, returned);
  return reply;
}

const madeSentence = ({ reference }: Payment): string =>
  `${sentence('own-payment-made', { reference })} ${sentence('retry-takes-payment')}`;

/**
 * Makes a payment that an operator names the payout's own. It must pay the recipient exactly the amount, or one that
 * the operator accepts, belong to no other payout, and leave the payout's own payment impossible. One that was named
 * before, and that the rail does not list, can be replaced. One that the payout itself had from an account that pays no
 * more is taken by the operator's word.
 * @throws Refusal `not-found`, `own-request`, `payout-busy`, `payout-finished`, `payout-unavailable`,
 * `payout-unclear`, `payment-mismatch`
 */
export const settlePayout = (act: AcceptingAct): Promise<PayoutReply> =>
  actOnUnfinished(act, async (work) => {
    const { database } = act.platform;
    const { payout, rail, lease } = work;
    const found = await rail.find(act.reference, payout.destination);
    if (found.kind === 'absent') return settleUnlisted(act, work, found);
    if (found.kind === 'unknown')
      return settleRecorded(act, { ...payout, memberId: work.memberId, lease, payout, absence: found });
    await refuseTaken(database, payout, found.payment.reference);
    const isExact = found.paidUnits === payout.amountUnits;
    if (!isExact)
      await requireAccepted({ database, rail, payout, found, acceptedAmount: act.acceptedAmount });
    const own = findPayment(payout);
    // It was named already. Its line may be missing, because the process ended before it was written.
    if (payout.state === 'broadcast' && own?.reference === found.payment.reference)
      return recordTakenOver(act.platform, payout, own.reference);
    if (own && own.reference !== found.payment.reference) {
      const status = await rail.inspect(own);
      const isReplaced = status.kind === 'replaced' && status.by.reference === found.payment.reference;
      // Nothing was sent for a payment that was only named, so the named one may have been the wrong one.
      const isLost = payout.isFound && status.kind === 'absent';
      if (!isReplaced && !isLost && !isImpossible(status)) throw refuse('payout-unclear');
    }
    await requireRecordable(act.platform);
    const { payment, paidUnits } = found;
    const { reference } = payment;
    await commitSettled(act, work, { reference, paidUnits, isFinal: false }, (tx) =>
      isExact
        ? replacePayment(tx, lease, payout, payment, act.reason)
        : acceptPayment(tx, lease, act.id, { ...payment, paidUnits }, act.reason),
    );
    await recordTakenOver(act.platform, payout, reference);
  });

/**
 * Confirms a payout by a payment of its own that another account made, which the present one can't follow. That it is
 * final is the operator's word.
 * @param absence what the rail says of the payment. One that it does not show may be known to the record
 * @throws Refusal `payout-unavailable`, `payment-mismatch`, `payout-busy`
 */
async function settleUnlisted(
  act: AcceptingAct,
  work: Work,
  absence: Extract<FoundPayment, { kind: 'absent' }>,
): Promise<void> {
  const { platform, reference } = act;
  const { database } = platform;
  const { memberId, payout, rail, lease } = work;
  const trouble = await findAccountTrouble(database, rail, payout.method, new Date());
  if (trouble !== undefined) throw refuse('payout-unavailable', trouble);
  const payment = await findUnlistedOwn(database, rail, payout, reference);
  if (payment === undefined) return settleRecorded(act, { ...payout, memberId, lease, payout, absence });
  await refuseTaken(database, payout, reference);
  await requireRecorded(act.platform, payout, reference);
  const settlement = { reference, paidUnits: payout.amountUnits, isFinal: true };
  await commitSettled(act, work, settlement, (tx) => replacePayment(tx, lease, payout, payment, act.reason));
  await verifyTimeline(platform);
  await announceNotices(platform, memberId);
}

/**
 * Makes a payment that an operator names the one that paid: a pending request that may be paid already, or a payout.
 * @param act `acceptedAmount`: what the payment paid, as decimal text, to accept an amount that differs
 * @throws Refusal those of `settleRequest` or of `settlePayout`
 */
export const settle = async (act: AcceptingAct): Promise<PayoutReply> =>
  (await isChecked(act.platform.database, act.id)) ? settleRequest(act) : settlePayout(act);

/**
 * Advances a payout on an operator's request. If it is queued, or the method has its turn already, the payout is made
 * due and left to the sweep.
 * @throws Refusal `not-found`
 */
export async function syncWithdrawal(
  platform: PayoutParts,
  id: string,
  operatorId: number,
): Promise<OperatorWithdrawal> {
  const { database } = platform;
  const { memberId } = await readWithdrawalRow(database, id);
  const found = await queries.findPayout(database, id);
  if (found === undefined) return readWithdrawal(database, id);
  const target = { kind: 'withdrawal', id, memberId } as const;
  const check = { actor: operatorId, act: 'payout.check', target } as const;
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
