import type { MovementKind } from '#contract/ledger.ts';

export type { MovementKind };

export type Movement = {
  memberId: number;
  /** Unique for ever, 1 to 300 characters, such as `{provider}:{transaction}:credit`. */
  key: string;
  kind: MovementKind;
  /** Signed, from the member's side: what is earned is positive. At most 10^15 either way. */
  amountPoints: bigint;
  /** The counter account: `provider:{id}`, `withdrawals`, `bonus`, `coinflip`, `grants`, `referrals`, `operator`. */
  account: string;
  /**
   * What it is about, by its kind, at most 500 characters: the offer's name, the reason of a reversal or a grant, the
   * day of the bonus, the friend, the side of the coin, the payment method.
   */
  subject: string;
  provider: string | null;
  transactionId: string | null;
  /** Whether an earning counts as a completed task; a screen-out does not. */
  isTask?: boolean;
  /** Neighbours in one call with the same link are posted together or not at all. */
  link?: number;
};

/**
 * - `posted`: written by this call
 * - `exists`: this very movement was posted before
 * - `exists_different`: the key belongs to another member, kind, amount or account
 * - `unknown_member`, `closed`: there is no wallet, or it takes only reversals and returns
 * - `insufficient`: the balance does not reach
 *
 * Where several apply, the first in this order is the verdict.
 */
export type PostStatus =
  | 'posted'
  | 'exists'
  | 'exists_different'
  | 'unknown_member'
  | 'closed'
  | 'insufficient';

export type Posting = {
  status: PostStatus;
  /** The movement's number in the member's history, where it was posted or exists. */
  seq: bigint | null;
  /** The balance after the movement, or the balance that did not reach. */
  balancePoints: bigint | null;
};
