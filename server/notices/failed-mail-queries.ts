import type { NoticeKind } from '#contract/notice-kinds.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of the mails of notices that were not sent. */

export type FailedMailRow = {
  memberId: number;
  memberNumber: bigint;
  firstName: string;
  lastName: string | null;
  email: string;
  kind: NoticeKind;
  trouble: string;
  attemptCount: number;
  /** When it is tried next; null for one that is not tried again. */
  dueAt: Date | null;
  createdAt: Date;
};

const columns = sql`
  n.member_id as "memberId", n.member_number as "memberNumber", m.first_name as "firstName",
  m.last_name as "lastName", m.email, n.kind, n.mail_trouble as trouble, n.mail_attempt_count as "attemptCount",
  n.mail_due_at as "dueAt", n.created_at as "createdAt"`;
const source = sql`notices.notices n join members.profiles m on m.id = n.member_id`;

export const readFailed = (reader: Reader, rowsMax: number) =>
  reader.rows<FailedMailRow>(sql`
    select ${columns} from ${source} where n.mail_trouble is not null
    order by n.created_at desc, n.member_id, n.member_number limit ${rowsMax}`);

/** Locks a mail that failed; undefined if it did not fail, or was sent meanwhile. */
export const lockFailed = (tx: Tx, memberId: number, memberNumber: bigint) =>
  tx.row<FailedMailRow>(sql`
    select ${columns} from ${source}
    where n.member_id = ${memberId} and n.member_number = ${memberNumber} and n.mail_trouble is not null
    for no key update of n`);

/** Makes a mail that failed due now; undefined if it is due within these minutes, in which a process may send it. */
export const makeDue = (tx: Tx, memberId: number, memberNumber: bigint, minutes: number) =>
  tx.row<{ dueAt: Date }>(sql`
    update notices.notices set mail_due_at = platform.business_now()
    where member_id = ${memberId} and member_number = ${memberNumber} and mail_trouble is not null
      and mail_sent_at is null
      and (mail_due_at is null or mail_due_at > platform.business_now() + make_interval(mins => ${minutes}))
    returning mail_due_at as "dueAt"`);

/** `oldestAt` is when the oldest notice was made whose mail is still to be sent; null if none is. */
export type MailQueue = { waiting: bigint; retrying: bigint; failed: bigint; oldestAt: Date | null };

const COUNTED_MAX = 1_000;

export const readQueue = (reader: Reader) =>
  reader.one<MailQueue>(sql`
    with waiting as (
      select created_at from notices.notices
      where (mail_attempt_count > 0) = false and mail_due_at <= platform.business_now()
      order by mail_due_at limit ${COUNTED_MAX}),
    retrying as (
      select created_at from notices.notices
      where (mail_attempt_count > 0) = true and mail_due_at is not null and mail_trouble is not null
      order by mail_due_at limit ${COUNTED_MAX})
    select
      (select count(*) from waiting) as waiting, (select count(*) from retrying) as retrying,
      (select count(*) from (
        select from notices.notices where mail_trouble is not null and mail_due_at is null
        limit ${COUNTED_MAX}) f) as failed,
      least((select min(created_at) from waiting), (select min(created_at) from retrying)) as "oldestAt"`);
