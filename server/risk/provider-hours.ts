import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import * as queries from './provider-hour-queries.ts';
import type { ProviderHour } from './rules/rule.ts';

/**
 * How often each provider credited in the last whole hour, beside its month. An hour is counted once, by the first node
 * that looks; an hour that no node counted in time is left out, and is not a known one.
 */

/** Counts the credits of each provider that was ever enabled, also those with none. */
export type CountProviderCredits = (
  reader: Reader,
  period: { from: Date; before: Date },
) => Promise<queries.ProviderCredits[]>;

const HOUR_MS = 3_600_000;
/** A call is stored with the time at which its booking began, so an hour is counted when that has surely ended. */
const SETTLED_MS = 5 * 60_000;

export async function readProviderHours(
  { database }: Pick<Platform, 'database'>,
  countProviderCredits: CountProviderCredits,
  now: Date,
): Promise<ProviderHour[]> {
  const before = new Date(Math.floor((now.getTime() - SETTLED_MS) / HOUR_MS) * HOUR_MS);
  const from = new Date(before.getTime() - HOUR_MS);
  if (!(await queries.isKept(database, from)))
    await queries.keepHour(database, from, await countProviderCredits(database, { from, before }));
  return queries.readHour(database, from);
}
