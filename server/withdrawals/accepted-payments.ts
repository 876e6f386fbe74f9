import assert from 'node:assert/strict';
import { sentence } from '#contract/operator-sentences.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader, Tx } from '#platform/database.ts';
import { checkLease, type Lease } from '#platform/leases.ts';
import { refuse } from '#platform/refusal.ts';
import { announceNotices } from '../notices/notices.ts';
import { findNamed } from './accounted-queries.ts';
import { amountText, amountUnits } from './payout-amount.ts';
import { comparePayout } from './payout-comparison.ts';
import { isOfFormerAccount, paysInstead, recordTakenOver, requireRecordable } from './payout-own-payments.ts';
import { settleRecordedPayment } from './payout-queries.ts';
import { type AcceptingAct, type OperatorAct, refuseTaken } from './payout-turn.ts';
import * as queries from './queries.ts';
import type { FoundPayment, Rail } from './rails/rail.ts';
import { isGivenUp } from './reconciliation-queries.ts';
import { approvePaid } from './request-check-queries.ts';
import { enqueueSweep } from './sweep-job.ts';

/**
 * Payments that an operator accepts as those of a withdrawal, and the one write that settles it. A payment may be of
 * another amount, or known to the record of sent payments alone, because the account that made it is lost. The record
 * says whose such a payment is and what it paid, and the operator that it is final.
 */

/** What a payment settles: a payout that is not done, or a pending request (undefined). */
type Subject = { memberId: number; payout: queries.Payout | undefined; lease: Lease };
/** `isFinal`: the operator says so, because the account that pays now can't follow the payment. */
type Settlement = { reference: string; paidUnits: bigint; isFinal: boolean };

/**
 * Writes that a payment paid a withdrawal, and its row of the audit trail, in one transaction. A pending request is
 * approved with what was paid. A payment that is final confirms it; any other is followed.
 * @param store gives the payout the payment, or returns nothing if that is another payout's
 * @throws Refusal `payout-busy`, `already-decided`, `payment-mismatch`
 */
export function commitSettled(
  { platform: { database }, operatorId: actor, id, reason }: OperatorAct,
  { memberId, payout, lease }: Subject,
  { reference, paidUnits, isFinal }: Settlement,
  store: (tx: Tx) => Promise<queries.Payout | undefined>,
): Promise<void> {
  const isOther = payout !== undefined && payout.amountUnits !== paidUnits;
  const amount = (units: bigint) => ({ payoutAmount: amountText(units) });
  return database.transaction(async (tx) => {
    if (!(await checkLease(tx, lease))) throw refuse('payout-busy');
    if (payout === undefined && !(await approvePaid(tx, id, actor, paidUnits)))
      throw refuse('already-decided');
    if ((await store(tx)) === undefined)
      throw refuse('payment-mismatch', sentence('other-payout-has-payment'));
    if (isFinal) {
      const { memberId: paid } = await queries.confirmPayout(tx, id);
      assert(paid !== null, 'a payout with a payment can be confirmed');
    } else await enqueueSweep(tx);
    const paidBy = { state: isFinal ? 'confirmed' : 'broadcast', reference };
    const { before, after } =
      payout === undefined
        ? { before: { status: 'pending' }, after: { status: 'approved', ...paidBy, ...amount(paidUnits) } }
        : {
            before: {
              state: payout.state,
              reference: payout.reference,
              trouble: payout.trouble,
              ...(isOther && amount(payout.amountUnits)),
            },
            after: { ...paidBy, ...(isOther && amount(paidUnits)) },
          };
    const target = { kind: 'withdrawal', id, memberId } as const;
    await recordActs(tx, [{ actor, act: 'payout.settle', target, reason, before, after }]);
  });
}

type Recorded = { memberId: number; method: string; destination: string; lease: Lease };
/** `payout` is undefined for a pending request. `absence` is why the rail has no such payment. */
type Settled = Recorded & {
  payout: queries.Payout | undefined;
  absence: Exclude<FoundPayment, { kind: 'found' }>;
};

/**
 * Confirms a withdrawal by a payment that the record gives to it and that the rail does not list, but not by one whose
 * place another has, and not beside an own payment that the present account follows. While the rail does not answer,
 * only where its comparison was given up.
 * @throws Refusal `payout-unavailable`, `payout-unclear`, `payment-mismatch`, `payout-busy`
 */
