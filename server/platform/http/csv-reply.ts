import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Endpoint, List } from '#contract/endpoint.ts';
import { asCsv, csvLines } from './csv.ts';

/** Sends a list as a CSV download, for `?format=csv`. The contract names the columns. */

export type Row = Record<string, unknown>;

/** All rows of a list, read piece by piece. */
export type Pieces = AsyncIterable<readonly Row[]>;

/** Sends rows, or streams pieces as they are read. */
export function sendCsv(
  reply: FastifyReply,
  endpoint: Pick<Endpoint, 'path'> & { list: List },
  rows: readonly Row[] | Pieces,
): FastifyReply {
  const name = endpoint.path.split('/').at(-1) ?? 'export';
  const { columns } = endpoint.list;
  return reply
    .header('content-type', 'text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .serializer((text: unknown) => String(text))
    .send(Symbol.asyncIterator in rows ? Readable.from(linesOf(rows, columns)) : asCsv(rows, columns));
}

/** Other calls have their turn after this many rows, because members wrote the texts and decide how long they are. */
const ROWS_AT_ONCE = 20;

/** Writes pieces as a CSV file, with the line of column names first. */
export async function* linesOf(pieces: Pieces, columns: readonly string[]): AsyncGenerator<string> {
  yield asCsv([], columns);
  for await (const rows of pieces)
    for (let start = 0; start < rows.length; start += ROWS_AT_ONCE) {
      yield csvLines(rows.slice(start, start + ROWS_AT_ONCE), columns);
      await nextTurn();
    }
}

/** The rows of an answer: in this field; if it is null, the answer itself. */
export const rowsIn = (answer: unknown, field: string | null): Row[] =>
  (field === null ? answer : (answer as Row)[field]) as Row[];
