import { setTimeout as sleep } from 'node:timers/promises';
import type { Platform } from '#platform/platform.ts';
import { anonymiseDeleted } from './account-deletion.ts';
import { refreshDisplayRates } from './display-rates.ts';

/**
 * What becomes due in accounts: found by sweeps over business time, so that nothing is lost with a process, and a
 * second node that sweeps at the same moment finds it done.
 */
const ANONYMISED_EVERY_MS = 5_000;
const RATES_LOOKED_AT_EVERY_MS = 5 * 60_000;

export function startAccountSweeps(parts: Pick<Platform, 'database' | 'config' | 'log'>): {
  close(): Promise<void>;
} {
  const { database, log } = parts;
  const closing = new AbortController();
  const anonymising = repeat(closing.signal, ANONYMISED_EVERY_MS, async () => {
    try {
      const count = await anonymiseDeleted(database);
      if (count > 0) log.info({ count }, 'deleted accounts anonymised');
    } catch (error) {
      log.warn({ error }, 'deleted accounts not anonymised');
    }
  });
  const rates = repeat(closing.signal, RATES_LOOKED_AT_EVERY_MS, async () => {
    try {
      await refreshDisplayRates(parts);
    } catch (error) {
      log.warn({ error }, 'rates to show not kept');
    }
  });
  return {
    close: async () => {
      closing.abort();
      await Promise.all([anonymising, rates]);
    },
  };
}

/** Does `work`, which throws nothing, now and then again and again, never twice at once. */
async function repeat(signal: AbortSignal, everyMs: number, work: () => Promise<void>): Promise<void> {
  while (!signal.aborted) {
    await work();
    await sleep(everyMs, undefined, { signal, ref: false }).catch(() => undefined); // woken early: the loop ends
  }
}
