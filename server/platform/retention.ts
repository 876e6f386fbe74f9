/**
 * Removes what is older than its time in pieces, so that no lock is held for long. A turn that is given up leaves the
 * rest to the next one.
 */
const PIECE_ROWS = 2_000;

/** @param remove removes at most `rowsMax` of the oldest rows that are too old, and returns how many */
export async function removeInPieces(
  signal: AbortSignal,
  remove: (rowsMax: number) => Promise<number | bigint>,
): Promise<void> {
  let removed = PIECE_ROWS;
  while (!signal.aborted && removed === PIECE_ROWS) removed = Number(await remove(PIECE_ROWS));
}
