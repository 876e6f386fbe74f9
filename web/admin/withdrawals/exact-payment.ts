import type { PossiblePayment } from '#contract/withdrawals-payouts.ts';

/** What a payment must pay. */
type Expected = {
  /** With the currency; empty for a pending request, whose amount is not fixed yet. */
  amount: string;
  currency: string;
};

/**
 * The listed payment that an operator most likely means: the only one that goes to the recipient with the amount, or
 * for a pending request the only one that does not go to another recipient. Undefined if there is none, or more than
 * one.
 */
export function findExactPayment(
  payments: readonly PossiblePayment[],
  { amount, currency }: Expected,
): PossiblePayment | undefined {
  const exact = payments.filter(({ coinAmount, isSameAddress }) =>
    amount === ''
      ? isSameAddress !== false
      : isSameAddress === true && `${coinAmount} ${currency}` === amount,
  );
  return exact.length === 1 ? exact[0] : undefined;
}
