import { readBackground } from '#contract/withdrawals-background.ts';
import { useRead } from '#web/client/use-call.ts';

/** What others do to a member changes the checks, and not every change is told by the live connection. */
const POLL_MS = 60_000;

/** What is known of a request, the person and the destination. */
export const useBackground = (id: string) =>
  useRead(readBackground, { params: { id } }, { refetchInterval: POLL_MS });
export type BackgroundRead = ReturnType<typeof useBackground>;
