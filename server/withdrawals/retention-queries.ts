import { type Reader, sql } from '#platform/database.ts';

/** Removes the details of the oldest withdrawals that are too old. Returns how many, at most `rowsMax`. */
export const removeOldDetails = async (reader: Reader, rowsMax: number): Promise<bigint> =>
  (await reader.one<{ removed: bigint }>(sql`select withdrawals.remove_old_details(${rowsMax}) as removed`))
    .removed;
