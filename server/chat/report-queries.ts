import type { ReportReason } from '#contract/chat.ts';
import { GENERAL_CHANNEL_ID } from '#contract/chat.ts';
import type { BanDuration } from '#contract/chat-moderation.ts';
import type { NoticeFacts } from '#contract/notices.ts';
import { json, type Reader, sql, type Tx } from '#platform/database.ts';
import { isActive } from './moderation-queries.ts';

/** SQL of reports and of messages that are taken out. */

export type Decision = 'leave' | 'delete' | 'warn' | 'ban';

export type CaseRow = {
  id: bigint;
  memberId: number;
  firstName: string;
  isDeleted: boolean;
  body: string;
  isHidden: boolean;
  reporters: number;
  reason: ReportReason;
  reportedAt: Date;
  createdAt: Date;
  decision: Decision | null;
};

export const caseColumns = sql`c.message_id as id, m.member_id as "memberId", p.first_name as "firstName",
  p.deleted_at is not null as "isDeleted", m.body, m.hidden_at is not null as "isHidden", c.reporters, c.reason,
  c.reported_at as "reportedAt", m.created_at as "createdAt", c.decision`;
export const caseJoins = sql`
  join chat.messages m on m.id = c.message_id
  join members.profiles p on p.id = m.member_id`;

export const findCase = (reader: Reader, id: bigint) =>
  reader.row<CaseRow>(sql`select ${caseColumns} from chat.cases c ${caseJoins} where c.message_id = ${id}`);

/** Counts the reported messages that nobody has decided, at most `countMax`. */
export const countOpenCases = (reader: Reader, countMax: number) =>
  reader.one<{ count: bigint }>(sql`
    select count(*) as count
    from (select from chat.cases where decision is null limit ${countMax}) as counted`);

export type MessageRow = {
  channelId: bigint;
  /** Whose the channel is; null for the general one. */
  ownerId: number | null;
  memberId: number;
  isFromOperator: boolean;
  isHidden: boolean;
};

const messageColumns = sql`m.channel_id as "channelId", ch.member_id as "ownerId", m.member_id as "memberId",
  m.is_from_operator as "isFromOperator", m.hidden_at is not null as "isHidden"`;

/** Reads a message and locks it, so that reports of it and decisions about it come one after the other. */
export const lockMessage = (tx: Tx, id: bigint) =>
  tx.row<MessageRow>(sql`
    select ${messageColumns} from chat.messages m join chat.channels ch on ch.id = m.channel_id
    where m.id = ${id} for no key update of m`);

/** The same, if members can report it: one of the general channel. */
export const lockReportable = (tx: Tx, id: bigint) =>
  tx.row<MessageRow>(sql`
    select ${messageColumns} from chat.messages m join chat.channels ch on ch.id = m.channel_id
    where m.id = ${id} and m.channel_id = ${GENERAL_CHANNEL_ID}::bigint for no key update of m`);

export const hideMessage = (tx: Tx, id: bigint) =>
  tx.rows(sql`
    update chat.messages set hidden_at = platform.business_now() where id = ${id} and hidden_at is null`);

export const showMessage = (tx: Tx, id: bigint) =>
  tx.rows(sql`update chat.messages set hidden_at = null where id = ${id}`);

/** Adds a member's report; undefined if the member reported the message before. */
export const insertReport = (tx: Tx, id: bigint, memberId: number, reason: ReportReason) =>
  tx.row<{ id: bigint }>(sql`
    insert into chat.reports (message_id, member_id, reason, created_at)
    values (${id}, ${memberId}, ${reason}, platform.business_now())
    on conflict do nothing
    returning message_id as id`);

/** Counts a report. Returns what was decided about the message before. */
export const countReport = (tx: Tx, id: bigint, reason: ReportReason) =>
  tx.one<{ decision: Decision | null }>(sql`
    insert into chat.cases as c (message_id, reporters, reason, reported_at)
    values (${id}, 1, ${reason}, platform.business_now())
    on conflict (message_id) do update
      set reporters = c.reporters + 1, reason = excluded.reason, reported_at = excluded.reported_at
    returning c.decision`);

/** Decides a case that nobody has decided; undefined otherwise. */
export const decideCase = (tx: Tx, id: bigint, decision: Decision, operatorId: number) =>
  tx.row<{ id: bigint }>(sql`
    update chat.cases
    set decision = ${decision}, decided_at = platform.business_now(), decided_by = ${operatorId}
    where message_id = ${id} and decision is null
    returning message_id as id`);

/** Adds the same notice for each member who reported a message, and returns who they are. */
export const noticeReporters = (tx: Tx, id: bigint, facts: NoticeFacts<'decision'>) =>
  tx.rows<{ memberId: number }>(sql`
    select r.member_id as "memberId", notices.add(r.member_id, 'decision', ${json(facts)}::jsonb)
    from (select member_id from chat.reports where message_id = ${id} order by member_id) r`);

export type WriterRow = {
  memberSince: Date;
  messageCount: bigint;
  reportedCount: bigint;
};

/** Messages are counted up to this number. */
const COUNTED_MESSAGES_MAX = 10_000;

/** What is known of a message's writer. */
export const readWriter = (reader: Reader, memberId: number) =>
  reader.one<WriterRow>(sql`
    select p.created_at as "memberSince", (
        select count(*) from (
          select from chat.messages where member_id = p.id limit ${COUNTED_MESSAGES_MAX}) as counted
      ) as "messageCount", (
        select coalesce(sum(c.reporters), 0)::bigint
        from chat.cases c join chat.messages m on m.id = c.message_id where m.member_id = p.id
      ) as "reportedCount"
    from members.profiles p where p.id = ${memberId}`);

/** A member's newest bans, newest first. */
export const readBansOf = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<{ duration: BanDuration; createdAt: Date; expiresAt: Date | null; isActive: boolean }>(sql`
    select b.duration, b.created_at as "createdAt", b.expires_at as "expiresAt", ${isActive} as "isActive"
    from chat.bans b where b.member_id = ${memberId}
    order by b.id desc limit ${limit}`);

export type ContextRow = { id: bigint; memberId: number; firstName: string; body: string; createdAt: Date };

/** A message with up to `count` before it and after it in its channel, also hidden ones, oldest first. */
export const readContext = (reader: Reader, id: bigint, count: number) =>
  reader.rows<ContextRow>(sql`
    with hit as (select channel_id, seq from chat.messages where id = ${id}),
    around as (
      (select m.* from hit h join chat.messages m on m.channel_id = h.channel_id and m.seq <= h.seq
        order by m.seq desc limit ${count + 1})
      union all
      (select m.* from hit h join chat.messages m on m.channel_id = h.channel_id and m.seq > h.seq
        order by m.seq limit ${count})
    )
    select a.id, a.member_id as "memberId", p.first_name as "firstName", a.body, a.created_at as "createdAt"
    from around a join members.profiles p on p.id = a.member_id
    order by a.seq`);
