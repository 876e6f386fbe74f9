import { type Reader, sql } from '#platform/database.ts';

/** SQL of what is known of members from their earnings. */

/** Finds the members of a provider's transaction, an earning or a reversal. */
export const findEarners = (reader: Reader, transactionId: string) =>
  reader.rows<{ memberId: number }>(sql`
    select e.member_id as "memberId" from earning.providers p
      join earning.earnings e on e.provider = p.id and e.transaction_id = ${transactionId}
    union
    select r.member_id from earning.providers p
      join earning.reversals r on r.provider = p.id and r.transaction_id = ${transactionId}`);

export const findReversalTotals = (reader: Reader, memberId: number) =>
  reader.row<{ reversalCount: bigint; takenPoints: bigint }>(sql`
    select reversal_count as "reversalCount", taken_points as "takenPoints"
    from earning.member_reversals where member_id = ${memberId}`);

export type EarningPace = {
  memberId: number;
  /** The credits of the last hour among the newest movements. */
  lateCredits: number;
  reversals: number;
  tasks: number;
};

/** Counts the credits of members that wait because of a detection. */
export const countHeldByDetection = (reader: Reader, memberIds: readonly number[], limit: number) =>
  reader.one<{ count: number }>(sql`
    select count(*)::integer as count from (
      select from earning.earnings e
      where e.member_id = any (${memberIds}::integer[]) and e.held_id is not null and e.state = 'held'
        and e.hold_reason = 'detection'
      limit ${limit}) h`);

/** Reads how fast members earn, and how often that was reversed: of those with a credit in the hour or a reversal. */
export const listEarningPaces = (reader: Reader, memberIds: readonly number[], movementsMax: number) =>
  reader.rows<EarningPace>(sql`
    with now as materialized (select platform.business_now() - interval '1 hour' as hour)
    select w.member_id as "memberId", coalesce(late.credits, 0) as "lateCredits",
      coalesce(r.reversal_count, 0)::integer as reversals, w.tasks_completed as tasks
    from now cross join ledger.wallet_totals w
      left join earning.member_reversals r on r.member_id = w.member_id
      left join lateral (
        select (
          select count(*)::integer from ledger.newest_movements(w.member_id, ${movementsMax}) m
          where m.kind = 'earning' and m.posted_at > now.hour) as credits
        from ledger.newest_movements(w.member_id, 1) newest
        where newest.posted_at > now.hour) late on true
    where w.member_id = any (${memberIds}::integer[])
      and (late.credits > 0 or r.reversal_count > 0)`);
