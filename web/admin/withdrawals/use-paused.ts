import type { Pause } from '#contract/pause.ts';
import { readSite } from '#contract/site.ts';
import { useRead } from '#web/client/use-call.ts';

const POLL_MS = 15_000;

/** Whether all payouts are paused (the site's setting `payoutsPaused`), and by whom; false until it is known. */
export function usePause(): { arePaused: boolean; pause: Pause | null } {
  const { data } = useRead(readSite, undefined, { refetchInterval: POLL_MS });
  return { arePaused: data?.payoutsPaused ?? false, pause: data?.pause ?? null };
}

/** Whether all payouts are paused; false until it is known. */
export const useArePayoutsPaused = (): boolean => usePause().arePaused;
