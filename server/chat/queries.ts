import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of the members' chat. */

export type MessageRow = {
  id: bigint;
  channelId: bigint;
  seq: bigint;
  memberId: number;
  firstName: string;
  bubbleColor: string;
  textColor: string;
  body: string;
  isFromOperator: boolean;
  createdAt: Date;
  clientId: string | null;
};

export type ChannelRow = {
  id: bigint;
  ownerId: number | null;
  name: string;
  seq: bigint;
  readSeq: bigint;
  /** The first place that is kept; the next one if none is. */
  keptSeq: bigint;
};

const messageColumns = sql`m.id, m.channel_id as "channelId", m.seq, m.member_id as "memberId",
  p.first_name as "firstName", p.chat_bubble_color as "bubbleColor", p.chat_text_color as "textColor", m.body,
  m.is_from_operator as "isFromOperator", m.created_at as "createdAt", m.client_id as "clientId"`;
const messageTables = sql`chat.messages m join members.profiles p on p.id = m.member_id`;

/** The general channel, and those of the member's newest tickets, each with what the member has read. */
export const readChannelsOf = (reader: Reader, memberId: number, ticketsMax: number) =>
  reader.rows<ChannelRow>(sql`
    select c.id, c.member_id as "ownerId", c.name, c.seq,
      coalesce(r.seq, case when c.member_id is null then c.seq else 0 end) as "readSeq",
      coalesce((select m.seq from chat.messages m where m.channel_id = c.id order by m.seq limit 1), c.seq + 1)
        as "keptSeq"
    from (
      select * from chat.channels where id = 1
      union all (
        select * from chat.channels where member_id = ${memberId} order by id desc limit ${ticketsMax})) c
    left join chat.reads r on r.member_id = ${memberId} and r.channel_id = c.id
    order by c.member_id is not null, c.id desc`);

/** The owner of a channel, null for the general one; no row if there is no such channel. */
export const findChannel = (reader: Reader, channelId: bigint) =>
  reader.row<{ ownerId: number | null }>(
    sql`select member_id as "ownerId" from chat.channels where id = ${channelId}`,
  );

/**
 * The newest messages of a channel that members see, or those before one of them, newest first. The one that is named
 * may be removed by now: ids of a channel ascend as its places do.
 */
export const readMessagesBefore = (
  reader: Reader,
  channelId: bigint,
  beforeId: bigint | null,
  limit: number,
) =>
  reader.rows<MessageRow>(sql`
    select ${messageColumns} from ${messageTables}
    where m.channel_id = ${channelId} and m.hidden_at is null
      and (${beforeId}::bigint is null
        or coalesce(
          m.seq < (select b.seq from chat.messages b where b.id = ${beforeId} and b.channel_id = ${channelId}),
          m.id < ${beforeId}))
    order by m.seq desc limit ${limit}`);

export const findMessage = (reader: Reader, id: bigint) =>
  reader.one<MessageRow>(sql`select ${messageColumns} from ${messageTables} where m.id = ${id}`);

export type Posted = {
  outcome: 'posted' | 'exists' | 'exists_different' | 'no_channel' | 'banned' | 'slow_mode';
  messageId: bigint | null;
  banReason: string | null;
  banExpiresAt: Date | null;
  waitSeconds: number | null;
  ownerId: number | null;
};

export type NewMessage = {
  channelId: bigint;
  memberId: number;
  /** Appears under the name of the site, and no ban or slow mode holds. */
  isOperator: boolean;
  /** May write into the channels of others' tickets. */
  readsAll: boolean;
  body: string;
  clientId: string | null;
  slowModeSeconds: number;
};

/** Whether a member wrote a message with this client id into a channel. */
export const isWritten = async (
  reader: Reader,
  { channelId, memberId, clientId }: Pick<NewMessage, 'channelId' | 'memberId' | 'clientId'>,
): Promise<boolean> =>
  (await reader.row(sql`
    select from chat.messages m
    where m.channel_id = ${channelId} and m.member_id = ${memberId} and m.client_id = ${clientId}`)) !==
  undefined;

export const writeMessage = (reader: Reader, given: NewMessage) =>
  reader.one<Posted>(sql`
    select outcome, message_id as "messageId", ban_reason as "banReason", ban_expires_at as "banExpiresAt",
      wait_seconds as "waitSeconds", owner_id as "ownerId"
    from chat.post(${given.channelId}, ${given.memberId}, ${given.isOperator}, ${given.readsAll},
      ${given.body}, ${given.clientId}, ${given.slowModeSeconds})`);

export const findBan = (reader: Reader, memberId: number) =>
  reader.row<{ reason: string; expiresAt: Date | null }>(
    sql`select reason, expires_at as "expiresAt" from chat.ban_of(${memberId})`,
  );

/** Moves the member's mark to a message of the channel, never back; no row if the channel has no such message. */
export const moveReadMark = (reader: Reader, channelId: bigint, memberId: number, messageId: bigint) =>
  reader.row<{ seq: bigint }>(sql`
    insert into chat.reads as r (channel_id, member_id, seq)
    select m.channel_id, ${memberId}::integer,
      -- What was taken out behind it can't be read any more.
      case when exists (
        select from chat.messages n where n.channel_id = m.channel_id and n.seq > m.seq and n.hidden_at is null)
      then m.seq else c.seq end
    from chat.messages m join chat.channels c on c.id = m.channel_id
    where m.id = ${messageId} and m.channel_id = ${channelId}
    on conflict (member_id, channel_id) do update set seq = greatest(r.seq, excluded.seq)
    returning r.seq`);

