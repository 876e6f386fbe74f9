import { readSite } from '#contract/site.ts';
import { useRead } from '#web/client/use-call.ts';

const POLL_MS = 15_000;

/** Whether all payouts are paused (the site's setting `payoutsPaused`); false until it is known. */
export const useArePayoutsPaused = (): boolean =>
  useRead(readSite, undefined, { refetchInterval: POLL_MS }).data?.payoutsPaused ?? false;
