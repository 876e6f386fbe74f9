import type { Broadcast, RecipientCounts } from '#contract/broadcasts.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of broadcasts, for operators and members. */

export type Texts = Pick<Broadcast, 'subject' | 'content' | 'subjectKo' | 'contentKo'>;

export type BroadcastRow = Texts &
  Pick<Broadcast, 'kind' | 'status' | 'recipients' | 'sent' | 'perhapsSent' | 'skipped' | 'adminEmail'> & {
    id: bigint;
    noAddress: number;
    mailboxFull: number;
    refused: number;
    deferred: number;
    createdAt: Date;
    changedAt: Date;
    changedBy: string | null;
    finishedAt: Date | null;
  };

export const broadcastColumns = sql`b.id, b.kind, b.status, b.subject, b.content, b.subject_ko as "subjectKo",
  b.content_ko as "contentKo", b.recipient_count as recipients, b.sent_count as sent,
  b.perhaps_count as "perhapsSent", b.skipped_count as skipped, b.no_address_count as "noAddress",
  b.mailbox_full_count as "mailboxFull", b.refused_count as refused, b.deferred_count as deferred,
  b.created_at as "createdAt", o.email as "adminEmail", b.changed_at as "changedAt", c.email as "changedBy",
  b.finished_at as "finishedAt"`;

export const broadcastJoins = sql`left join members.profiles o on o.id = b.created_by
  left join members.profiles c on c.id = b.changed_by`;

export const findBroadcast = (reader: Reader, id: bigint) =>
  reader.row<BroadcastRow>(
    sql`select ${broadcastColumns} from broadcasts.broadcasts b ${broadcastJoins} where b.id = ${id}`,
  );

const isGivenUp = sql`r.email in (select g.email from broadcasts.given_up g)`;
/** Whether a member `r` gets a broadcast of news now. */
export const isNewsRecipient = sql`broadcasts.is_recipient('news', r.wants_news, r.is_confirmed, r.is_suspended,
  r.is_leaving, ${isGivenUp})`;

/** Counts the members who want news, and who of them gets none. Each counts once, by the first reason. */
export const countRecipients = (reader: Reader) =>
  reader.one<{ [Name in keyof RecipientCounts]: bigint }>(sql`
    select count(*) as "switchedOn",
      count(*) filter (where c.is_leaving) as leaving,
      count(*) filter (where not c.is_leaving and c.is_suspended) as suspended,
      count(*) filter (where not c.is_leaving and not c.is_suspended and not c.is_confirmed) as unconfirmed,
      count(*) filter (
        where not c.is_leaving and not c.is_suspended and c.is_confirmed and c.is_given_up) as "givenUp",
      count(*) filter (where c.is_recipient) as recipients,
      count(*) filter (where c.is_recipient and c.language = 'ko') as korean,
      count(*) filter (where c.is_recipient and c.language <> 'ko') as english
    from (
      select r.is_leaving, r.is_suspended, r.is_confirmed, r.language, ${isGivenUp} as is_given_up,
        ${isNewsRecipient} as is_recipient
      from members.news_readers r where r.wants_news) c`);

export type NewBroadcast = Texts & {
  kind: Broadcast['kind'];
  announcementId: bigint | null;
  effectiveOn: string | null;
  operatorId: number | null;
  /** The operator's `Idempotency-Key`. */
  beginKey: string | null;
};

/** Adds a broadcast without recipients; undefined if its announcement, or the operator's key, has one. */
export const insertBroadcast = (tx: Tx, given: NewBroadcast) =>
  tx.row<{ id: bigint }>(sql`
    insert into broadcasts.broadcasts (kind, announcement_id, effective_on, subject, content, subject_ko, content_ko,
      created_at, created_by, begin_key, changed_at, changed_by)
    select ${given.kind}, ${given.announcementId}::bigint, ${given.effectiveOn}::date, ${given.subject},
      ${given.content}, ${given.subjectKo}, ${given.contentKo}, n.now, ${given.operatorId}::integer, ${given.beginKey},
      n.now, ${given.operatorId}::integer
    from (select date_trunc('milliseconds', platform.business_now()) as now) n
    on conflict do nothing
    returning id`);

