import { type Reader, sql } from '#platform/database.ts';
import { type BooksDifference, DIFFERENCES_MAX, LAST_MEMBER } from '../ledger/ledger.ts';

/** SQL of the audit of the bonus. A range of members is a range of the keys of their claims. */
const PIECE_MEMBERS = 1_000;

export const readClaimersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const row = await reader.row<{ end: number }>(sql`
    select member_id as "end" from bonus.streaks where member_id >= ${from}
    order by member_id offset ${PIECE_MEMBERS} limit 1`);
  return row?.end ?? null;
};

/**
 * Members whose latest claim is not their newest bonus, and claims whose day in a row neither begins a streak nor
 * follows the one before.
 */
export const readStreakDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    with claims as (
      select h.member_id, h.key, h.amount, h.subject, h.posted_at,
        lag(h.subject, 1, '0') over in_order as subject_before, lead(h.key) over in_order is null as is_latest
      from ledger.history h
      where h.key >= ${`bonus:${Math.max(from, 0)}`} and h.key < ${until === null ? 'bonus;' : `bonus:${until}`}
      window in_order as (partition by h.member_id order by h.key)
    )
    (select 'streaks' as "check", coalesce(s.member_id, c.member_id)::text as subject,
      coalesce(concat_ws(' ', c.key, 'day', c.subject, c.amount, c.posted_at), 'no claim')
        as expected,
      coalesce(concat_ws(' ', s.member_id, 'on', s.last_day, 'day', s.day_count, s.last_points, s.claimed_at),
        'no streak') as actual
    from (
      select * from bonus.streaks where member_id >= ${from} and member_id < ${until ?? LAST_MEMBER}
    ) s full join (select * from claims where is_latest) c on c.member_id = s.member_id
    where ((c.key, c.subject, c.amount)
        = ('bonus:' || s.member_id || ':' || s.last_day, s.day_count::text, s.last_points)
      and c.posted_at between s.claimed_at - interval '1 minute' and s.claimed_at + interval '1 minute') is not true
    limit ${DIFFERENCES_MAX})
    union all
    (select 'claims', key, 'day 1 or the day after ' || subject_before, concat_ws(' ', member_id, 'day', subject)
    from claims
    where (key > 'bonus:' || member_id || ':' and key < 'bonus:' || member_id || ';'
      and (subject = '1' or subject_before ~ '^[0-9]{1,9}$' and subject = (subject_before::bigint + 1)::text))
      is not true
    limit ${DIFFERENCES_MAX})`);
