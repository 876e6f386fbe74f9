import type { BehaviourEntry } from '#contract/access-behaviour.ts';
import type { Database, Reader } from '#platform/database.ts';
import { deleteOldBehaviour, deleteOldBehaviourDays, insertBehaviour } from './queries.ts';

/**
 * Reports of mouse, keyboard and page events from members' browsers, as evidence against scripts. A report has no key
 * names: the contract refuses such fields. A report is one row. A member can store 1,000 entries per day, and reports
 * are deleted after three years.
 */
const ENTRIES_PER_DAY_MAX = 1_000;
const KEPT_YEARS = 3;
const DAYS_COUNTED = 90;
const DROPPED_AT_ONCE_MAX = 2_000;

/** Stores a report. If the member's day is full, only counts it. */
export const keepBehaviour = (
  reader: Reader,
  report: { memberId: number; address: string; entries: readonly BehaviourEntry[] },
): Promise<unknown> => insertBehaviour(reader, { ...report, entriesPerDayMax: ENTRIES_PER_DAY_MAX });

/** Deletes old reports in small steps, so that no lock is held for long. */
export async function deleteOldBehaviourReports(database: Database): Promise<void> {
  const steps = [
    () => deleteOldBehaviour(database, { years: KEPT_YEARS, rowsMax: DROPPED_AT_ONCE_MAX }),
    () => deleteOldBehaviourDays(database, { days: DAYS_COUNTED, rowsMax: DROPPED_AT_ONCE_MAX }),
  ];
  for (const step of steps) {
    let dropped = DROPPED_AT_ONCE_MAX;
    while (dropped === DROPPED_AT_ONCE_MAX) dropped = await step();
  }
}
