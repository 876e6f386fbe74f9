import { sentence } from '#contract/operator-sentences.ts';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { Payout as PayoutReply } from '#contract/withdrawals-payouts.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader } from '#platform/database.ts';
import type { Lease } from '#platform/leases.ts';
import { refuse } from '#platform/refusal.ts';
import { commitSettled, settleRecorded } from './accepted-payments.ts';
import { insertUnaccounted } from './accounted-queries.ts';
import { amountText, amountUnits } from './payout-amount.ts';
import { type Comparison, compareRequest, compareRequestWithFound } from './payout-comparison.ts';
import { readPayout } from './payout-list.ts';
import { recordTakenOver, requireRecordable } from './payout-own-payments.ts';
import { replacePayment } from './payout-queries.ts';
import {
  type AcceptingAct,
  actInTurn,
  type OperatorAct,
  refuseRecorded,
  refuseTaken,
  refuseUnseen,
} from './payout-turn.ts';
import type { OperatorRow } from './queries.ts';
import type { Rail } from './rails/rail.ts';
import { isGivenUp } from './reconciliation-queries.ts';
import {
  clearCheck,
  findOpenCheck,
  findRateAt,
  noteCheck,
  type RequestCheck,
} from './request-check-queries.ts';
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
    const request = { ...check, destination: row.destination };
    const listed = await compareRequest(database, rail, request);
    // The list of a method that was given up for good will never come.
    const isLost = listed.kind === 'unknown' && (await isGivenUp(database, check.method));
    const comparison = isLost ? await compareRequestWithFound(database, request) : listed;
    if (comparison.kind === 'unknown') throw refuse('payout-unavailable', comparison.reason);
    await work({ row, check, rail, lease, comparison });
  });

/**
 * Says that the payments that may have paid a request are others, so that it can be decided.
 * @param act `shown` are the references that the operator has seen; by default none, because the request may name more
 * than it did then
 * @throws Refusal `not-found`, `already-decided`, `own-request`, `payout-busy`, `payout-unavailable`,
 * `payout-unclear` (the rail lists another one)
 */
export async function clearRequest(
  act: OperatorAct & { shown?: readonly string[] },
): Promise<OperatorWithdrawal> {
  const { operatorId, id, reason } = act;
  const { shown = [] } = act;
  const { database } = act.platform;
  await actOnChecked(act, async ({ row, check, lease, comparison }) => {
    const references = comparison.kind === 'possible' ? comparison.references : [];
    if (comparison.kind === 'possible' && references.some((one) => !shown.includes(one))) {
      await database.transaction(async (tx) => {
        for (const payment of comparison.payments) await insertUnaccounted(tx, check.method, payment);
        await noteCheck(tx, id, comparison);
      });
      throw refuseUnseen(comparison);
    }
    await refuseRecorded(database, id, references);
    await database.transaction(async (tx) => {
      if ((await clearCheck(tx, lease, id, references)) === undefined) throw refuse('payout-busy');
      const changed = { before: { possible: check.possibleReferences }, after: { cleared: references } };
      const target = { kind: 'withdrawal', id, memberId: row.memberId } as const;
      await recordActs(tx, [{ actor: operatorId, act: 'withdrawal.clear', target, reason, ...changed }]);
    });
  });
  return readWithdrawal(database, id);
}

/**
 * Approves a request with the payment that paid it already, which must be one of those that may have. What it paid is
 * the amount, within half and double of what an approval would have paid at the time of the payment. Where no rate of
 * that time is stored, or beyond these bounds, the operator states the amount and so accepts it. One that the rail does
 * not show is believed to the record of sent payments.
 * @param act `acceptedAmount`: what the payment paid, as decimal text
 * @throws Refusal `not-found`, `already-decided`, `own-request`, `payout-busy`, `payout-unavailable`,
 * `payment-mismatch`
 */
export async function settleRequest(act: AcceptingAct): Promise<PayoutReply> {
  const { platform, id, reason } = act;
  const { database } = platform;
  await actOnChecked(act, async ({ row, check, rail, lease, comparison }) => {
    const found = await rail.find(act.reference, row.destination);
    if (found.kind !== 'found')
      return settleRecorded(act, { ...row, lease, payout: undefined, absence: found });
    const { payment, paidUnits } = found;
    await refuseTaken(database, { ...check, destination: row.destination }, payment.reference);
    const possible = comparison.kind === 'possible' ? comparison.payments : [];
    const listed = possible.find((one) => one.reference === payment.reference);
    if (listed === undefined) throw refuse('payment-mismatch');
    const isAccepted = act.acceptedAmount !== undefined && amountUnits(act.acceptedAmount) === paidUnits;
    const doubt = isAccepted ? undefined : await findDoubt({ database, row, rail }, paidUnits, listed.at);
    if (doubt !== undefined)
      throw refuse('payment-mismatch', doubt, { acceptableAmount: amountText(paidUnits) });
    const payout = { withdrawalId: id, method: row.method, destination: row.destination };
    await requireRecordable(platform);
    const { reference } = payment;
    const settled = { memberId: row.memberId, payout: undefined, lease };
    await commitSettled(act, settled, { reference, paidUnits, isFinal: false }, (tx) =>
      replacePayment(tx, lease, { withdrawalId: id, reference: null }, payment, reason),
    );
    await recordTakenOver(platform, payout, reference);
  });
  return readPayout(database, id);
}

/** Why an amount may not be what the request was worth at the time of the payment. Undefined if nothing says so. */
async function findDoubt(
  { database, row, rail }: { database: Reader; row: OperatorRow; rail: Rail },
  paidUnits: bigint,
  paidAt: Date,
): Promise<string | undefined> {
  let hasRate = true;
  const quote = await rail.quote(row, async (currency) => {
    const rate = await findRateAt(database, row.method, currency, paidAt);
    hasRate = rate !== undefined;
    return rate ?? '1';
  });
  const paidAmount = amountText(paidUnits);
  if (!hasRate) return sentence('pays-without-rate', { paidAmount });
  if (quote.kind === 'refused')
    return `${sentence('pays-without-quote', { paidAmount })} ${quote.reason} ${sentence('state-amount')}`;
  const units = quote.amountUnits;
  if (paidUnits > 0n && paidUnits * 2n >= units && paidUnits <= units * 2n) return undefined;
  return sentence('pays-unlike-quote', { paidAmount, quotedAmount: amountText(units) });
}
