import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/**
 * Runs `work` now and again after each pause, never two at the same time, until the signal is aborted. Work that runs
 * at the abort is finished. A failure is logged as `message` and the next turn runs all the same: sweeps find due rows,
 * so a failed turn loses nothing.
 */
export async function repeat(
  signal: AbortSignal,
  everyMs: number,
  log: Log,
  message: string,
  work: () => Promise<unknown>,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await work();
    } catch (error) {
      log.error({ error }, message);
    }
    await pause(everyMs, signal);
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
