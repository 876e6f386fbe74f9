import type { Reader } from '#platform/database.ts';
import { readPayoutTotals } from './payout-list-queries.ts';
import { readTotals } from './queries.ts';
import { findOldestPending, readParked } from './waiting-queries.ts';

/** What waits for operators: requests that nobody has decided, and payouts that are parked. */
const PARKED_MAX = 1_000;

export async function readPendingWait(reader: Reader) {
  const [totals, oldest] = await Promise.all([readTotals(reader), findOldestPending(reader)]);
  return {
    count: Number(totals.pendingCount),
    points: totals.pendingPoints,
    oldestAt: oldest?.createdAt ?? null,
  };
}

/** The parked payouts, from the kept sums. */
export async function countParkedPayouts(reader: Reader): Promise<number> {
  const parked = (await readPayoutTotals(reader)).filter(({ state }) => state === 'parked');
  return parked.reduce((sum, { count }) => sum + Number(count), 0);
}

/** Counts at most 1,000. */
export async function readParkedWait(reader: Reader) {
  const { count, points, oldestAt } = await readParked(reader, PARKED_MAX);
  return { count: Number(count), points, oldestAt };
}
