import { type Reader, type Sql, sql } from '#platform/database.ts';

/** SQL of what waits because an older copy of the database was restored. */

const COUNTED_MAX = 1_000;

/**
 * Whether a withdrawal `w` waits for a comparison, or for what one found. Most do not, so the functions that judge one
 * are asked only where they may say so: of everybody while a comparison is due or, after a restore, nobody knows whose
 * a payment is, else of the members of the payments and of the requests in check. `site` and `named` are those of the
 * count.
 */
const isWaiting: Sql = sql`
  case when site.holds_everybody or w.member_id in (select n.member_id from named n)
      or w.id in (select c.withdrawal_id from withdrawals.open_checks c)
    then withdrawals.is_in_check(w.id, w.method) or withdrawals.is_possibly_paid(w.id) else false end`;

/**
 * Counts the payouts and pending requests that wait for a comparison, or for what one found. Of each at most 1,000. Ask
 * only while something is left after a restore.
 */
export const countWaitingForRestore = (reader: Reader) =>
  reader.one<{ payoutCount: number; requestCount: number }>(sql`
    with site as materialized (
      select exists (select from withdrawals.reconciliations r where r.done_at is null)
        or exists (select from withdrawals.timelines t where t.number > 1)
          and exists (select from withdrawals.unnoted_payments u where u.withdrawal_id is null) as holds_everybody
    ), named as materialized (
      select distinct u.member_id from withdrawals.unnoted_payments u where u.member_id is not null
    )
    select (
      select count(*)::integer from (
        select from site cross join withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
        where p.state in ('queued', 'parked') and (cardinality(p.possible_references) > 0 or ${isWaiting})
        limit ${COUNTED_MAX}) waiting) as "payoutCount", (
      select count(*)::integer from (
        select from site cross join withdrawals.withdrawals w
        where w.state = 'pending' and ${isWaiting}
        limit ${COUNTED_MAX}) waiting) as "requestCount"`);
