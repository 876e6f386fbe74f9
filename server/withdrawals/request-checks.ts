import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { Payout as PayoutReply } from '#contract/withdrawals-payouts.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader } from '#platform/database.ts';
import { checkLease, type Lease } from '#platform/leases.ts';
import { refuse } from '#platform/refusal.ts';
import { amountText } from './payout-amount.ts';
import { type Comparison, compareRequest } from './payout-comparison.ts';
import { readPayout } from './payout-list.ts';
import { replacePayment } from './payout-queries.ts';
import { actInTurn, type OperatorAct, refuseUnseen, type SettlingAct } from './payout-turn.ts';
import type { OperatorRow } from './queries.ts';
import { quoteNow } from './quotes.ts';
import type { Rail } from './rails/rail.ts';
import {
  approvePaid,
  clearCheck,
  findOpenCheck,
  noteCheck,
  type RequestCheck,
} from './request-check-queries.ts';
import { enqueueSweep } from './sweep-job.ts';
import { verifyTimeline } from './timelines.ts';
import { readWithdrawal } from './withdrawal-list.ts';

/**
 * Pending requests that may be paid already. An older copy of the database knows a request as pending that was approved
 * and paid after the backup. A reconciliation finds the payment (`reconciliation.ts`), and until an operator has
 * settled the request by it, or said that it is another's, nobody decides the request: its points would return although
 * it was paid. Both acts ask the rail first and are one row of the audit trail. Nobody acts on a request of their own.
 */
type Work = { row: OperatorRow; check: RequestCheck; rail: Rail; lease: Lease; comparison: Comparison };

/** Whether a request is one that these acts are for. */
export const isChecked = async (database: Reader, id: string): Promise<boolean> =>
  (await findOpenCheck(database, id)) !== undefined;

/** Runs an act on a checked request in the turn of its method, with what the rail lists now. */
const actOnChecked = (act: OperatorAct, work: (parts: Work) => Promise<void>): Promise<void> =>
  actInTurn(act, async ({ row, rail, lease }) => {
    const { database } = act.platform;
    const check = await findOpenCheck(database, act.id);
    if (check === undefined) throw refuse('already-decided');
    const comparison = await compareRequest(database, rail, { ...check, destination: row.destination });
    if (comparison.kind === 'unknown') throw refuse('payout-unavailable', comparison.reason);
    await work({ row, check, rail, lease, comparison });
  });

/**
 * Says that the payments that may have paid a request are others, so that it can be decided.
 * @param act `shown` are the references that the operator has seen; by default those that the request names
 * @throws Refusal `not-found`, `already-decided`, `own-request`, `payout-busy`, `payout-unavailable`,
 * `payout-unclear` (the rail lists another one)
 */
export async function clearRequest(
  act: OperatorAct & { shown?: readonly string[] },
): Promise<OperatorWithdrawal> {
  const { operatorId, id, reason } = act;
  const { database } = act.platform;
  await actOnChecked(act, async ({ check, lease, comparison }) => {
    const shown = act.shown ?? check.possibleReferences;
    const references = comparison.kind === 'possible' ? comparison.references : [];
    if (comparison.kind === 'possible' && references.some((one) => !shown.includes(one))) {
      await database.transaction((tx) => noteCheck(tx, id, references, comparison.reason));
      throw refuseUnseen(comparison);
    }
    await database.transaction(async (tx) => {
      if ((await clearCheck(tx, lease, id, references)) === undefined) throw refuse('payout-busy');
      const changed = { before: { possible: check.possibleReferences }, after: { cleared: references } };
      await recordActs(tx, [{ operatorId, act: 'withdrawal.clear', target: id, reason, ...changed }]);
    });
  });
  return readWithdrawal(database, id);
}

/**
 * Approves a request with the payment that paid it already, which must be one of those that may have. What it paid is
 * the amount, within half and double of what an approval would pay now.
 * @throws Refusal `not-found`, `already-decided`, `own-request`, `payout-busy`, `payout-unavailable`,
 * `payment-mismatch`, `rate-unavailable`
 */
export async function settleRequest(act: SettlingAct): Promise<PayoutReply> {
  const { platform, operatorId, id, reason } = act;
  const { database } = platform;
  await actOnChecked(act, async ({ row, rail, lease, comparison }) => {
    const found = await rail.find(act.reference, row.destination);
    if (found.kind === 'unknown') throw refuse('payout-unavailable', found.reason);
    if (found.kind === 'absent') throw refuse('payment-mismatch', found.reason);
    const { payment, paidUnits } = found;
    const isPossible = comparison.kind === 'possible' && comparison.references.includes(payment.reference);
    if (!isPossible) throw refuse('payment-mismatch');
    const { amountUnits } = await quoteNow(platform, row);
    if (paidUnits * 2n < amountUnits || paidUnits > amountUnits * 2n)
      throw refuse('payment-mismatch', mismatchOf(paidUnits, amountUnits));
    await database.transaction(async (tx) => {
      if (!(await checkLease(tx, lease))) throw refuse('payout-busy');
      if (!(await approvePaid(tx, id, operatorId, paidUnits))) throw refuse('already-decided');
      const queued = { withdrawalId: id, reference: null };
      const settled = await replacePayment(tx, lease, queued, payment, reason);
      if (settled === undefined) throw refuse('payment-mismatch', 'Another payout has this payment.');
      const { reference } = payment;
      const changed = { before: { status: 'pending' }, after: { status: 'approved', reference } };
      await recordActs(tx, [{ operatorId, act: 'payout.settle', target: id, reason, ...changed }]);
      await enqueueSweep(tx);
    });
    await verifyTimeline(platform);
  });
  return readPayout(database, id);
}

const mismatchOf = (paidUnits: bigint, amountUnits: bigint): string =>
  `It pays ${amountText(paidUnits)}, and an approval would pay ${amountText(amountUnits)}.`;