/** The first message of a member in a channel after a time; no row if there is none. */
export const findFirstAfter = (reader: Reader, channelId: bigint, memberId: number, after: Date) =>
  reader.row<{ createdAt: Date }>(sql`
    select m.created_at as "createdAt" from chat.messages m
    where m.channel_id = ${channelId} and m.member_id = ${memberId} and m.created_at > ${after}
    order by m.seq limit 1`);

/** Whether a member wrote into a channel behind a place. */
export const hasWrittenBehind = async (
  reader: Reader,
  channelId: bigint,
  memberId: number,
  seq: number,
): Promise<boolean> =>
  (await reader.row(sql`
    select from chat.messages m
    where m.channel_id = ${channelId} and m.member_id = ${memberId} and m.seq > ${seq} limit 1`)) !==
  undefined;

export const readMutedBy = (reader: Reader, memberId: number) =>
  reader.rows<{ mutedId: number }>(
    sql`select muted_id as "mutedId" from chat.mutes where member_id = ${memberId} order by muted_id`,
  );

/** Mutes another member, unless there is none with this id or too many are muted. */
export const insertMute = (reader: Reader, memberId: number, mutedId: bigint, mutesMax: number) =>
  reader.rows(sql`
    insert into chat.mutes (member_id, muted_id, created_at)
    select ${memberId}::integer, p.id, platform.business_now() from members.profiles p
    where p.id = ${mutedId} and p.id <> ${memberId}
      and (select count(*) from (select from chat.mutes o where o.member_id = ${memberId} limit ${mutesMax}) as others)
        < ${mutesMax}
    on conflict do nothing`);

export const deleteMute = (reader: Reader, memberId: number, mutedId: bigint) =>
  reader.rows(sql`delete from chat.mutes where member_id = ${memberId} and muted_id = ${mutedId}`);

export const readFirstNames = (reader: Reader, memberIds: readonly number[]) =>
  reader.rows<{ id: number; firstName: string; isOperator: boolean }>(sql`
    select id, first_name as "firstName", role = 'admin' as "isOperator" from members.profiles
    where id = any (${memberIds}::integer[]) and not (select r.is_account_suspended from members.restrictions(id) r)
    order by first_name, id`);

/**
 * Who writes here, and whether an operator does, if the member may: the channel is theirs, general or read by
 * operators, and neither a suspension nor a ban holds.
 */
export const findTypist = (reader: Reader, memberId: number, isOperator: boolean, channelId: bigint) =>
  reader.row<{ ownerId: number | null; firstName: string; isOperator: boolean }>(sql`
    select c.member_id as "ownerId", p.first_name as "firstName", p.role = 'admin' as "isOperator"
    from chat.channels c join members.profiles p on p.id = ${memberId}
    where c.id = ${channelId} and not (select r.is_account_suspended from members.restrictions(${memberId}) r)
      and (c.member_id is null or c.member_id = ${memberId} or ${isOperator}::boolean)
      and (c.member_id is not null or ${isOperator}::boolean or not exists (select from chat.ban_of(${memberId})))`);

export const readWords = (reader: Reader) =>
  reader.rows<{ id: bigint; word: string }>(sql`select id, word from chat.words order by id`);

/** Counts a message that a word stopped, on the site's day. */
export const countBlocked = (reader: Reader, wordId: bigint) =>
  reader.rows(sql`
    insert into chat.word_days as d (word_id, day, blocked)
    select w.id, platform.site_day(platform.business_now()), 1 from chat.words w where w.id = ${wordId}
    on conflict (word_id, day) do update set blocked = d.blocked + 1`);

/** Reads a member's messages with ids above `afterId`, oldest first, also those that nobody sees any more. */
export const readMessagesAfter = (reader: Reader, memberId: number, afterId: bigint, limit: number) =>
  reader.rows<{ id: bigint; channelId: bigint; body: string; createdAt: Date }>(sql`
    select id, channel_id as "channelId", body, created_at as "createdAt" from chat.messages
    where member_id = ${memberId} and id > ${afterId} order by id limit ${limit}`);

export const readBansOf = (reader: Reader, memberId: number) =>
  reader.rows<{
    id: bigint;
    reason: string;
    createdAt: Date;
    expiresAt: Date | null;
    liftedAt: Date | null;
  }>(sql`
    select id, reason, created_at as "createdAt", expires_at as "expiresAt", lifted_at as "liftedAt"
    from chat.bans where member_id = ${memberId} order by id`);

export const forget = (tx: Tx, memberId: number) => tx.rows(sql`select chat.forget(${memberId})`);

/** Deletes the oldest messages of the general channel that are too old. Returns how many, at most `rowsMax`. */
export const removeOldMessages = async (reader: Reader, keptDays: number, rowsMax: number): Promise<bigint> =>
  (
    await reader.one<{ removed: bigint }>(
      sql`select chat.remove_old_messages(${keptDays}, ${rowsMax}) as removed`,
    )
  ).removed;
