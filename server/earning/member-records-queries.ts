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
