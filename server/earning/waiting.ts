import type { Reader } from '#platform/database.ts';
import { readTotals } from './queries.ts';
import { findOldestHeld, readQuarantined } from './waiting-queries.ts';

/** What waits for operators: held earnings, and calls in quarantine. */
const QUARANTINED_MAX = 1_000;

export async function readHeldWait(reader: Reader) {
  const [totals, oldest] = await Promise.all([readTotals(reader), findOldestHeld(reader)]);
  return {
    count: Number(totals.pendingCount),
    points: String(totals.pendingPoints),
    oldestAt: oldest?.createdAt ?? null,
  };
}

/** Counts at most 1,000. */
export async function readQuarantineWait(reader: Reader) {
  const { count, points, oldestAt } = await readQuarantined(reader, QUARANTINED_MAX);
  return { count: Number(count), points, oldestAt };
}
