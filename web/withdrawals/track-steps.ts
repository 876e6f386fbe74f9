import { type WithdrawalState, withdrawalSteps } from '#web/ui/withdrawal-state.ts';

/**
 * The words of the steps. A done step and a later one have the word of the badge of that state; the current one says
 * what goes on, and the badge's word if it is stopped.
 */
const words = {
  requested: { reached: 'withdrawals.track.requested', now: 'withdrawals.track.requested' },
  approved: { reached: 'withdrawalStatus.approved', now: 'withdrawals.track.review' },
  sent: { reached: 'payoutState.broadcast', now: 'withdrawals.track.sending' },
  paid: { reached: 'payoutState.confirmed', now: 'withdrawals.track.confirming' },
} as const;

/** The steps of a state, each with the key of its word; none if the withdrawal was turned down. */
export function trackSteps({ doneCount, isStopped, word }: WithdrawalState) {
  if (doneCount === null) return [];
  return withdrawalSteps.map((step, index) => {
    const { reached, now } = words[step];
    if (index < doneCount) return { word: reached, state: 'done' } as const;
    if (index > doneCount) return { word: reached, state: 'later' } as const;
    return { word: isStopped ? word : now, state: 'now' } as const;
  });
}
