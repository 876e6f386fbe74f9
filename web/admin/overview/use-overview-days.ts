import { readOverviewDays } from '#contract/overview.ts';
import { useRead } from '#web/client/use-call.ts';

/** The figures are sums that the server keeps, so they are read once a minute. */
const POLL_MS = 60_000;

export const useOverviewDays = () => useRead(readOverviewDays, undefined, { refetchInterval: POLL_MS });
