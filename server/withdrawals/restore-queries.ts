import { type Reader, sql } from '#platform/database.ts';

/** SQL of what waits because an older copy of the database was restored. */

const COUNTED_MAX = 1_000;

/**
 * Counts the payouts and pending requests that wait for a comparison, or for what one found. Of each at most 1,000. Ask
 * only while something is left after a restore.
 */
export const countWaitingForRestore = (reader: Reader) =>
  reader.one<{ payoutCount: number; requestCount: number }>(sql`
    select (
      select count(*)::integer from (
        select from withdrawals.payouts p
        where p.state in ('queued', 'parked') and (cardinality(p.possible_references) > 0
          or withdrawals.is_in_check(p.withdrawal_id, p.method) or withdrawals.is_possibly_paid(p.withdrawal_id))
        limit ${COUNTED_MAX}) waiting) as "payoutCount", (
      select count(*)::integer from (
        select from withdrawals.withdrawals w
        where w.state = 'pending'
          and (withdrawals.is_in_check(w.id, w.method) or withdrawals.is_possibly_paid(w.id))
        limit ${COUNTED_MAX}) waiting) as "requestCount"`);
