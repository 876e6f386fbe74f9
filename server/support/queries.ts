import type { TicketPriority, TicketStatus } from '#contract/support.ts';
import { type Reader, type Sql, sql, type Tx } from '#platform/database.ts';

/** SQL of support, one function per statement. */

export type TicketRow = {
  id: string;
  channelId: bigint;
  subject: string;
  message: string;
  status: TicketStatus;
  priority: TicketPriority;
  createdAt: Date;
  response: string | null;
};

export type OperatorRow = TicketRow & { memberId: number; email: string };

const ticketColumns = sql`t.id, t.channel_id as "channelId", t.subject, t.message, t.status, t.priority,
  t.created_at as "createdAt"`;
const latestResponse = sql`(
  select r.response from support.responses r where r.ticket_id = t.id
  order by r.response_number desc limit 1) as response`;

export const insertTicket = (
  reader: Reader,
  memberId: number,
  ticket: { subject: string; message: string; priority: TicketPriority },
) =>
  reader.one<TicketRow>(sql`
    insert into support.tickets as t (member_id, subject, message, priority, created_at)
    values (${memberId}, ${ticket.subject}, ${ticket.message}, ${ticket.priority}, platform.business_now())
    returning ${ticketColumns}, null::text as response`);

export const readNewestOf = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<TicketRow>(sql`
    select ${ticketColumns}, ${latestResponse} from support.tickets t
    where t.member_id = ${memberId} order by t.channel_id desc limit ${limit}`);

const operatorColumns = sql`${ticketColumns}, ${latestResponse}, t.member_id as "memberId", m.email`;
const operatorTables = sql`support.tickets t join members.profiles m on m.id = t.member_id`;

export const findTicket = (reader: Reader, id: string) =>
  reader.row<OperatorRow>(sql`select ${operatorColumns} from ${operatorTables} where t.id = ${id}`);

export type QueueOrder = 'createdAt' | '-createdAt';

const orders: Record<QueueOrder, Sql> = {
  createdAt: sql`t.channel_id`,
  '-createdAt': sql`t.channel_id desc`,
};

/** How many matches are counted, and how many of a search are looked at. */
export const MATCHES_MAX = 10_001;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NO_UUID = '00000000-0000-0000-0000-000000000000';

export type QueueFilter = { text: string | null; status: TicketStatus | null };

const hasStatus = (status: TicketStatus | null): Sql =>
  status === null ? sql`true` : sql`t.status = ${status}`;

/**
 * Where tickets are taken from: all of them, or those in which `text` begins the e-mail or is the id of the ticket or
 * of the member; each by its own index.
 */
function source({ text, status }: QueueFilter): Sql {
  if (text === null) return sql`support.tickets t where ${hasStatus(status)}`;
  const emailPrefix = `${text.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
  return sql`(
    select t.id, t.channel_id from support.tickets t
    where t.id in (
      select id from support.tickets where id = ${UUID.test(text) ? text : NO_UUID}::uuid
      union select id from support.tickets where member_id = ${/^[1-9]\d{8}$/.test(text) ? Number(text) : 0}
      union select found.id from members.profiles m join support.tickets found on found.member_id = m.id
        where m.email like ${emailPrefix})
      and ${hasStatus(status)}
    limit ${MATCHES_MAX}) t`;
}

/** A page of the queue. The page is chosen on the indexes alone, the columns are fetched for its rows only. */
export const readQueuePage = (
  reader: Reader,
  filter: QueueFilter,
  page: { order: QueueOrder; offset: number; limit: number },
) =>
  reader.rows<OperatorRow>(sql`
    select ${operatorColumns} from ${operatorTables}
    where t.id in (
      select t.id from ${source(filter)} order by ${orders[page.order]} limit ${page.limit} offset ${page.offset})
    order by ${orders[page.order]}`);

/** How many tickets match, but no more than `MATCHES_MAX` are counted. */
export const countQueue = (reader: Reader, filter: QueueFilter) =>
  reader.one<{ count: bigint }>(sql`
    select count(*) as count from (select t.id from ${source(filter)} limit ${MATCHES_MAX}) as found`);

export const setStatus = (tx: Tx, id: string, status: TicketStatus) =>
  tx.row<{ id: string }>(sql`update support.tickets set status = ${status} where id = ${id} returning id`);

/** The response is numbered behind the lock on its ticket, so that the latest one belongs to the latest status. */
export const insertResponse = (
  tx: Tx,
  id: string,
  given: { operatorId: number; response: string; status: TicketStatus },
) =>
  tx.row<{ ticketId: string }>(sql`
    with changed as (update support.tickets set status = ${given.status} where id = ${id} returning id)
    insert into support.responses (ticket_id, operator_id, response, created_at)
    select id, ${given.operatorId}::integer, ${given.response}, platform.business_now() from changed
    returning ticket_id as "ticketId"`);
