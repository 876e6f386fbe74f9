import { type Reader, sql } from './database.ts';

/**
 * Removes what is older than its time in pieces, so that no lock is held for long. A turn that is given up leaves the
 * rest to the next one. A removal can't be undone, so it does not trust the database's clock alone.
 */
const PIECE_ROWS = 2_000;
const AHEAD_S_MAX = 3_600;

/**
 * @param remove removes at most `rowsMax` of the oldest rows that are too old, and returns how many
 * @throws Error if the database's clock is more than an hour ahead of `now`, which is this node's; nothing is removed
 */
export async function removeInPieces(
  database: Reader,
  signal: AbortSignal,
  remove: (rowsMax: number) => Promise<number | bigint>,
  now = new Date(),
): Promise<void> {
  const { aheadS } = await database.one<{ aheadS: number }>(
    sql`select extract(epoch from clock_timestamp() - ${now})::integer as "aheadS"`,
  );
  if (aheadS > AHEAD_S_MAX)
    throw new Error(
      `The database’s clock is ${aheadS} s ahead of this node’s clock. Nothing is removed by its age.`,
    );
  let removed = PIECE_ROWS;
  while (!signal.aborted && removed === PIECE_ROWS) removed = Number(await remove(PIECE_ROWS));
}
