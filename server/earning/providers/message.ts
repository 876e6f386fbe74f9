import type { Decimal } from './decimal.ts';

/** A postback in our words. Amounts are whole points above 0; payouts are millionths of a US dollar. */
export type PostbackMessage = CreditMessage | ReversalMessage | NothingMessage;

export type CreditMessage = {
  kind: 'credit';
  transactionId: string;
  /** Whom it is for, as the wall's address named them. Not proven to exist. */
  memberRef: string;
  amountPoints: bigint;
  /** What the company says it pays us, not proven and of any sign; `null` where it does not say. */
  payoutMicroUsd: bigint | null;
  /** The offer's name, without control characters, or empty. */
  offerName: string;
  /** Paid without a completed task: a screen-out, or thanks for a rating. Not counted as a task. */
  isScreenOut: boolean;
  /** What a reversal will have in common with this credit, where a company's reversals name no transaction. */
  link?: string;
};

export type ReversalMessage = {
  kind: 'reversal';
  /** This message's own id, which several companies share with the credit. */
  transactionId: string;
  /** The credit's; where `link` is set, that of this message itself, and the link leads to the credit. */
  creditTransactionId: string;
  memberRef: string;
  /** `null`: all that is left of the credit. */
  amountPoints: bigint | null;
  /** The company's reason in its own words, or empty. */
  reason: string;
  /** What the credit that is taken back has in common with this message. */
  link?: string;
};

/** Verified, acknowledged, and without effect on any balance. */
export type NothingMessage = {
  kind: 'nothing';
  why: 'zero-amount' | 'test-call' | 'unknown-status' | 'pending' | 'rejected' | 'start-bonus';
  transactionId: string | null;
  memberRef: string | null;
};

/** What every message of a call names. */
export type Subject = { transactionId: string; memberRef: string };

export function nothing(why: NothingMessage['why'], { transactionId, memberRef }: Subject): NothingMessage {
  return { kind: 'nothing', why, transactionId, memberRef };
}

/**
 * A paid call: a credit, a reversal of the same transaction where the amount is negative, or nothing below a
 * point.
 */
export function earned(
  subject: Subject & { payout: Decimal | null; offerName: string; isScreenOut: boolean },
  amount: Decimal,
): PostbackMessage {
  const { transactionId, memberRef, payout, offerName, isScreenOut } = subject;
  if (amount.sign < 0) return reversed({ transactionId, memberRef }, transactionId, amount);
  if (amount.whole === 0n) return nothing('zero-amount', subject);
  return {
    kind: 'credit',
    transactionId,
    memberRef,
    amountPoints: amount.whole,
    payoutMicroUsd: payout === null ? null : payout.micros,
    offerName,
    isScreenOut,
  };
}

/**
 * A call that takes back. No amount, or exactly 0, means all of the credit. An amount between 0 and 1 means
 * nothing, not all: rounded down like its credit, it takes less than a point.
 */
export function reversed(
  { transactionId, memberRef }: Subject,
  creditTransactionId: string,
  amount: Decimal | null,
  reason = '',
): PostbackMessage {
  const isAll = amount === null || amount.sign === 0;
  if (!isAll && amount.whole === 0n) return nothing('zero-amount', { transactionId, memberRef });
  const amountPoints = isAll ? null : amount.whole;
  return { kind: 'reversal', transactionId, creditTransactionId, memberRef, amountPoints, reason };
}
