import type { HistoryEntry } from '#contract/ledger.ts';
import type { AnalyticsEvent } from './events.ts';

/** Finds earned points in rows of the history and reports each row once. */

/** The number of transactions kept, so that a row that is read again is not counted again. */
export const REMEMBERED_MAX = 1_000;

type Row = Pick<HistoryEntry, 'id' | 'kind' | 'amount' | 'createdAt' | 'provider' | 'txId'>;

/** Includes the provider, because two providers may use the same transaction id. */
const keyOf = (row: Row): string => (row.txId === null ? row.id : `${row.provider}:${row.txId}`);

/**
 * The events of rows newer than `since` (ISO time) and not in `remembered`, oldest first, with the next `remembered`.
 * Points are sent as a number, because they are only counted there.
 */
export function newlyEarned(
  rows: readonly Row[],
  remembered: readonly string[],
  since: string,
): { events: AnalyticsEvent[]; remembered: string[] } {
  const known = new Set(remembered);
  const fresh = rows
    .filter((row) => row.kind === 'earning' && row.createdAt >= since && !known.has(keyOf(row)))
    .reverse();
  return {
    events: fresh.map((row) => ({
      name: 'points_earned',
      provider: row.provider ?? 'unknown',
      points: Number(row.amount),
      transaction_id: keyOf(row),
    })),
    remembered: [...remembered, ...fresh.map(keyOf)].slice(-REMEMBERED_MAX),
  };
}
