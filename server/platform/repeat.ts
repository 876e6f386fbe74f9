import { setTimeout as sleep } from 'node:timers/promises';
import { sentence } from '#contract/operator-sentences.ts';
import type { Health } from './health.ts';
import type { SweepName } from './health-names.ts';
import type { Log } from './log.ts';

/** Work that a node does again and again. It finds due rows by itself, so a turn that fails loses nothing. */
export type Sweep = {
  /** Health knows it as `sweep-NAME`. */
  name: SweepName;
  everyMs: number;
  /** A turn that takes longer is given up. */
  timeMsMax?: number;
  /** The signal is aborted when the turn is given up, and when the node stops. */
  work: (signal: AbortSignal) => Promise<unknown>;
};

/** Longer than every call that a turn makes may take, so that only a turn that is stuck is given up. */
const TIME_MS_MAX = 60_000;
/** The pause after a failure, where the usual one is longer. */
const RETRIED_AFTER_MS = 5_000;

/**
 * Runs the sweep now and again after each pause until the signal is aborted. Work that runs at the abort is finished. A
 * turn that failed, or did not finish in its time, is reported, and the next turn runs all the same. Turns don't
 * overlap, except that a turn that was given up may still run beside the next one.
 */
export async function repeat(
  { log, health }: { log: Log; health: Health },
  closing: AbortSignal,
  sweep: Sweep,
): Promise<void> {
  const part = `sweep-${sweep.name}` as const;
  while (!closing.aborted) {
    let pauseMs = sweep.everyMs;
    try {
      await runTurn(sweep, closing);
      health.report(part, undefined);
    } catch (error) {
      log.error({ error, sweep: sweep.name }, 'a sweep failed');
      health.report(
        part,
        `${sentence('turn-failed')} ${error instanceof Error ? error.message : String(error)}`,
      );
      pauseMs = Math.min(pauseMs, RETRIED_AFTER_MS);
    }
    await pause(pauseMs, closing);
  }
}

async function runTurn({ timeMsMax = TIME_MS_MAX, work }: Sweep, closing: AbortSignal): Promise<void> {
  const givenUp = new AbortController();
  try {
    await inTime(work(AbortSignal.any([closing, givenUp.signal])), timeMsMax);
  } finally {
    givenUp.abort();
  }
}

/**
 * Waits for the work, this long at most. Work that was given up may still run, so its writes must be harmless then.
 * @throws whatever the work throws, and an error after its time
 */
export async function inTime<T>(work: Promise<T>, timeMsMax: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    const givenUp = () => reject(new Error(`it did not finish within ${timeMsMax / 1_000} s`));
    timer = setTimeout(givenUp, timeMsMax);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Waits for this time, or until the signal is aborted. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
