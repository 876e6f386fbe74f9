import type { BehaviourEntry } from '#contract/access-behaviour.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { removeInPieces } from '#platform/retention.ts';
import { deleteOldBehaviour, deleteOldBehaviourDays, insertBehaviour } from './queries.ts';

/**
 * Reports of mouse, keyboard and page events from members' browsers, as evidence against scripts. A report has no key
 * names: the contract refuses such fields. A report is one row. A member can store 1,000 entries per day, and reports
 * are deleted after three years.
 */
const ENTRIES_PER_DAY_MAX = 1_000;
const KEPT_YEARS = 3;
const DAYS_COUNTED = 90;

/** Stores a report. If the member's day is full, only counts it. */
export const keepBehaviour = (
  reader: Reader,
  report: { memberId: number; address: string; entries: readonly BehaviourEntry[] },
): Promise<unknown> => insertBehaviour(reader, { ...report, entriesPerDayMax: ENTRIES_PER_DAY_MAX });

/** Deletes reports after three years, and the counters of a day after ninety days. */
export async function deleteOldBehaviourReports(
  { database }: Pick<Platform, 'database'>,
  signal: AbortSignal,
): Promise<void> {
  const removals = [
    (rowsMax: number) => deleteOldBehaviour(database, { years: KEPT_YEARS, rowsMax }),
    (rowsMax: number) => deleteOldBehaviourDays(database, { days: DAYS_COUNTED, rowsMax }),
  ];
  for (const remove of removals) await removeInPieces(database, signal, remove);
}
