const PAGE_ROWS = 500;

type ReadAfter<Row> = (last: Row | undefined, limit: number) => Promise<Row[]>;

/**
 * Reads a long list page by page, so that memory stays bounded.
 * @param readAfter reads at most `limit` rows after the row `last`; the first ones if it is undefined
 */
export async function* readInPages<Row>(
  readAfter: ReadAfter<Row>,
  limit: number = PAGE_ROWS,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  for (;;) {
    const page = await readAfter(last, limit);
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    last = page.at(-1);
  }
}

/** Reads a long list in the same way and yields single rows. */
export async function* readRowByRow<Row>(readAfter: ReadAfter<Row>, limit?: number): AsyncGenerator<Row> {
  for await (const page of readInPages(readAfter, limit)) yield* page;
}
