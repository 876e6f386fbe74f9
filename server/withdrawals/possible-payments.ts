import type { PossiblePayment } from '#contract/withdrawals-payouts.ts';
import { destinationText } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import type { ListedFacts } from './payout-queries.ts';

/** The listed payments that may have paid a payout or a request already, as an operator compares them. */
type Compared = {
  method: string;
  /** Of the payout or request. */
  destination: string;
  possibleReferences: readonly string[];
  possiblePayments: readonly ListedFacts[];
};

export const possiblePaymentsOf = ({
  method,
  destination,
  possibleReferences,
  possiblePayments,
}: Compared): PossiblePayment[] =>
  possibleReferences.map((txId) => {
    const facts = possiblePayments.find(({ reference }) => reference === txId);
    if (facts === undefined) return { txId, coinAmount: null, at: null, address: null, isSameAddress: null };
    const { amountUnits, at } = facts;
    const shared = { txId, coinAmount: amountText(BigInt(amountUnits)), at };
    // The outside party may not say where a payment went.
    if (facts.destination === '') return { ...shared, address: null, isSameAddress: null };
    const isSameAddress = facts.destination === destination;
    return { ...shared, address: destinationText(method, facts.destination), isSameAddress };
  });
