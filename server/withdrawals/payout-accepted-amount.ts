import { sentence } from '#contract/operator-sentences.ts';
import type { Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { amountText, amountUnits } from './payout-amount.ts';
import { comparePayout } from './payout-comparison.ts';
import { paysInstead } from './payout-own-payments.ts';
import type { Payout } from './queries.ts';
import type { FoundPayment, Rail } from './rails/rail.ts';

/**
 * The amount of a payment that paid a payout, where it is not the payout's. An older copy of the database was approved
 * again at another rate, so the payment is right and the amount of the copy is not. It is taken for a parked payout
 * without a stored payment alone, of a payment that may have paid it, that is final, and whose amount the operator
 * states. Before it is final it may be undone, and then this amount would be paid again.
 */
type Settled = {
  database: Reader;
  rail: Rail;
  payout: Payout;
  found: Extract<FoundPayment, { kind: 'found' }>;
  acceptedAmount: string | undefined;
};

/**
 * Refuses a payment of another amount than the payout's, unless an operator accepts it. The refusal names the amount
 * that can be accepted.
 * @throws Refusal `payment-mismatch`, `payout-unavailable`
 */
export async function requireAccepted(settled: Settled): Promise<void> {
  const { database, rail, payout, found, acceptedAmount } = settled;
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
