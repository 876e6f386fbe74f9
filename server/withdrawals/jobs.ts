import { inTime, repeat } from '#platform/repeat.ts';
import type { PayoutParts } from './decisions.ts';
import { armFailpoint } from './failpoint.ts';
import { sweepPayouts } from './payouts.ts';
import { refreshQuotes } from './quotes.ts';

/**
 * The background work of withdrawals. It sweeps unfinished payouts at the start, every few seconds, and when a job asks
 * for it, and it refreshes the rates. A failed sweep is logged, and the next one tries again.
 */
export type PayoutSweeps = {
  /** Sweeps now. A call during a sweep waits for the next sweep, which begins after it. */
  sweep: () => Promise<void>;
  close: () => Promise<void>;
};

const SWEEP_INTERVAL_MS = 2_000;
/** For the turns of all methods. A job may ask for a sweep while one runs, and then waits for that one too. */
const SWEEP_MS_MAX = 5 * 60_000;
const RATES_INTERVAL_MS = 30_000;

export function startPayouts(platform: PayoutParts): PayoutSweeps {
  if (platform.config.mode === 'sandbox' && process.env.FAILPOINT) armFailpoint(process.env.FAILPOINT);
  const closing = new AbortController();
  const { signal } = closing;
  const sweep = oneAtATime(async () => {
    if (!signal.aborted) await inTime(sweepPayouts(platform, signal), SWEEP_MS_MAX);
  });
  const loops = Promise.all([
    repeat(platform, signal, {
      name: 'payouts',
      everyMs: SWEEP_INTERVAL_MS,
      timeMsMax: 2 * SWEEP_MS_MAX,
      work: sweep,
    }),
    repeat(platform, signal, {
      name: 'rates',
      everyMs: RATES_INTERVAL_MS,
      work: () => refreshQuotes(platform),
    }),
  ]);
  return {
    sweep,
    close: async () => {
      closing.abort();
      await loops;
    },
  };
}

/** Runs the work at most once at a time. Callers during a run share the next run. */
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
      .catch(() => undefined) // the callers of that run get its error
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };
}
