import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { describeMovement } from '../ledger/ledger.ts';
import { type OpeningRow, readOpeningsAfter } from './opening-queries.ts';
import { readHeldOf } from './queries.ts';

/** Opened walls and held earnings for the export of a member's data. */

const HELD_ROWS_MAX = 1_000;

/** Exports the member's openings of walls, oldest first. Credits are among the exported movements. */
export async function* exportOpenings(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = readRowByRow<OpeningRow>((last, limit) =>
    readOpeningsAfter(reader, memberId, last?.id ?? 0n, limit),
  );
  for await (const row of rows) yield { ...row, id: String(row.id), openedAt: row.openedAt.toISOString() };
}

/** Exports the member's held earnings. */
export async function* exportHeldEarnings(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = await readHeldOf(reader, memberId, HELD_ROWS_MAX);
  for (const row of rows)
    yield {
      provider: row.provider,
      txId: row.transactionId,
      amount: String(row.points),
      description: describeMovement(
        { kind: 'earning', subject: row.subject, isScreenOut: row.isScreenOut },
        row.providerName,
      ),
      createdAt: row.createdAt.toISOString(),
    };
}
