import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { anonymiseDeleted, type ForgetAccess } from './account-deletion.ts';
import { countMembers } from './account-queries.ts';
import { keepMemberDays } from './days.ts';
import { refreshDisplayRates } from './display-rates.ts';

/**
 * The sweeps of members: anonymising deleted accounts, counting members and their days, and fetching display rates.
 * Sweeps find due rows, so nothing is lost when a process ends, and concurrent sweeps of two nodes do the work once.
 */
const ANONYMISED_EVERY_MS = 5_000;
const COUNTED_EVERY_S = 60;
const RATES_LOOKED_AT_EVERY_MS = 5 * 60_000;

export function startMembersSweeps(
  platform: Pick<Platform, 'database' | 'config' | 'log' | 'health'>,
  forgetAccess: ForgetAccess,
): { close(): Promise<void> } {
  const { database, log } = platform;
  const closing = new AbortController();
  const { signal } = closing;
  const loops = Promise.all([
    repeat(platform, signal, {
      name: 'deleted-accounts',
      everyMs: ANONYMISED_EVERY_MS,
      work: async () => {
        const count = await anonymiseDeleted(database, forgetAccess);
        if (count > 0) log.info({ count }, 'deleted accounts anonymised');
      },
    }),
    repeat(platform, signal, {
      name: 'member-counts',
      everyMs: COUNTED_EVERY_S * 1_000,
      // A little less than the pause, so that one of several nodes counts at each turn.
      work: async () => {
        const { isDone } = await countMembers(database, COUNTED_EVERY_S - 10);
        if (isDone) await keepMemberDays(database);
      },
    }),
    repeat(platform, signal, {
      name: 'display-rates',
      everyMs: RATES_LOOKED_AT_EVERY_MS,
      work: () => refreshDisplayRates(platform),
    }),
  ]);
  return {
    close: async () => {
      closing.abort();
      await loops;
    },
  };
}
