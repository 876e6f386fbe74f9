import { readRestrictions } from '#contract/withdrawals-restrictions.ts';
import { useRead } from '#web/client/use-call.ts';

/** How often what waits is read again: the end of a hold, a suspension, a check or a pause is not pushed. */
export const WAITING_POLL_MS = 10_000;

/** What keeps the member from withdrawing now, read anew at each visit. Undefined until it is read. */
export const useRestrictions = () =>
  useRead(readRestrictions, undefined, {
    refetchOnMount: 'always',
    refetchInterval: ({ state: { data } }) =>
      data !== undefined &&
      (data.stop !== null ||
        data.securityHoldUntil !== null ||
        data.dayLimitUntil !== null ||
        data.payoutsPaused)
        ? WAITING_POLL_MS
        : false,
  }).data;

/** Whether all payouts are paused, so that no time is promised; false until it is known. */
export const useArePayoutsPaused = (): boolean => useRestrictions()?.payoutsPaused ?? false;
