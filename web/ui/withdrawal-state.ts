import { type Icon, IconClock, IconX } from '@tabler/icons-react';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { WaitsFor } from '#contract/withdrawals-restrictions.ts';

/** The state of a withdrawal. Its badge and its step are made of this, so that they never disagree. */

/**
 * What the state is derived from. Operators' lists have no rejection code, and say elsewhere what a request waits for.
 */
export type WithdrawalFacts = Pick<OperatorWithdrawal, 'status' | 'payoutState' | 'txId'> & {
  rejectionCode?: string | null;
  waitsFor?: WaitsFor | null;
  /** For operators: what is wrong with the payout, or that a pause stops it. */
  payoutObstacle?: OperatorWithdrawal['payoutObstacle'];
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
    | `withdrawalStatus.${'held' | 'stopped' | 'paused' | 'troubled'}`
    | `payoutState.${'failed' | 'broadcast' | 'confirmed' | 'parked'}`;
  /** How many steps are done; null if the withdrawal was turned down. */
  doneCount: number | null;
  /** The current step does not go on by itself, or not yet. */
  isStopped?: boolean;
};

/** What the badge of a withdrawal that waits says. What may be paid already is checked as a parked payout is. */
const waiting = {
  suspended: 'withdrawalStatus.stopped',
  disowned: 'withdrawalStatus.stopped',
  'in-debt': 'withdrawalStatus.stopped',
  'new-destination': 'withdrawalStatus.held',
  'security-change': 'withdrawalStatus.held',
  'in-check': 'payoutState.parked',
  'points-in-check': 'payoutState.parked',
  paused: 'withdrawalStatus.paused',
} as const;

export function withdrawalStateOf({
  status,
  payoutState,
  txId,
  rejectionCode,
  waitsFor,
  payoutObstacle,
}: WithdrawalFacts): WithdrawalState {
  if (waitsFor !== null && waitsFor !== undefined) {
    const word = waiting[waitsFor];
    return {
      tone: word === 'withdrawalStatus.held' || word === 'withdrawalStatus.paused' ? 'wait' : 'warn',
      word,
      doneCount: status === 'pending' ? 1 : 2,
      isStopped: true,
    };
  }
  if (status === 'pending') return { tone: 'wait', word: 'withdrawalStatus.pending', doneCount: 1 };
  if (status === 'rejected' && rejectionCode === 'cancelled')
    return { tone: 'plain', icon: IconX, word: 'withdrawalStatus.cancelled', doneCount: null };
  if (status === 'rejected')
    return {
      tone: 'bad',
      word: payoutState === 'failed' ? 'payoutState.failed' : 'withdrawalStatus.rejected',
      doneCount: null,
    };
  // A parked payment that has a transaction was sent.
  if (payoutState === 'parked' || payoutState === 'failed')
    return {
      tone: 'warn',
      word: `payoutState.${payoutState}`,
      doneCount: txId === null ? 2 : 3,
      isStopped: true,
    };
  if (payoutObstacle === 'troubled')
    return {
      tone: 'warn',
      word: 'withdrawalStatus.troubled',
      doneCount: txId === null ? 2 : 3,
      isStopped: true,
    };
  if (payoutObstacle === 'paused')
    return { tone: 'wait', word: 'withdrawalStatus.paused', doneCount: 2, isStopped: true };
  if (payoutState === 'confirmed') return { tone: 'ok', word: 'payoutState.confirmed', doneCount: 4 };
  if (payoutState === 'broadcast')
    return { tone: 'ok', icon: IconClock, word: 'payoutState.broadcast', doneCount: 3 };
  return { tone: 'ok', icon: IconClock, word: 'withdrawalStatus.approved', doneCount: 2 };
}
