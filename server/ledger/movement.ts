import type { MovementKind } from '#contract/movement-kinds.ts';

export type { MovementKind };

export type Movement = {
  memberId: number;
  /** Unique for ever, 1 to 300 characters, such as `{provider}:{transaction}:credit`. */
  key: string;
  kind: MovementKind;
  /** Signed, from the member's side: an earning is positive. At most 10^15 in either direction. */
  amountPoints: bigint;
  /** The counter account: `provider:{id}`, `withdrawals`, `bonus`, `coinflip`, `grants`, `referrals`, `operator`. */
  account: string;
  /**
   * At most 500 characters, by kind: the offer's name, the reason of a reversal or a grant, the day of the bonus, the
   * friend, the side of the coin, the payment method.
   */
  subject: string;
  provider: string | null;
  transactionId: string | null;
  /** Whether an earning counts as a completed task; a screen-out does not. */
  isTask?: boolean;
  /** Consecutive movements of a call with the same link are posted together or not at all. */
  link?: number;
};

/**
 * - `posted`: written by this call
 * - `exists`: the same movement was posted before
 * - `exists_different`: the key belongs to another member, kind, amount or account
 * - `unknown_member`: there is no wallet
 * - `closed`: the wallet takes only reversals and returned withdrawals
 * - `insufficient`: the balance is too low
 *
 * If several apply, the first one in this order is the verdict.
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
  /** The movement's number in the member's history, if it was posted or exists. */
  seq: bigint | null;
  /** The balance after the movement; for `insufficient`, the current balance. */
  balancePoints: bigint | null;
};
