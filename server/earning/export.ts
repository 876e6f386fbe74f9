import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { describeMovement } from '../ledger/ledger.ts';
import { type OpeningRow, readHeldOf, readOpeningsAfter } from './queries.ts';

/** Which walls a member opened and which earnings wait for an operator, for the member's own copy of their data. */

const HELD_ROWS_MAX = 1_000;

/** Every wall that the member opened, oldest first. What came of it is among the movements. */
export async function* exportOpenings(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = readRowByRow<OpeningRow>((last, limit) =>
    readOpeningsAfter(reader, memberId, last?.id ?? 0n, limit),
  );
  for await (const row of rows)
    yield { id: String(row.id), provider: row.provider, openedAt: row.openedAt.toISOString() };
}

/** Earnings that are not yet booked. */
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
