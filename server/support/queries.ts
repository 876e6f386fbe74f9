import type {
  TicketCategory,
  TicketEvent,
  TicketPriority,
  TicketStatus,
  TicketSubjectKind,
} from '#contract/support.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of support. */

/** Its times are as PostgreSQL writes them in JSON. */
export type EventRow = { kind: TicketEvent['kind']; at: string; waitingSince: string | null };

export type TicketRow = {
  id: string;
  channelId: bigint;
  subject: string;
  message: string;
  status: TicketStatus;
  priority: TicketPriority;
  category: TicketCategory | null;
  subjectKind: TicketSubjectKind | null;
  subjectId: string | null;
  createdAt: Date;
  /** Null while nobody waits for an answer. */
  waitingSince: Date | null;
  /** The time of the first response. */
  answeredAt: Date | null;
  response: string | null;
  /** What happened since it was opened, oldest first, at most the newest 50. */
  events: EventRow[];
  /** The time of the reading. */
  now: Date;
};

/** The operator of the latest response, and its time as PostgreSQL writes it in JSON. */
type Responder = { id: number; firstName: string; lastName: string | null; at: string };

export type OperatorRow = TicketRow & {
  memberId: number;
  firstName: string;
  lastName: string | null;
  email: string;
  responder: Responder | null;
};

const EVENTS_MAX = 50;
const ticketColumns = sql`t.id, t.channel_id as "channelId", t.subject, t.message, t.status, t.priority,
  t.category, t.subject_kind as "subjectKind", t.subject_id as "subjectId",
  t.created_at as "createdAt", t.waiting_since as "waitingSince", (
    select r.created_at from support.responses r where r.ticket_id = t.id
    order by r.response_number limit 1) as "answeredAt", (
    select coalesce(json_agg(json_build_object(
      'kind', e.kind, 'at', e.created_at, 'waitingSince', e.waiting_since) order by e.event_number), '[]')
    from (
      select * from support.events where ticket_id = t.id order by event_number desc limit ${EVENTS_MAX}) e
  ) as events, platform.business_now() as now`;
const now = sql`date_trunc('milliseconds', platform.business_now())`;
const latestResponse = sql`(
  select r.response from support.responses r where r.ticket_id = t.id
  order by r.response_number desc limit 1) as response`;

/** Inserts a ticket; no row if a call with the same key has made one. */
export const insertTicket = (
  reader: Reader,
  memberId: number,
  ticket: Pick<TicketRow, 'subject' | 'message' | 'priority' | 'category' | 'subjectKind' | 'subjectId'>,
  key: string | null,
) =>
  reader.row<TicketRow>(sql`
    insert into support.tickets as t (member_id, subject, message, priority, category, subject_kind, subject_id,
      created_at, request_key)
    values (${memberId}, ${ticket.subject}, ${ticket.message}, ${ticket.priority}, ${ticket.category},
      ${ticket.subjectKind}, ${ticket.subjectId}, platform.business_now(), ${key})
    on conflict (member_id, request_key) do nothing
    returning ${ticketColumns}, null::text as response`);

/** The member's ticket that a call with this key made. */
export const findTicketOfKey = (reader: Reader, memberId: number, key: string | null) =>
  reader.one<TicketRow>(sql`
    select ${ticketColumns}, ${latestResponse} from support.tickets t
    where t.member_id = ${memberId} and t.request_key = ${key}`);

export const readNewestOf = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<TicketRow>(sql`
    select ${ticketColumns}, ${latestResponse} from support.tickets t
    where t.member_id = ${memberId} order by t.channel_id desc limit ${limit}`);

/** Counts the open tickets by the index of states, at most `countMax`. */
export const countOpen = (reader: Reader, countMax: number) =>
  reader.one<{ count: bigint }>(sql`
    select count(*) as count
    from (select from support.tickets where status = 'open' limit ${countMax}) as counted`);

