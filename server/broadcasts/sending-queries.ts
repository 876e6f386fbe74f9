import type { Broadcast } from '#contract/broadcasts.ts';
import { type Reader, sql } from '#platform/database.ts';
import { holdsLease, type LeaseToken } from '#platform/leases.ts';
import type { Texts } from './queries.ts';

/** SQL of the sending of broadcasts. */

/** The longest wait of a mail that the server defers. A mail that is due later was written while a clock was wrong. */
export const LONGEST_WAIT_S = 8 * 60 * 60;

/** Mails of the broadcast `b` that are due, by the index. */
const dueOf = (limit: number) => sql`
  (select m.broadcast_id, m.member_id from broadcasts.mails m
  where m.broadcast_id = b.id and m.state = 'waiting' and m.due_at <= platform.business_now()
  order by m.due_at, m.member_id limit ${limit})
  union all
  (select m.broadcast_id, m.member_id from broadcasts.mails m
  where m.broadcast_id = b.id and m.state = 'waiting'
    and m.due_at > platform.business_now() + make_interval(secs => ${LONGEST_WAIT_S})
  order by m.due_at, m.member_id limit ${limit})`;

/** Whether a mail is due while the mail server needs no rest, or was claimed by a process that may have ended. */
export const hasDue = async (reader: Reader): Promise<boolean> => {
  const { isDue } = await reader.one<{ isDue: boolean }>(sql`
    select exists (select from broadcasts.mails m where m.state = 'sending') or exists (
      select from broadcasts.broadcasts b
      cross join lateral (${dueOf(1)}) due
      where b.status = 'running' and not exists (
        select from broadcasts.pace p
        where broadcasts.rests_until(p.waits_until, platform.business_now()) is not null)) as "isDue"`);
  return isDue;
};

/** Counts what a process claimed and left as perhaps sent. For the holder of the lease, before its first claim. */
export const markLeft = async (reader: Reader, { name, token }: LeaseToken): Promise<bigint> =>
  (await reader.one<{ left: bigint }>(sql`select broadcasts.mark_left(${name}, ${token}) as left`)).left;

export type ClaimedMail = Texts & {
  broadcastId: bigint;
  memberId: number;
  claimCount: number;
  deferralCount: number;
  kind: Broadcast['kind'];
  effectiveOn: string | null;
  email: string;
  firstName: string;
  language: 'en' | 'ko';
  /** Whether the member is a recipient still. */
  isRecipient: boolean;
};

/** Claims due mails of running broadcasts, the oldest broadcast first, while the lease is held. */
export const claimMails = (reader: Reader, lease: LeaseToken, mailsMax: number) =>
  reader.rows<ClaimedMail>(sql`
    with next as (
      select m.broadcast_id, m.member_id from broadcasts.broadcasts b
      cross join lateral (${dueOf(mailsMax)}) m
      where b.status = 'running' order by b.id limit ${mailsMax}
    ), claimed as (
      update broadcasts.mails m set state = 'sending', claim_count = m.claim_count + 1
      from next
      where m.broadcast_id = next.broadcast_id and m.member_id = next.member_id and m.state = 'waiting'
        and (select ${holdsLease(lease)})
      returning m.broadcast_id, m.member_id, m.claim_count, m.deferral_count
    )
    select m.broadcast_id as "broadcastId", m.member_id as "memberId", m.claim_count as "claimCount",
      m.deferral_count as "deferralCount", b.kind, b.subject, b.content, b.subject_ko as "subjectKo",
      b.content_ko as "contentKo", to_char(b.effective_on, 'YYYY-MM-DD') as "effectiveOn",
      coalesce(r.email, '') as email, coalesce(r.first_name, '') as "firstName", coalesce(r.language, 'en') as language,
      coalesce(broadcasts.is_recipient(b.kind, r.wants_news, r.is_confirmed, r.is_suspended, r.is_leaving,
        r.email in (select g.email from broadcasts.given_up g)), false) as "isRecipient"
    from claimed m join broadcasts.broadcasts b on b.id = m.broadcast_id
    left join members.news_readers r on r.id = m.member_id`);

export type Settled = {
  state: 'sent' | 'perhaps' | 'failed' | 'skipped' | 'waiting';
  reason?: 'no-address' | 'mailbox-full' | 'refused' | 'deferred' | null;
  smtpCode?: number | null;
  isDeferral?: boolean;
  /** How long a waiting mail waits. */
  waitS?: number;
};

export const settle = (reader: Reader, mail: ClaimedMail, settled: Settled) =>
  reader.rows(sql`
    select broadcasts.settle(${mail.broadcastId}, ${mail.memberId}, ${mail.claimCount}, ${settled.state},
      ${settled.reason ?? null}, ${settled.smtpCode ?? null}::integer, ${settled.isDeferral ?? false},
      ${settled.waitS ?? 0})`);

/** Counts a bounce of an address. */
export const noteBounce = (reader: Reader, email: string) =>
  reader.rows(sql`
    insert into broadcasts.addresses as a (email, bounce_count, bounced_at)
    values (${email}, 1, platform.business_now())
    on conflict (email) do update set bounce_count = least(a.bounce_count + 1, 1000),
      bounced_at = excluded.bounced_at`);

export const slowDown = (reader: Reader, trouble: string) =>
  reader.rows(sql`select broadcasts.slow_down(${trouble})`);

/** Waits because the mail server does not answer. */
export const waitForServer = (reader: Reader, trouble: string, waitS: number) =>
  reader.rows(sql`
    update broadcasts.pace
    set trouble = ${trouble}, waits_until = platform.business_now() + make_interval(secs => ${waitS})`);

/** Notes that a sent mail failed, as its mail server reported later. Returns whether this was not known. */
export const noteReport = async (
  reader: Reader,
  { broadcastId, memberId }: Pick<ClaimedMail, 'broadcastId' | 'memberId'>,
  reason: NonNullable<Settled['reason']>,
): Promise<boolean> =>
  (
    await reader.one<{ isFirst: boolean }>(
      sql`select broadcasts.note_report(${broadcastId}, ${memberId}, ${reason}) as "isFirst"`,
    )
  ).isFirst;
