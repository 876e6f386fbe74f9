import { type Reader, sql } from '#platform/database.ts';

/** SQL of what waits for operators. Counts are kept or bounded; the oldest row is the first of an index. */

export const findOldestPending = (reader: Reader) =>
  reader.row<{ createdAt: Date }>(sql`
    select created_at as "createdAt" from withdrawals.withdrawals
    where state = 'pending' order by queue_number limit 1`);

/** The parked payouts, at most `countMax`. */
export const readParked = (reader: Reader, countMax: number) =>
  reader.one<{ count: bigint; points: string; oldestAt: Date | null }>(sql`
    select count(*) as count, coalesce(sum(w.amount_points), 0)::text as points, min(p.queued_at) as "oldestAt"
    from (
      select withdrawal_id, queued_at from withdrawals.payouts
      where state = 'parked' limit ${countMax}) p
      join withdrawals.withdrawals w on w.id = p.withdrawal_id`);
