import type { Reader } from '#platform/database.ts';
import * as queries from './days-queries.ts';

/**
 * The books day by day, for the operators' overview: what members are owed, and what providers gave and took back. They
 * are read from the day sums of the accounts, so the movements of the last minutes are not in them.
 */
export type ProviderDay = { provider: string; day: string; earned: string; reversed: string };

export async function readBookDays(
  reader: Reader,
  {
    from,
    until,
    providers,
  }: { from: string; until: string; providers: { ids: readonly string[]; from: string } },
): Promise<{ closedUntil: Date | null; owed: { day: string; points: string }[]; byProvider: ProviderDay[] }> {
  const [{ closedUntil }, owed, byProvider] = await Promise.all([
    queries.readClosedUntil(reader),
    queries.readOwedDays(reader, from, until),
    queries.readProviderDays(reader, providers.ids, providers.from),
  ]);
  return { closedUntil, owed, byProvider };
}

/** Reads what providers gave and took back in all from a site day on. None of one without a movement since. */
export const readProviderSums = (
  reader: Reader,
  providers: readonly string[],
  from: string,
): Promise<{ provider: string; earned: string; reversed: string }[]> =>
  queries.readProviderSums(reader, providers, from);
