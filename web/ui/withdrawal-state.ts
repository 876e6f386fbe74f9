import { type Icon, IconClock, IconX } from '@tabler/icons-react';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';

/** The state of a withdrawal. Its badge and its step are made of this, so that they never disagree. */

/** What the state is derived from. Operators' lists have no rejection code. */
export type WithdrawalFacts = Pick<OperatorWithdrawal, 'status' | 'payoutState' | 'txId'> & {
  rejectionCode?: string | null;
};

/** The steps of a withdrawal in their order. */
export const withdrawalSteps = ['requested', 'approved', 'sent', 'paid'] as const;

export type WithdrawalState = {
  /** The tone of the badge. */
  tone: 'wait' | 'ok' | 'bad' | 'warn' | 'plain';
  icon?: Icon;
  /** The key of the badge's word. */
  word:
    | `withdrawalStatus.${'pending' | 'approved' | 'rejected' | 'cancelled'}`
    | `payoutState.${'parked' | 'failed' | 'broadcast' | 'confirmed'}`;
  /** How many steps are done; null if the withdrawal was turned down. */
  doneCount: number | null;
  /** The current step waits for an operator who looks into the payment. */
  isStopped?: boolean;
};

export function withdrawalStateOf({
  status,
  payoutState,
  txId,
  rejectionCode,
}: WithdrawalFacts): WithdrawalState {
  if (status === 'pending') return { tone: 'wait', word: 'withdrawalStatus.pending', doneCount: 1 };
  if (status === 'rejected' && rejectionCode === 'cancelled')
    return { tone: 'plain', icon: IconX, word: 'withdrawalStatus.cancelled', doneCount: null };
  if (status === 'rejected') return { tone: 'bad', word: 'withdrawalStatus.rejected', doneCount: null };
  // A parked payment that has a transaction was sent.
  if (payoutState === 'parked' || payoutState === 'failed')
    return {
      tone: 'warn',
      word: `payoutState.${payoutState}`,
      doneCount: txId === null ? 2 : 3,
      isStopped: true,
    };
  if (payoutState === 'confirmed') return { tone: 'ok', word: 'payoutState.confirmed', doneCount: 4 };
  if (payoutState === 'broadcast')
    return { tone: 'ok', icon: IconClock, word: 'payoutState.broadcast', doneCount: 3 };
  return { tone: 'ok', icon: IconClock, word: 'withdrawalStatus.approved', doneCount: 2 };
}
