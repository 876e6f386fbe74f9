import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { anonymiseDeleted, type ForgetAccess } from './account-deletion.ts';
import { refreshDisplayRates } from './display-rates.ts';

/**
 * What becomes due in accounts: found by sweeps over business time, so that nothing is lost with a process, and a
 * second node that sweeps at the same moment finds it done.
 */
const ANONYMISED_EVERY_MS = 5_000;
const RATES_LOOKED_AT_EVERY_MS = 5 * 60_000;

export function startMembersSweeps(
  parts: Pick<Platform, 'database' | 'config' | 'log'>,
  forgetAccess: ForgetAccess,
): { close(): Promise<void> } {
  const { database, log } = parts;
  const closing = new AbortController();
  const { signal } = closing;
  const loops = Promise.all([
    repeat(signal, ANONYMISED_EVERY_MS, log, 'deleted accounts not anonymised', async () => {
      const count = await anonymiseDeleted(database, forgetAccess);
      if (count > 0) log.info({ count }, 'deleted accounts anonymised');
    }),
    repeat(signal, RATES_LOOKED_AT_EVERY_MS, log, 'rates to show not kept', () => refreshDisplayRates(parts)),
  ]);
  return {
    close: async () => {
      closing.abort();
      await loops;
    },
  };
}
