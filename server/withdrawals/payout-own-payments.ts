import { sentence } from '#contract/operator-sentences.ts';
import type { Reader } from '#platform/database.ts';
import { readFormerPayments } from './accounted-queries.ts';
import type { Comparison } from './payout-comparison.ts';
import { replacePayment } from './payout-queries.ts';
import type { Turn } from './payout-turn.ts';
import type { Payout } from './queries.ts';
import type { Payment, Rail } from './rails/rail.ts';
import { verifyTimeline } from './timelines.ts';

/**
 * Payments that a payout had before and that were made after all, although that was impossible once: the outside
 * party's list has one as final. It was made for this payout and paid it, so it is taken as its own again. Neither does
 * the payout wait for an operator then, nor is another payment prepared for it.
 */
type Work = { database: Reader };

/** The payments of a comparison that the payout had before, and that pay it exactly. */
export async function findOwnMade(
  { database }: Work,
  { withdrawalId, destination, amountUnits }: Payout,
  comparison: Comparison | undefined,
): Promise<Payment[]> {
  if (comparison?.kind !== 'possible') return [];
  const exact = comparison.payments.filter(
    (one) => one.destination === destination && one.amountUnits === amountUnits,
  );
  if (exact.length === 0) return [];
  const references = exact.map(({ reference }) => reference);
  return readFormerPayments(database, withdrawalId, references);
}

/** Gives a payout the payment back that it had before and that was made after all. Undefined if there is none. */
export async function adoptMade(
  turn: Turn,
  rail: Rail,
  payout: Payout,
  comparison: Comparison,
): Promise<{ next: Payout; reference: string } | undefined> {
  for (const former of await findOwnMade(turn, payout, comparison)) {
    const { destination, amountUnits } = payout;
    const status = await rail.inspect({ ...former, destination, amountUnits });
    if (status.kind !== 'settled') continue;
    const { reference } = former;
    const next = await replacePayment(
      turn.database,
      turn.lease,
      payout,
      former,
      sentence('former-payment-made', { reference }),
    );
    if (next === undefined) continue;
    await verifyTimeline(turn);
    turn.log.warn({ withdrawal: payout.withdrawalId, reference }, 'a payout was paid by a former payment');
    return { next, reference };
  }
  return undefined;
}

/** A comparison without the payments that the payout had before, which need no operator. */
export function withoutOwn(comparison: Comparison | undefined, own: readonly Payment[]) {
  if (comparison?.kind !== 'possible' || own.length === 0) return comparison;
  const isOther = (reference: string) => own.every((one) => one.reference !== reference);
  const references = comparison.references.filter(isOther);
  if (references.length === 0) return { kind: 'clear' } as const;
  const payments = comparison.payments.filter(({ reference }) => isOther(reference));
  return { ...comparison, references, payments };
}
