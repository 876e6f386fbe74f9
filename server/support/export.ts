import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { type ExportedTicket, readTicketsAfter } from './queries.ts';

/** A member's tickets with their responses for the export of their data, oldest first. */

const PAGE_ROWS = 200;

/** Exports tickets without the operators' names, which are not the member's data. */
export async function* exportTickets(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = readRowByRow<ExportedTicket>(
    (last, limit) => readTicketsAfter(reader, memberId, last?.channelId ?? 0n, limit),
    PAGE_ROWS,
  );
  for await (const row of rows)
    yield {
      id: row.id,
      subject: row.subject,
      message: row.message,
      status: row.status,
      priority: row.priority,
      category: row.category,
      subjectKind: row.subjectKind,
      subjectId: row.subjectId,
      createdAt: row.createdAt.toISOString(),
      responses: row.responses.map(({ response, createdAt }) => ({
        response,
        createdAt: new Date(createdAt).toISOString(),
      })),
    };
}