/** The oldest of the open tickets. */
export const findOldestOpen = (reader: Reader) =>
  reader.row<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from support.tickets where status = 'open' order by channel_id limit 1`);

export const findSubject = (reader: Reader, id: string) =>
  reader.row<Pick<TicketRow, 'id' | 'subject' | 'status'>>(
    sql`select id, subject, status from support.tickets where id = ${id}`,
  );

/** Lists up to `limit` of a member's tickets with channel ids below `before`, newest first. */
export const listTicketsBefore = (reader: Reader, memberId: number, before: bigint | null, limit: number) =>
  reader.rows<Pick<TicketRow, 'id' | 'channelId' | 'subject' | 'status' | 'createdAt'>>(sql`
    select t.id, t.channel_id as "channelId", t.subject, t.status, t.created_at as "createdAt"
    from support.tickets t
    where t.member_id = ${memberId} and (t.channel_id < ${before}::bigint or ${before}::bigint is null)
    order by t.channel_id desc limit ${limit}`);

export type ExportedTicket = Omit<TicketRow, 'response'> & {
  /** Oldest first, each with its time as PostgreSQL writes it in JSON. */
  responses: { response: string; createdAt: string }[];
};

/** Reads a member's tickets with channel ids above `afterId`, oldest first, each with all its responses. */
export const readTicketsAfter = (reader: Reader, memberId: number, afterId: bigint, limit: number) =>
  reader.rows<ExportedTicket>(sql`
    select ${ticketColumns},
      coalesce((
        select json_agg(json_build_object('response', r.response, 'createdAt', r.created_at)
          order by r.response_number)
        from support.responses r where r.ticket_id = t.id), '[]') as responses
    from support.tickets t where t.member_id = ${memberId} and t.channel_id > ${afterId}
    order by t.channel_id limit ${limit}`);

const latestResponder = sql`(
  select json_build_object('id', o.id, 'firstName', o.first_name, 'lastName', o.last_name, 'at', r.created_at)
  from support.responses r join members.profiles o on o.id = r.operator_id
  where r.ticket_id = t.id order by r.response_number desc limit 1) as responder`;
export const operatorColumns = sql`${ticketColumns}, ${latestResponse}, ${latestResponder},
  t.member_id as "memberId", m.first_name as "firstName", m.last_name as "lastName", m.email`;
const operatorTables = sql`support.tickets t join members.profiles m on m.id = t.member_id`;

export const findTicket = (reader: Reader, id: string) =>
  reader.row<OperatorRow>(sql`select ${operatorColumns} from ${operatorTables} where t.id = ${id}`);

/** Locks the member's ticket of a channel. */
export const lockTicketOfChannel = (tx: Tx, channelId: bigint, memberId: number) =>
  tx.row<{ id: string }>(sql`
    select id from support.tickets where channel_id = ${channelId} and member_id = ${memberId}
    for no key update`);

/** Lets a ticket wait for an answer, unless it does already, and opens it again if it was resolved or closed. */
export const reopen = (tx: Tx, id: string) =>
  tx.rows(sql`
    update support.tickets set
      status = case when status in ('resolved', 'closed') then 'open' else status end,
      reopened_at = case when status in ('resolved', 'closed') then coalesce(reopened_at, ${now}) else reopened_at end,
      waiting_since = coalesce(waiting_since, ${now})
    where id = ${id} and (waiting_since is null or status in ('resolved', 'closed'))`);

/** Resolves the member's ticket; no row if it is not theirs. A closed one stays closed. */
export const resolveOwn = (reader: Reader, id: string, memberId: number) =>
  reader.row<{ id: string }>(sql`
    update support.tickets t set waiting_since = null,
      status = case when t.status = 'closed' then t.status else 'resolved' end
    where t.id = ${id} and t.member_id = ${memberId}
    returning t.id`);

export const readOwn = (reader: Reader, id: string, memberId: number) =>
  reader.one<TicketRow>(sql`
    select ${ticketColumns}, ${latestResponse} from support.tickets t
    where t.id = ${id} and t.member_id = ${memberId}`);

export type LockedTicket = { status: TicketStatus; memberId: number; channelId: bigint; createdAt: Date };

/** Locks a ticket and reads its status. */
export const lockTicket = (tx: Tx, id: string) =>
  tx.row<LockedTicket>(sql`
    select status, member_id as "memberId", channel_id as "channelId", created_at as "createdAt"
    from support.tickets where id = ${id} for no key update`);

/** The time of the latest response; no row without one. */
export const findLatestResponse = (tx: Tx, id: string) =>
  tx.row<{ at: Date }>(sql`
    select r.created_at as at from support.responses r where r.ticket_id = ${id}
    order by r.response_number desc limit 1`);

/** Sets the status. An unsolved ticket on which nobody waits by now waits from then on; null: nobody waits. */
export const setStatus = (tx: Tx, id: string, status: TicketStatus, waitingSince: Date | null) =>
  tx.row<{ id: string }>(sql`
    update support.tickets t set status = ${status},
      waiting_since = case
        when ${status} in ('resolved', 'closed') then null
        else coalesce(t.waiting_since, date_trunc('milliseconds', ${waitingSince}::timestamptz)) end
    where t.id = ${id} returning t.id`);

/** Inserts the response under the ticket's row lock, so that the latest response belongs to the latest status. */
export const insertResponse = (
  tx: Tx,
  id: string,
  given: { operatorId: number; response: string; status: TicketStatus; key: string | null },
) =>
  tx.row<{ ticketId: string }>(sql`
    with changed as (
      update support.tickets set status = ${given.status}, waiting_since = null where id = ${id} returning id)
    insert into support.responses (ticket_id, operator_id, response, created_at, request_key)
    select id, ${given.operatorId}::integer, ${given.response}, platform.business_now(), ${given.key} from changed
    returning ticket_id as "ticketId"`);

/** The response that a call of an operator with this key made; no row if there is none. */
export const findResponseOfKey = (tx: Tx, operatorId: number, key: string) =>
  tx.row<{ ticketId: string; response: string }>(sql`
    select ticket_id as "ticketId", response from support.responses
    where operator_id = ${operatorId} and request_key = ${key}`);

/** Where a ticket stands in the order of waits. The indexes have the same text. */
export const waitPlace = sql`coalesce(t.waiting_since, timestamptz '9999-01-01 00:00:00Z')`;

/** Urgent tickets before others that wait as long. */
export const priorityPlace = sql`
  case t.priority when 'urgent' then 1 when 'high' then 2 when 'medium' then 3 else 4 end`;

/** Reads the beginnings of the longest waits, with the time of now. */
export const readLongestWaits = (reader: Reader, limit: number) =>
  reader.rows<{ since: Date; now: Date }>(sql`
    select t.waiting_since as since, platform.business_now() as now from support.tickets t
    where ${waitPlace} < timestamptz '9999-01-01 00:00:00Z' order by ${waitPlace}, t.channel_id limit ${limit}`);

/** How the newest tickets were answered, as far as they were opened in the last 30 days. */
export const readAnswers = (reader: Reader, limit: number) =>
  reader.one<{ medianMinutes: number | null; resolved: bigint; atOnce: bigint }>(sql`
    select
      floor(percentile_cont(0.5) within group (
        order by extract(epoch from r.first_at - t.created_at)) / 60)::integer as "medianMinutes",
      count(*) filter (where t.status = 'resolved') as resolved,
      count(*) filter (where t.status = 'resolved' and t.reopened_at is null and r.count = 1) as "atOnce"
    from (
      select id, status, created_at, reopened_at from support.tickets order by channel_id desc limit ${limit}) t
    cross join lateral (
      select min(first.created_at) as first_at, count(*) as count from (
        select created_at from support.responses where ticket_id = t.id order by response_number limit 2) first) r
    where t.created_at >= platform.business_now() - interval '30 days'`);

/** Deletes the oldest tickets that are too old. Returns how many, at most `rowsMax`. */
export const removeOldTickets = async (reader: Reader, rowsMax: number): Promise<bigint> =>
  (await reader.one<{ removed: bigint }>(sql`select support.remove_old_tickets(${rowsMax}) as removed`))
    .removed;