/** Finds the broadcast that an operator began with a key, and whether its texts are these. */
export const findBegun = (tx: Tx, { operatorId, beginKey, ...texts }: NewBroadcast) =>
  tx.row<{ id: bigint; recipients: number; isSame: boolean }>(sql`
    select id, recipient_count as recipients,
      (subject, content, subject_ko, content_ko) is not distinct from
        (${texts.subject}, ${texts.content}, ${texts.subjectKo}::text, ${texts.contentKo}::text) as "isSame"
    from broadcasts.broadcasts where created_by = ${operatorId} and begin_key = ${beginKey}`);

/** Reads which announcements of terms that are not in force yet have their broadcasts. */
export const readMailedTerms = async (reader: Reader): Promise<bigint[]> => {
  const mailed = await reader.rows<{ id: bigint }>(sql`
    select announcement_id as id from broadcasts.broadcasts
    where kind = 'terms' and effective_on > platform.site_day(platform.business_now())`);
  return mailed.map(({ id }) => id);
};

/** Whether a broadcast of one of these announcements went to nobody, although members have confirmed addresses. */
export const isSomeUnread = async (reader: Reader, announcementIds: readonly bigint[]): Promise<boolean> =>
  (
    await reader.one<{ isUnread: boolean }>(sql`
      select exists (
          select from broadcasts.broadcasts b
          where b.announcement_id = any (${announcementIds}::bigint[]) and b.recipient_count = 0)
        and exists (
          select from members.news_readers r where r.is_confirmed and not r.is_leaving) as "isUnread"`)
  ).isUnread;

/** Forgets the bounces of an address. Returns how many there were; undefined if there was none. */
export const forgetBounces = (tx: Tx, email: string) =>
  tx.row<{ count: number }>(sql`
    delete from broadcasts.addresses where email = ${email} returning bounce_count as count`);

/** Adds recipients among the next members behind one, in the order of their ids. */
export const addRecipients = (
  tx: Tx,
  id: bigint,
  { kind, afterId, membersMax }: { kind: Broadcast['kind']; afterId: number; membersMax: number },
) =>
  tx.one<{ lookedAt: number; lastId: number; added: number }>(sql`
    select looked_at as "lookedAt", last_id as "lastId", added
    from broadcasts.add_recipients(${id}, ${kind}, ${afterId}, ${membersMax})`);

export const setRecipientCount = async (tx: Tx, id: bigint, count: number): Promise<void> => {
  await tx.rows(sql`update broadcasts.broadcasts set recipient_count = ${count} where id = ${id}`);
  await finish(tx, id);
};

const finish = (tx: Tx, id: bigint) =>
  tx.rows(sql`select broadcasts.finish(${id}, date_trunc('milliseconds', platform.business_now()))`);

/** Changes the status if it is one of the expected ones; undefined if not. */
export const changeStatus = (
  tx: Tx,
  id: bigint,
  {
    from,
    to,
    operatorId,
  }: { from: readonly Broadcast['status'][]; to: Broadcast['status']; operatorId: number },
) =>
  tx.row<{ id: bigint }>(sql`
    update broadcasts.broadcasts
    set status = ${to}, finished_at = null, changed_by = ${operatorId},
      changed_at = date_trunc('milliseconds', platform.business_now())
    where id = ${id} and status = any (${from}::text[]) returning id`);

/** Stops the broadcast of an announcement if it runs or is paused; undefined if not. */
export const stopTerms = (tx: Tx, announcementId: bigint, operatorId: number) =>
  tx.row<{ id: bigint; sent: number }>(sql`
    update broadcasts.broadcasts
    set status = 'stopped', finished_at = null, changed_by = ${operatorId},
      changed_at = date_trunc('milliseconds', platform.business_now())
    where announcement_id = ${announcementId} and status in ('running', 'paused')
    returning id, sent_count + perhaps_count as sent`);

