import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { idOf } from './decision-id.ts';
import { type ExportedAppeal, readAppealsAfter } from './queries.ts';

/** A member's appeals for the export of their data, oldest first. Suspensions and bans have sections of their own. */

const PAGE_ROWS = 200;

/** Exports appeals without the operators' names, which are not the member's data. */
export async function* exportAppeals(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = readRowByRow<ExportedAppeal>(
    (last, limit) => readAppealsAfter(reader, memberId, last?.id ?? 0n, limit),
    PAGE_ROWS,
  );
  for await (const row of rows)
    yield {
      decisionId: idOf(row),
      text: row.text,
      status: row.status,
      createdAt: row.createdAt.toISOString(),
      answer: row.answer,
      answeredAt: row.answeredAt?.toISOString() ?? null,
    };
}
