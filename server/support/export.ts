import type { Reader } from '#platform/database.ts';
import { readTicketsAfter } from './queries.ts';

/** A member's tickets with their responses for the export of their data, oldest first. */

const PAGE_ROWS = 200;

/** Exports tickets without the operators' names, which are not the member's data. */
export async function* exportTickets(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let channelId = 0n;
  for (;;) {
    const rows = await readTicketsAfter(reader, memberId, channelId, PAGE_ROWS);
    for (const row of rows)
      yield {
        id: row.id,
        subject: row.subject,
        message: row.message,
        status: row.status,
        priority: row.priority,
        createdAt: row.createdAt.toISOString(),
        responses: row.responses.map(({ response, createdAt }) => ({
          response,
          createdAt: new Date(createdAt).toISOString(),
        })),
      };
    if (rows.length < PAGE_ROWS) return;
    channelId = rows.at(-1)?.channelId ?? channelId;
  }
}
