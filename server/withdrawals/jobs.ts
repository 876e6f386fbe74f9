import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { armFailpoint } from './failpoint.ts';
import { type PayoutParts, sweepPayouts } from './payouts.ts';
import { refreshRates } from './rates.ts';

/**
 * What a node does about withdrawals besides answering: it sweeps unfinished payouts at the start, every few
 * seconds, and when a job nudges it; and it keeps the rates young. A sweep that fails is logged and the next
 * one tries again.
 */
export type PayoutSweeps = {
  /** Sweeps now; a call during a sweep waits for one that begins after it. */
  sweep: () => Promise<void>;
  close: () => Promise<void>;
};

const SWEEP_INTERVAL_MS = 2_000;
const RATES_INTERVAL_MS = 30_000;

export async function startPayouts(platform: Platform, appUrl: string): Promise<PayoutSweeps> {
  if (platform.config.mode === 'sandbox' && process.env.FAILPOINT) armFailpoint(process.env.FAILPOINT);
  return runSweeps(platform, appUrl, SWEEP_INTERVAL_MS);
}

/** The same without a whole platform. */
export function runSweeps(platform: PayoutParts, appUrl: string, intervalMs: number): PayoutSweeps {
  const closing = new AbortController();
  const { signal } = closing;
  const sweep = oneAtATime(() =>
    signal.aborted ? Promise.resolve() : sweepPayouts(platform, appUrl, signal),
  );
  const loops = Promise.all([
    repeat(signal, intervalMs, platform.log, 'the sweep of payouts failed', sweep),
    repeat(signal, RATES_INTERVAL_MS, platform.log, 'the rates could not be kept', () =>
      refreshRates(platform),
    ),
  ]);
  return {
    sweep,
    close: async () => {
      closing.abort();
      await loops;
    },
  };
}

/** At most one run at a time; callers during a run share the next one. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const begin = () => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  return () => {
    if (!running) return begin();
    next ??= running
      .catch(() => undefined) // its own callers hear of its failure
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
