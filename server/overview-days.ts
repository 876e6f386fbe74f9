import { OVERVIEW_DAYS, type OverviewDays, type ProviderDays } from '#contract/overview.ts';
import { readClock } from '#platform/clock.ts';
import { readProviderNames } from './earning/provider-settings.ts';
import { type ProviderDay, readBookDays } from './ledger/days.ts';
import { readMemberDays } from './members/days.ts';
import type { Platform } from './platform/platform.ts';
import { readBalanceDays, readBalances, readPaidDays } from './withdrawals/days.ts';
import { methodNames } from './withdrawals/payment-methods.ts';

/** The site day by day on the operators' first page, from the sums that the features' sweeps keep. */

const DAY_MS = 24 * 3_600_000;

const dayAfter = (day: string, count: number): string =>
  new Date(Date.parse(day) + count * DAY_MS).toISOString().slice(0, 10);

export async function readOverviewDaysOf({ database }: Pick<Platform, 'database'>): Promise<OverviewDays> {
  const { siteDay } = await readClock(database);
  const days = Array.from({ length: OVERVIEW_DAYS }, (_, index) =>
    dayAfter(siteDay, index + 1 - OVERVIEW_DAYS),
  );
  const from = days[0] ?? siteDay;
  const names = await readProviderNames(database);
  const providers = { ids: [...names.keys()], from: dayAfter(from, -OVERVIEW_DAYS) };
  const [books, held, wallets, members, paid] = await Promise.all([
    readBookDays(database, { from, until: siteDay, providers }),
    readBalanceDays(database, from),
    readBalances(database),
    readMemberDays(database, from),
    readPaidDays(database, from),
  ]);
  return {
    days,
    countedUntil: books.closedUntil?.toISOString() ?? null,
    owed: books.owed.map(({ points }) => points),
    held: days.map((day) => heldOn(day, held)),
    wallets: wallets.map(({ shortSince, notedAt, ...wallet }) => ({
      ...wallet,
      shortSince: shortSince?.toISOString() ?? null,
      notedAt: notedAt.toISOString(),
    })),
    providers: providersOf(books.byProvider, days, names),
    joined: days.map((day) => members.find((one) => one.day === day)?.joined ?? 0),
    active: days.map((day) => members.find((one) => one.day === day)?.active ?? null),
    paid: paidOf(paid, days),
  };
}

const sumOf = (values: readonly (string | null)[]): string =>
  String(values.reduce((sum, points) => sum + BigInt(points ?? 0), 0n));

/** Null if none was looked at, or if a rate was not known. */
function heldOn(day: string, rows: Awaited<ReturnType<typeof readBalanceDays>>): string | null {
  const ofDay = rows.filter((row) => row.day === day);
  return ofDay.length === 0 || ofDay.some(({ points }) => points === null)
    ? null
    : sumOf(ofDay.map(({ points }) => points));
}

function providersOf(
  rows: readonly ProviderDay[],
  days: readonly string[],
  names: ReadonlyMap<string, string>,
): ProviderDays[] {
  const ids = [...new Set(rows.map(({ provider }) => provider))];
  const shown = ids.map((id): ProviderDays => {
    const own = rows.filter(({ provider }) => provider === id);
    const within = own.filter(({ day }) => days.includes(day));
    return {
      id,
      name: names.get(id) ?? id,
      earned: days.map((day) => within.find((one) => one.day === day)?.earned ?? '0'),
      earnedSum: sumOf(within.map(({ earned }) => earned)),
      reversedSum: sumOf(within.map(({ reversed }) => reversed)),
      earnedBefore: sumOf(own.filter((one) => !within.includes(one)).map(({ earned }) => earned)),
    };
  });
  return shown.sort((one, other) => Number(BigInt(other.earnedSum) - BigInt(one.earnedSum)));
}

function paidOf(rows: Awaited<ReturnType<typeof readPaidDays>>, days: readonly string[]) {
  return [...new Set(rows.map(({ method }) => method))].map((method) => {
    const own = rows.filter((row) => row.method === method);
    return {
      method,
      name: methodNames.get(method) ?? method,
      points: days.map((day) => own.find((one) => one.day === day)?.points ?? '0'),
      count: own.reduce((sum, { count }) => sum + count, 0),
    };
  });
}
