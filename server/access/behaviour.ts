import type { BehaviourEntry } from '#contract/access-behaviour.ts';
import type { Database, Reader } from '#platform/database.ts';
import { deleteOldBehaviour, deleteOldBehaviourDays, insertBehaviour } from './queries.ts';

/**
 * What a member's browser reports of its mouse, keyboard and page: evidence for whoever looks for scripts, never
 * proof. That a key was pressed is kept, never which one; the contract refuses the fields that would tell. A report
 * is one row, a member's day has room for a bounded number of entries, and all of it is dropped after a week, so
 * that a thousand busy members cost some hundred megabytes and not more with every month.
 */
const ENTRIES_PER_DAY_MAX = 1_000;
const KEPT_DAYS = 7;
const DAYS_COUNTED = 90;
const DROPPED_AT_ONCE_MAX = 2_000;

/** Keeps a report, or only counts it where the member's day is full. */
export const keepBehaviour = (
  reader: Reader,
  report: { memberId: number; address: string; entries: readonly BehaviourEntry[] },
): Promise<unknown> => insertBehaviour(reader, { ...report, entriesPerDayMax: ENTRIES_PER_DAY_MAX });

/** Drops what is past its time, in small steps that hold no lock for long. */
export async function forgetOldBehaviour(database: Database): Promise<void> {
  const steps = [
    () => deleteOldBehaviour(database, { days: KEPT_DAYS, rowsMax: DROPPED_AT_ONCE_MAX }),
    () => deleteOldBehaviourDays(database, { days: DAYS_COUNTED, rowsMax: DROPPED_AT_ONCE_MAX }),
  ];
  for (const step of steps) {
    let dropped = DROPPED_AT_ONCE_MAX;
    while (dropped === DROPPED_AT_ONCE_MAX) dropped = await step();
  }
}