/** Reads how many mails of an announcement's broadcast were sent, or perhaps sent. */
export const readTermsMails = (reader: Reader, announcementId: bigint) =>
  reader.row<{ recipients: number; sent: number }>(sql`
    select recipient_count as recipients, sent_count + perhaps_count as sent
    from broadcasts.broadcasts where announcement_id = ${announcementId}`);

/** Ends a running broadcast of which no mail waits. */
export const finishBroadcast = async (tx: Tx, id: bigint): Promise<void> => {
  await finish(tx, id);
};

/**
 * Makes mails wait again: those that failed and may succeed, or those perhaps sent. Returns how many. Only these are
 * taken off the counts, because another mail may fail at the same moment.
 */
export const repeatMails = async (tx: Tx, id: bigint, which: 'failed' | 'perhaps-sent'): Promise<number> => {
  const chosen =
    which === 'failed' ? sql`m.state = 'failed' and m.reason <> 'no-address'` : sql`m.state = 'perhaps'`;
  const repeated = await tx.one<{
    [Name in 'all' | 'perhaps' | 'full' | 'refused' | 'deferred']: bigint;
  }>(sql`
    with chosen as (
      select m.member_id, m.state, m.reason from broadcasts.mails m
      where m.broadcast_id = ${id} and ${chosen} order by m.member_id for update
    ), repeated as (
      update broadcasts.mails m
      set state = 'waiting', reason = null, smtp_code = null, settled_at = null, deferral_count = 0,
        due_at = platform.business_now()
      from chosen
      where m.broadcast_id = ${id} and m.member_id = chosen.member_id
      returning chosen.state, chosen.reason
    )
    select count(*) as "all", count(*) filter (where state = 'perhaps') as perhaps,
      count(*) filter (where reason = 'mailbox-full') as "full", count(*) filter (where reason = 'refused') as refused,
      count(*) filter (where reason = 'deferred') as deferred
    from repeated`);
  if (repeated.all > 0n)
    await tx.rows(sql`
      update broadcasts.broadcasts
      set perhaps_count = perhaps_count - ${repeated.perhaps},
        mailbox_full_count = mailbox_full_count - ${repeated.full},
        refused_count = refused_count - ${repeated.refused}, deferred_count = deferred_count - ${repeated.deferred}
      where id = ${id}`);
  return Number(repeated.all);
};

export type Pace = { slowCount: number; waitsUntil: Date | null; trouble: string | null };

/** Reads how slowly broadcasts are sent now. */
export const readPace = (reader: Reader) =>
  reader.one<Pace>(sql`
    select broadcasts.slow_count_at(p.slow_count, p.throttled_at, n.now) as "slowCount",
      broadcasts.rests_until(p.waits_until, n.now) as "waitsUntil", p.trouble
    from broadcasts.pace p, (select platform.business_now() as now) n`);

/** Removes what is known of a member who is about to be anonymised, except that mails were sent. */
export const forget = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    delete from broadcasts.addresses
    where email = (select r.email from members.news_readers r where r.id = ${memberId})`);

export type MemberMail = {
  broadcastId: bigint;
  subject: string;
  state: string;
  settledAt: Date | null;
};

/** Reads a member's mails of broadcasts behind one, in their order. */
export const readMailsOf = (reader: Reader, memberId: number, afterId: bigint, limit: number) =>
  reader.rows<MemberMail>(sql`
    select m.broadcast_id as "broadcastId", b.subject, m.state, m.settled_at as "settledAt"
    from broadcasts.mails m join broadcasts.broadcasts b on b.id = m.broadcast_id
    where m.member_id = ${memberId} and m.broadcast_id > ${afterId}
    order by m.broadcast_id limit ${limit}`);

export const removeOld = async (reader: Reader, rowsMax: number): Promise<bigint> =>
  (await reader.one<{ removed: bigint }>(sql`select broadcasts.remove_old(${rowsMax}) as removed`)).removed;
