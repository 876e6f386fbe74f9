import { type Reader, sql } from '#platform/database.ts';
import { type BooksDifference, DIFFERENCES_MAX, LAST_MEMBER } from '../ledger/ledger.ts';

/** SQL of the audit of referrals. A range of friends is a range of the keys of their rewards. */
const PIECE_MEMBERS = 5_000;

export const readMembersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const row = await reader.row<{ end: number }>(sql`
    select id as "end" from members.profiles where id >= ${from} order by id offset ${PIECE_MEMBERS} limit 1`);
  return row?.end ?? null;
};

/**
 * Members whose row names another referrer than their referral does, or only one of the two, and referrals whose reward
 * is not booked as their state says. A foreign key can't say so, because the rows are in several schemas.
 */
export const readReferralDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    with named as (
      select p.id, p.referred_by, p.created_at from members.profiles p
      where p.id >= ${from} and p.id < ${until ?? LAST_MEMBER} and p.referred_by is not null
    ), made as (
      select r.* from referrals.referrals r
      where r.referred_id >= ${from} and r.referred_id < ${until ?? LAST_MEMBER}
    ), booked as (
      select h.* from ledger.history h
      where h.key >= ${`referral:${Math.max(from, 0)}`}
        and h.key < ${until === null ? 'referral;' : `referral:${until}`}
    )
    (select 'referrals' as "check", coalesce(n.id, r.referred_id)::text as subject,
      coalesce('referrer ' || n.referred_by, 'no referrer') as expected,
      coalesce('referrer ' || r.referrer_id, 'no referrer') as actual
    from named n full join made r on r.referred_id = n.id
    where n.referred_by is distinct from r.referrer_id limit ${DIFFERENCES_MAX})
    union all
    (select 'referral-rewards', coalesce(r.referred_id::text, b.key),
      coalesce('reward ' || concat_ws(' ', b.member_id, b.amount, b.posted_at), 'no reward'),
      coalesce(concat_ws(' ', r.state, r.referrer_id, r.reward_points, r.decided_at), 'no referral')
    from made r full join booked b on b.key = 'referral:' || r.referred_id
    where case when r.state = 'rewarded'
      then (b.member_id, b.amount) = (r.referrer_id, r.reward_points)
        and b.posted_at between r.decided_at - interval '1 minute' and r.decided_at + interval '1 minute'
      else r.state is not null and b.key is null end is not true
    limit ${DIFFERENCES_MAX})`);

export const readReferrersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const row = await reader.row<{ end: number }>(sql`
    select member_id as "end" from referrals.member_totals where member_id >= ${from}
    order by member_id offset ${PIECE_MEMBERS} limit 1`);
  return row?.end ?? null;
};

/** Referrers whose totals differ from their referrals. */
export const readTotalDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    select 'referral-totals' as "check", coalesce(t.member_id, c.referrer_id)::text as subject,
      concat_ws(' ', 'referrals', coalesce(c.made, 0), 'rewarded', coalesce(c.rewarded, 0), 'pending',
        coalesce(c.pending, 0)) as expected,
      coalesce(concat_ws(' ', 'referrals', t.referral_count, 'rewarded', t.rewarded_points, 'pending',
        t.pending_points), 'no totals') as actual
    from (
      select * from referrals.member_totals where member_id >= ${from} and member_id < ${until ?? LAST_MEMBER}
    ) t full join (
      select referrer_id, count(*) as made,
        coalesce(sum(reward_points) filter (where state = 'rewarded'), 0) as rewarded,
        coalesce(sum(reward_points) filter (where state = 'pending'), 0) as pending
      from referrals.referrals where referrer_id >= ${from} and referrer_id < ${until ?? LAST_MEMBER}
      group by referrer_id
    ) c on c.referrer_id = t.member_id
    where (t.referral_count, t.rewarded_points, t.pending_points) is distinct from (c.made, c.rewarded, c.pending)
    limit ${DIFFERENCES_MAX}`);
