/** The result of an act on many rows, and the same after it was taken back. */

/** `done`: the row is done. `part`: a step of the act is done, so that the row did not fail. */
export type RowOutcome = { kind: 'done' | 'part' | 'failed'; text: string };

export type BulkOutcome = {
  /** Null if no row was done. */
  doneText: string | null;
  partText: string | null;
  /** Null if no row was known to stay. */
  stayedText: string | null;
  /** Every row, with the server's text where it has one. */
  rows: {
    id: string;
    name: string;
    kind: RowOutcome['kind'] | 'stayed';
    text: string;
    isByServer?: boolean;
    /** It was done, and is not so any more. */
    isReverted?: boolean;
  }[];
  undoableIds?: string[];
};

export const countOf = (
  rows: readonly { kind: string }[],
  kind: BulkOutcome['rows'][number]['kind'],
): number => rows.filter((row) => row.kind === kind).length;

/** A message with its number; null for none. */
export const countText = (text: ((count: number) => string) | undefined, count: number): string | null =>
  count === 0 ? null : (text?.(count) ?? null);

/**
 * The result after rows were taken back, with what became of each of these. The rows that were not among them stay as
 * they were: done, which for a payment means that it was sent.
 */
export function afterUndo(
  outcome: BulkOutcome,
  tried: ReadonlyMap<string, RowOutcome>,
  words: { kept: (count: number) => string; undone: (count: number) => string },
): BulkOutcome {
  const rows = outcome.rows.map((row) => ({ ...row, ...tried.get(row.id) }));
  return {
    ...outcome,
    rows,
    doneText: countText(
      words.kept,
      countOf(
        rows.filter(({ isReverted }) => isReverted !== true),
        'done',
      ),
    ),
    partText: countText(words.undone, countOf([...tried.values()], 'part')),
    undoableIds: [],
  };
}
