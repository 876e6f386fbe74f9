import type { Decimal } from './decimal.ts';

/** A translated postback. Amounts are whole points above 0. Payouts are millionths of a US dollar. */
export type PostbackMessage = CreditMessage | ReversalMessage | NothingMessage;

export type CreditMessage = {
  kind: 'credit';
  transactionId: string;
  /** The member id from the wall's address. The member may not exist. */
  memberRef: string;
  amountPoints: bigint;
  /** The company's payout to the site, unverified and of any sign. `null` if the call has none. */
  payoutMicroUsd: bigint | null;
  /** The offer's name, without control characters, or empty. */
  offerName: string;
  /** What the company calls the offer or survey by, if its call says so. It may be unsigned, so it can only hold. */
  offerId?: string;
  /** A credit without a completed task: a screen-out, or a reward for a rating. It does not count as a task. */
  isScreenOut: boolean;
  /** A value that the reversal shares, for companies whose reversals don't name the credit's transaction. */
  link?: string;
};

export type ReversalMessage = {
  kind: 'reversal';
  /** This message's own id, which several companies share with the credit. */
  transactionId: string;
  /** The credit's id; if `link` is set, this message's own id, and the link finds the credit. */
  creditTransactionId: string;
  memberRef: string;
  /** `null` takes the whole rest of the credit. */
  amountPoints: bigint | null;
  /** The company's reason, unchanged, or empty. */
  reason: string;
  /** A value that the credit shares. */
  link?: string;
};

/** Verified, acknowledged, and without effect on any balance. */
export type NothingMessage = {
  kind: 'nothing';
  why: 'zero-amount' | 'test-call' | 'unknown-status' | 'pending' | 'rejected' | 'start-bonus';
  transactionId: string | null;
  memberRef: string | null;
};

/** The transaction and member that every message has. */
export type Subject = { transactionId: string; memberRef: string };

export function ignoredMessage(
  why: NothingMessage['why'],
  { transactionId, memberRef }: Subject,
): NothingMessage {
  return { kind: 'nothing', why, transactionId, memberRef };
}

/**
 * Makes a credit. A negative amount makes a reversal of the same transaction. An amount below 1 point has no effect.
 */
export function creditMessage(
  subject: Subject & {
    payout: Decimal | null;
    offerName: string;
    isScreenOut: boolean;
    offerId?: string | null;
  },
  amount: Decimal,
): PostbackMessage {
  const { transactionId, memberRef, payout, offerName, isScreenOut, offerId = null } = subject;
  if (amount.sign < 0) return reversalMessage({ transactionId, memberRef }, transactionId, amount);
  if (amount.whole === 0n) return ignoredMessage('zero-amount', subject);
  return {
    kind: 'credit',
    transactionId,
    memberRef,
    amountPoints: amount.whole,
    payoutMicroUsd: payout === null ? null : payout.micros,
    offerName,
    isScreenOut,
    ...(offerId !== null && { offerId }),
  };
}

/**
 * Makes a reversal. No amount, or exactly 0, takes the whole credit. An amount between 0 and 1 has no effect, because
 * it is rounded down like its credit.
 */
export function reversalMessage(
  { transactionId, memberRef }: Subject,
  creditTransactionId: string,
  amount: Decimal | null,
  reason = '',
): PostbackMessage {
  const isAll = amount === null || amount.sign === 0;
  if (!isAll && amount.whole === 0n) return ignoredMessage('zero-amount', { transactionId, memberRef });
  const amountPoints = isAll ? null : amount.whole;
  return { kind: 'reversal', transactionId, creditTransactionId, memberRef, amountPoints, reason };
}