export async function settleRecorded(act: AcceptingAct, settled: Settled): Promise<void> {
  const { platform, id, reason, reference } = act;
  const { database } = platform;
  const { memberId, method, destination, lease, payout, absence } = settled;
  if (absence.kind === 'absent' && absence.replaced !== undefined)
    throw refuse('payment-mismatch', absence.reason);
  const isSent = payout !== undefined && payout.reference !== null && payout.reference !== reference;
  if (isSent && !(await isOfFormerAccount(database, payout))) throw refuse('payout-unclear');
  const isAnswered = absence.kind === 'absent' || (await isGivenUp(database, method));
  if (!isAnswered) throw refuse('payout-unavailable', absence.reason);
  const paidUnits = await findPaidUnits(act, settled);
  const taker = { withdrawalId: id, method, destination };
  await refuseTaken(database, taker, reference);
  await requireRecordable(platform);
  const former = { withdrawalId: id, reference: payout?.reference ?? null };
  await commitSettled(act, settled, { reference, paidUnits, isFinal: true }, (tx) =>
    settleRecordedPayment(tx, lease, former, { reference, paidUnits }, reason),
  );
  await recordTakenOver(platform, taker, reference);
  await announceNotices(platform, memberId);
}

/** What the payment paid. Another amount than the payout's, and one that the record lacks, must be stated. */
async function findPaidUnits(act: AcceptingAct, { payout, absence }: Settled): Promise<bigint> {
  const recorded = await findNamed(act.platform.database, act.id, act.reference);
  if (recorded === undefined) throw refuse('payment-mismatch', absence.reason);
  const stated = act.acceptedAmount === undefined ? undefined : amountUnits(act.acceptedAmount);
  const paidUnits = recorded.amountUnits > 0n ? recorded.amountUnits : stated;
  if (paidUnits === undefined || paidUnits <= 0n) throw refuse('payment-mismatch', sentence('state-amount'));
  const isExpected = payout === undefined || payout.amountUnits === paidUnits || stated === paidUnits;
  if (isExpected) return paidUnits;
  const differs = `${paysInstead(paidUnits, payout.amountUnits)} ${sentence('state-amount')}`;
  throw refuse('payment-mismatch', differs, { acceptableAmount: amountText(paidUnits) });
}

type Accepted = {
  database: Reader;
  rail: Rail;
  payout: queries.Payout;
  found: Extract<FoundPayment, { kind: 'found' }>;
  acceptedAmount: string | undefined;
};

/**
 * Refuses a payment of another amount than the payout's, unless an operator accepts it. The refusal names the amount
 * that can be accepted. An older copy of the database may have been approved again at another rate: then the payment is
 * right, and the amount of the copy is not. The payment must be one that may have paid a parked payout without a stored
 * payment. Before it is final it may be undone, and then the accepted amount would be paid again.
 * @throws Refusal `payment-mismatch`, `payout-unavailable`
 */
export async function requireAccepted(accepted: Accepted): Promise<void> {
  const { database, rail, payout, found, acceptedAmount } = accepted;
  const { payment, paidUnits } = found;
  const { reference } = payment;
  const differs = paysInstead(paidUnits, payout.amountUnits);
  if (payout.state !== 'parked' || payout.artifact !== null || paidUnits <= 0n)
    throw refuse('payment-mismatch', differs);
  const comparison = await comparePayout(database, rail, payout);
  if (comparison.kind === 'unknown') throw refuse('payout-unavailable', comparison.reason);
  if (comparison.kind !== 'possible' || !comparison.references.includes(reference))
    throw refuse('payment-mismatch', differs);
  const acceptable = { acceptableAmount: amountText(paidUnits) };
  if (acceptedAmount === undefined || amountUnits(acceptedAmount) !== paidUnits)
    throw refuse('payment-mismatch', `${differs} ${sentence('state-amount')}`, acceptable);
  const { destination } = payout;
  const status = await rail.inspect({ ...payment, destination, amountUnits: paidUnits });
  if (status.kind !== 'settled')
    throw refuse('payment-mismatch', sentence('payment-not-final', { reference }), acceptable);
}
