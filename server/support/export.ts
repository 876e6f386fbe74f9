import { type Reader, sql } from '#platform/database.ts';

/** A member's tickets with their responses for the export of their data, oldest first. */

const PAGE_ROWS = 200;

type Row = {
  id: string;
  channelId: bigint;
  subject: string;
  message: string;
  status: string;
  priority: string;
  createdAt: Date;
  responses: { response: string; createdAt: string }[];
};

const readAfter = (reader: Reader, memberId: number, channelId: bigint) =>
  reader.rows<Row>(sql`
    select t.id, t.channel_id as "channelId", t.subject, t.message, t.status, t.priority, t.created_at as "createdAt",
      coalesce((
        select json_agg(json_build_object('response', r.response, 'createdAt', r.created_at)
          order by r.response_number)
        from support.responses r where r.ticket_id = t.id), '[]') as responses
    from support.tickets t where t.member_id = ${memberId} and t.channel_id > ${channelId}
    order by t.channel_id limit ${PAGE_ROWS}`);

/** Exports tickets without the operators' names, which are not the member's data. */
export async function* exportTickets(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let channelId = 0n;
  for (;;) {
    const rows = await readAfter(reader, memberId, channelId);
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
