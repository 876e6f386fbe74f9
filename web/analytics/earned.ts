import type { HistoryEntry } from '#contract/ledger.ts';
import type { AnalyticsEvent } from './events.ts';

/** What was earned, from the rows of the history: each once, for the provider that the row itself names. */

/** As many transactions are remembered, so that a row that is read again is not counted again. */
export const REMEMBERED_MAX = 1_000;

type Row = Pick<HistoryEntry, 'id' | 'kind' | 'amount' | 'createdAt' | 'provider' | 'txId'>;

/** Two providers may use the same transaction id, so the provider belongs to it. */
const keyOf = (row: Row): string => (row.txId === null ? row.id : `${row.provider}:${row.txId}`);

/**
 * The events of rows that are new since `since` (ISO time) and not among the `remembered`, oldest first, with what is
 * to be remembered from now on. Points leave the site as a number, because they are only counted there.
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
