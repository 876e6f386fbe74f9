import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from './log.ts';

/**
 * Does `work` now and then again after each pause, never twice at once, until the signal is aborted; what is under way
 * then is finished first. A failure is logged as `message`, and the next turn tries again: sweeps find what is due by
 * rows, so nothing is lost by a turn that failed.
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
    await sleep(everyMs, undefined, { signal }).catch(() => undefined); // woken early: the loop ends
  }
}
