import { sentence } from '#contract/operator-sentences.ts';
import type { Reader } from '#platform/database.ts';
import { readFormerPayments } from './accounted-queries.ts';
import { amountText } from './payout-amount.ts';
import { replacePayment } from './payout-queries.ts';
import { postpone, type Step, type Turn } from './payout-turn.ts';
import type { Payout } from './queries.ts';
import type { Payment, PaymentOrder, PaymentStatus, Rail } from './rails/rail.ts';
import { verifyTimeline } from './timelines.ts';

/**
 * Payments that a payout had before. Each was impossible once. One that is listed again, or that a comparison found, is
 * looked at by itself: one that is final was made for this payout and paid it, so it is taken as its own again. One
 * that can never be made is no payment. Until either is certain, no other payment is made and no points return.
 */
export type FormerVerdict =
  /** This one is final, and pays the payout exactly. */
  | { kind: 'made'; payment: Payment }
  /** One of them may still be made. */
  | { kind: 'unknown'; reason: string }
  /** None of them may still be made. The references are those of the ones that can never be. */
  | { kind: 'ended'; impossible: string[] };

type FormerPayout = PaymentOrder & { method: string; reference: string | null };

/** Looks at the payments of these references that a payout had before. */
export async function judgeFormer(
  database: Reader,
  rail: Rail,
  payout: FormerPayout,
  references: readonly string[],
): Promise<FormerVerdict> {
  const former = await readFormerPayments(database, payout, references);
  const impossible: string[] = [];
  let doubt: string | undefined;
  for (const payment of former) {
    const verdict = await judgeOne(rail, payout, payment);
    if (verdict === 'made') return { kind: 'made', payment };
    if (verdict === 'impossible') impossible.push(payment.reference);
    else doubt ??= verdict.doubt;
  }
  return doubt === undefined ? { kind: 'ended', impossible } : { kind: 'unknown', reason: doubt };
}

async function judgeOne(
  rail: Rail,
  { destination, amountUnits }: FormerPayout,
  payment: Payment,
): Promise<'made' | 'impossible' | { doubt: string }> {
  const { reference } = payment;
  const doubt = (reason: string | null) => ({
    doubt: [sentence('former-payment-open', { reference }), reason].filter((text) => text !== null).join(' '),
  });
  const status = await rail.inspect({ ...payment, destination, amountUnits });
  if (isImpossible(status)) return 'impossible';
  if (status.kind !== 'settled') return doubt(status.reason);
  const found = await rail.find(reference, destination);
  if (found.kind !== 'found') return doubt(found.reason);
  return found.paidUnits === amountUnits ? 'made' : doubt(paysInstead(found.paidUnits, amountUnits));
}

/** Says that a payment pays another amount than its payout. */
export const paysInstead = (paidUnits: bigint, payoutUnits: bigint): string =>
  sentence('pays-another-amount', {
    paidAmount: amountText(paidUnits),
    payoutAmount: amountText(payoutUnits),
  });

/** Whether a payment can certainly never be made. */
export const isImpossible = (status: PaymentStatus): boolean =>
  status.kind === 'failed' || status.kind === 'lapsed' || (status.kind === 'replaced' && status.isFinal);

/**
 * Gives a payout the payment back that it had before and that was made after all. Undefined if the payout changed
 * since.
 */
export async function adoptMade(turn: Turn, payout: Payout, former: Payment): Promise<Payout | undefined> {
  const { reference } = former;
  const reason = sentence('former-payment-made', { reference });
  const next = await replacePayment(turn.database, turn.lease, payout, former, reason);
  if (next === undefined) return undefined;
  await verifyTimeline(turn);
  turn.log.warn({ withdrawal: payout.withdrawalId, reference }, 'a payout was paid by a former payment');
  return next;
}

/** A step of a payout that such a payment paid. */
export async function takeMade(turn: Turn, payout: Payout, former: Payment): Promise<Step> {
  const next = await adoptMade(turn, payout, former);
  return next ? { next } : postpone(turn, payout, null);
}
