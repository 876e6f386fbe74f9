import { type Reader, sql } from '#platform/database.ts';
import { type BooksDifference, DIFFERENCES_MAX, LAST_MEMBER } from '../ledger/ledger.ts';

/** SQL of the audit of grants. A range of members is a range of the keys of their grants. */
const PIECE_MEMBERS = 5_000;

export const readMembersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const row = await reader.row<{ end: number }>(sql`
    select id as "end" from members.profiles where id >= ${from} order by id offset ${PIECE_MEMBERS} limit 1`);
  return row?.end ?? null;
};

/** Grants that are not booked as their state says, and movements of grants that no grant names. */
export const readGrantDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    with given as (
      select g.* from grants.grants g where g.member_id >= ${from} and g.member_id < ${until ?? LAST_MEMBER}
    ), booked as (
      select h.* from ledger.history h
      where h.key >= ${`grants:${Math.max(from, 0)}`}
        and h.key < ${until === null ? 'grants;' : `grants:${until}`}
    )
    select 'grants' as "check", coalesce(g.id::text, b.key) as subject,
      coalesce('movement ' || concat_ws(' ', b.member_id, b.kind, b.amount, b.subject), 'no movement') as expected,
      coalesce(concat_ws(' ', g.state, g.member_id, g.amount_points, g.reason), 'no grant') as actual
    from given g full join booked b on b.key = 'grants:' || g.member_id || ':' || g.id
    where case when g.state = 'completed'
      then (b.member_id, b.kind, b.amount, b.subject) = (g.member_id, 'grant', g.amount_points, g.reason)
        and b.posted_at >= g.created_at - interval '1 minute'
      else g.state is not null and b.key is null end is not true
    limit ${DIFFERENCES_MAX}`);

/** The totals, if they differ from the grants. An operator gives each, so they are few. */
export const readTotalDifferences = (reader: Reader) =>
  reader.rows<BooksDifference>(sql`
    select 'grant-totals' as "check", 'totals' as subject,
      concat_ws(' ', c.pending_count, c.pending_points, c.completed_count, c.completed_points) as expected,
      concat_ws(' ', t.pending_count, t.pending_points, t.completed_count, t.completed_points) as actual
    from grants.totals t cross join (
      select count(*) filter (where state = 'pending') as pending_count,
        coalesce(sum(amount_points) filter (where state = 'pending'), 0) as pending_points,
        count(*) filter (where state = 'completed') as completed_count,
        coalesce(sum(amount_points) filter (where state = 'completed'), 0) as completed_points
      from grants.grants) c
    where (t.pending_count, t.pending_points, t.completed_count, t.completed_points)
      is distinct from (c.pending_count, c.pending_points, c.completed_count, c.completed_points)`);
