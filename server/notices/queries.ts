import type { NoticeKind } from '#contract/notice-kinds.ts';
import type { NoticeFacts } from '#contract/notices.ts';
import { json, type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of notices. */

export const insertNotice = (tx: Tx, memberId: number, kind: NoticeKind, facts: NoticeFacts) =>
  tx.rows(sql`select notices.add(${memberId}, ${kind}, ${json(facts)}::jsonb)`);

export type Unannounced = { memberId: number; memberNumber: bigint; kind: NoticeKind };

/** Marks notices as announced and returns them. Null means those of any members, at most `membersMax` of them. */
export const takeUnannounced = (reader: Reader, memberIds: readonly number[] | null, membersMax: number) =>
  reader.rows<Unannounced>(sql`
    select member_id as "memberId", member_number as "memberNumber", kind
    from notices.take_unannounced(${memberIds}::integer[], ${membersMax})`);

/** A quick read for the sweep, which finds nothing most of the time. */
export const hasUnannounced = async (reader: Reader): Promise<boolean> =>
  (await reader.row(sql`select from notices.member_counts where announced_count < notice_count limit 1`)) !==
  undefined;

export type Counts = { noticeCount: bigint; removedCount: bigint; unreadCount: bigint };

export const findCounts = (reader: Reader, memberId: number) =>
  reader.row<Counts>(sql`
    select notice_count as "noticeCount", removed_count as "removedCount", unread_count as "unreadCount"
    from notices.member_counts where member_id = ${memberId}`);

export type NoticeRow = {
  memberNumber: bigint;
  kind: NoticeKind;
  facts: NoticeFacts;
  createdAt: Date;
  readAt: Date | null;
};

/** Reads a member's notices with a number above `after` and at most `upTo`, newest first. */
export const readNumbered = (reader: Reader, memberId: number, after: bigint, upTo: bigint) =>
  reader.rows<NoticeRow>(sql`
    select member_number as "memberNumber", kind, facts, created_at as "createdAt", read_at as "readAt"
    from notices.notices
    where member_id = ${memberId} and member_number > ${after} and member_number <= ${upTo}
    order by member_number desc`);

export const readNewest = (tx: Tx, memberId: number) =>
  tx.one<Pick<NoticeRow, 'memberNumber' | 'createdAt'>>(sql`
    select member_number as "memberNumber", created_at as "createdAt" from notices.notices
    where member_id = ${memberId} order by member_number desc limit 1`);

export const markRead = (reader: Reader, memberId: number, upTo: bigint) =>
  reader.rows(sql`select notices.mark_read(${memberId}, ${upTo})`);

export type DueMail = Pick<NoticeRow, 'memberNumber' | 'kind' | 'facts' | 'createdAt'> & {
  memberId: number;
  attemptCount: number;
  moreCount: number;
};

/** Of how many first attempts and repeats, the oldest, the members are looked at, which bounds the cost. */
const LOOKED_AT_MAX = 1_000;

/** The oldest due mails, first attempts or repeats. */
const oldestDue = (isRepeat: boolean) => sql`
  select member_id, member_number, mail_due_at, ${isRepeat}::boolean as is_repeat from notices.notices
  where (mail_attempt_count > 0) = ${isRepeat} and mail_due_at <= platform.business_now()
  order by mail_due_at limit ${LOOKED_AT_MAX}`;

/**
 * Claims the mails that are due longest, first attempts before repeats, one of each member, at most `mailsMax`. Nobody
 * else sends them for this time.
 */
export const claimMails = (reader: Reader, minutes: number, mailsMax: number) =>
  reader.rows<DueMail>(sql`
    with oldest as (
      (${oldestDue(false)}) union all (${oldestDue(true)})
    ), of_each as (
      select distinct on (member_id) member_id, member_number, mail_due_at, is_repeat from oldest
      order by member_id, is_repeat, mail_due_at, member_number
    ), next as (
      select member_id, member_number from of_each order by is_repeat, mail_due_at, member_id limit ${mailsMax}
    )
    update notices.notices n
    set mail_due_at = platform.business_now() + make_interval(mins => ${minutes}),
      mail_attempt_count = n.mail_attempt_count + 1
    from (
      select o.member_id, o.member_number from notices.notices o
      where (o.member_id, o.member_number) in (select next.member_id, next.member_number from next)
        and o.mail_due_at <= platform.business_now()
      for update skip locked) due
    where n.member_id = due.member_id and n.member_number = due.member_number
    returning n.member_id as "memberId", n.member_number as "memberNumber", n.kind, n.facts,
      n.created_at as "createdAt", n.mail_attempt_count as "attemptCount", n.more_count as "moreCount"`);

type Claimed = Pick<DueMail, 'memberId' | 'memberNumber'>;

export const markMailed = (reader: Reader, { memberId, memberNumber }: Claimed) =>
  reader.rows(sql`
    update notices.notices
    set mail_sent_at = platform.business_now(), mail_due_at = null, mail_trouble = null
    where member_id = ${memberId} and member_number = ${memberNumber}`);

/** Makes a failed mail due again after some minutes; never again if they are null. */
export const postponeMail = (
  reader: Reader,
  { memberId, memberNumber }: Claimed,
  trouble: string,
  minutes: number | null,
) =>
  reader.rows(sql`
    update notices.notices
    set mail_trouble = ${trouble},
      mail_due_at = platform.business_now() + make_interval(mins => ${minutes}::integer)
    where member_id = ${memberId} and member_number = ${memberNumber} and mail_sent_at is null`);

/** Lets all mails of a member wait some minutes. Later notices of these minutes wait as long. */
export const deferMails = async (tx: Tx, memberId: number, minutes: number): Promise<void> => {
  // The counts are locked first, as by `notices.add`.
  await tx.rows(sql`
    update notices.member_counts
    set mail_deferred_until = platform.business_now() + make_interval(mins => ${minutes})
    where member_id = ${memberId}`);
  await tx.rows(sql`
    update notices.notices n set mail_due_at = c.mail_deferred_until
    from notices.member_counts c
    where c.member_id = ${memberId} and n.member_id = c.member_id and n.mail_due_at < c.mail_deferred_until`);
};

/** Whether a mail is due now. */
export const isAnyMailDue = async (reader: Reader): Promise<boolean> => {
  const { isDue } = await reader.one<{ isDue: boolean }>(sql`
    select exists (
      select from notices.notices where mail_due_at <= platform.business_now()) as "isDue"`);
  return isDue;
};

/** Whether a mail waits for another attempt. */
export const isAnyMailDelayed = async (reader: Reader): Promise<boolean> => {
  const { isDelayed } = await reader.one<{ isDelayed: boolean }>(sql`
    select exists (
      select from notices.notices where mail_due_at is not null and mail_trouble is not null) as "isDelayed"`);
  return isDelayed;
};

/** Marks a notice as denied; undefined if it was before, its link is void or it is not there. */
export const markDenied = (tx: Tx, memberId: number, memberNumber: bigint) =>
  tx.row<{ createdAt: Date; isFresh: boolean }>(sql`
    update notices.notices set denied_at = platform.business_now()
    where member_id = ${memberId} and member_number = ${memberNumber} and denied_at is null
      and notices.is_always_mailed(kind)
      and member_number > (
        select denials_void_up_to from notices.member_counts where member_id = ${memberId})
    returning created_at as "createdAt", created_at > platform.business_now() - interval '30 days' as "isFresh"`);

/** Makes the links of all notices until now void. */
export const voidDenials = (tx: Tx, memberId: number) =>
  tx.rows(sql`
    update notices.member_counts set denials_void_up_to = notice_count where member_id = ${memberId}`);

export const forget = (tx: Tx, memberId: number) => tx.rows(sql`select notices.forget(${memberId})`);

/** Deletes the oldest notices that are too old. Returns how many, at most `rowsMax`. */
export const removeOld = async (reader: Reader, rowsMax: number): Promise<bigint> =>
  (await reader.one<{ removed: bigint }>(sql`select notices.remove_old(${rowsMax}) as removed`)).removed;

/**
 * Lists up to `limit` of a member's notices with numbers below `before`, newest first, of some kinds. Rejections are
 * those of earnings.
 */
export const listBefore = (
  reader: Reader,
  memberId: number,
  { kinds, before, limit }: { kinds: readonly NoticeKind[]; before: bigint | null; limit: number },
) =>
  reader.rows<NoticeRow>(sql`
    select member_number as "memberNumber", kind, facts, created_at as "createdAt", read_at as "readAt"
    from notices.notices
    where member_id = ${memberId} and (member_number < ${before}::bigint or ${before}::bigint is null)
      and kind = any (${kinds}::text[]) and (kind <> 'rejected' or facts ->> 'about' = 'earning')
    order by member_number desc limit ${limit}`);
