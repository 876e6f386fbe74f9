import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import * as queries from './days-queries.ts';
import { keepPayoutSums } from './payout-list-queries.ts';
import type { RailStates } from './rails/rail.ts';
import { findDefinition } from './rails/registry.ts';
import { readRates } from './rate-queries.ts';

/**
 * What was paid on each site day, and what each paying account held, for the operators' overview. The watch of rails
 * keeps a row of each day, so no read sums payouts. Days on which the site was down are kept at the next turn.
 */

/** The days that one turn keeps at most. */
const PAID_DAYS_MAX = 60;

/**
 * Keeps what was paid today and on the days that are not closed, and how many payouts are in each state. A second call
 * changes nothing.
 */
export const keepPaidDays = async (reader: Reader): Promise<void> => {
  await queries.keepPaidDays(reader, PAID_DAYS_MAX);
  await keepPayoutSums(reader);
};

/** Keeps what each account that answered held at this look. */
export async function keepBalanceDays(
  { database }: Pick<Platform, 'database'>,
  states: RailStates,
): Promise<void> {
  const looked = [...states].flatMap(([method, state]) => {
    const definition = findDefinition(method);
    return state.kind === 'ready' && definition !== undefined ? [{ definition, state }] : [];
  });
  const rateIds = looked.flatMap(({ definition: { currency } }) => currency.rateId ?? []);
  const rates = rateIds.length === 0 ? [] : await readRates(database, rateIds);
  for (const { definition, state } of looked) {
    const { id, currency } = definition;
    const rate = rates.find((one) => one.currency === currency.rateId)?.usd ?? null;
    await queries.keepBalanceDay(database, id, state, currency.rateId === null ? '1' : rate);
  }
}

/** What each method paid from this day on, oldest first. Days without a payment are left out. */
export const readPaidDays = async (
  reader: Reader,
  from: string,
): Promise<{ method: string; day: string; count: number; points: string }[]> =>
  (await queries.readPaidDays(reader, from)).map(({ payoutCount, ...row }) => ({
    ...row,
    count: Number(payoutCount),
  }));

/** What each account held in points at the rate of the day, from this day on. */
export const readBalanceDays = (
  reader: Reader,
  from: string,
): Promise<{ method: string; day: string; points: string | null }[]> => queries.readBalanceDays(reader, from);

/** A paying account at the last look. Amounts are in its currency, and in points if a rate was known. */
export type AccountBalance = queries.BalanceRow & { name: string; currency: string };

export async function readBalances(reader: Reader): Promise<AccountBalance[]> {
  return (await queries.readBalances(reader)).flatMap((row) => {
    const definition = findDefinition(row.method);
    if (definition === undefined) return [];
    return [{ ...row, name: definition.name, currency: definition.currency.symbol }];
  });
}

/**
 * What each account held at the last look beyond its approved payouts, in points, without what was sent since. Below
 * zero it lacks them.
 */
export const readFreeBalances = async (reader: Reader): Promise<{ method: string; points: string }[]> =>
  (await queries.readFreeBalances(reader)).filter(({ method }) => findDefinition(method) !== undefined);

/** The accounts that hold less than is needed, as something that waits for an operator. */
export async function readLowBalancesWait(reader: Reader) {
  const short = (await readBalances(reader)).flatMap((balance) =>
    balance.shortSince === null ? [] : [{ ...balance, shortSince: balance.shortSince }],
  );
  const missing = short.map(({ points, neededPoints }) => BigInt(neededPoints ?? 0) - BigInt(points ?? 0));
  const times = short.map(({ shortSince }) => shortSince.getTime());
  return {
    count: short.length,
    points: short.length === 0 ? null : String(missing.reduce((sum, points) => sum + points, 0n)),
    oldestAt: times.length === 0 ? null : new Date(Math.min(...times)),
  };
}
