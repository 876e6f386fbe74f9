import { type Reader, sql } from '#platform/database.ts';

/** SQL of what is known of members from their withdrawals. */

const FOUND_MAX = 1_000;

/** Finds the members who requested a withdrawal to one of these destinations, or were paid by one of these payments. */
export const findPayees = (reader: Reader, texts: readonly string[]) =>
  reader.rows<{ memberId: number }>(sql`
    select member_id as "memberId" from withdrawals.withdrawals where destination = any (${texts}::text[])
    union
    select w.member_id from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
    where p.reference = any (${texts}::text[])
    limit ${FOUND_MAX}`);

export const findOwn = (reader: Reader, memberId: number, id: string) =>
  reader.row<{ id: string }>(
    sql`select id from withdrawals.withdrawals where id = ${id} and member_id = ${memberId}`,
  );

export const readPaidPoints = (reader: Reader) =>
  reader.one<{ paidPoints: string }>(sql`select paid_points as "paidPoints" from withdrawals.totals`);

export type MemberTotals = { waitingPoints: bigint; paidCount: bigint; paidPoints: bigint };

export const findMemberTotals = (reader: Reader, memberId: number) =>
  reader.row<MemberTotals>(sql`
    select waiting_points as "waitingPoints", paid_count as "paidCount", paid_points as "paidPoints"
    from withdrawals.member_counts where member_id = ${memberId}`);

export type Decision = {
  id: string;
  state: 'approved' | 'rejected';
  method: string;
  amountPoints: bigint;
  destination: string;
  reason: string | null;
  rejectionCode: 'operator' | 'cancelled' | 'failed' | null;
  decidedAt: Date;
  /** The same in microseconds since 1970, because several can be decided in one millisecond. */
  decidedMicros: bigint;
  decidedBy: number | null;
};

/** Lists up to `limit` decisions about a member's withdrawals before a time and id, newest first. */
export const listDecisions = (
  reader: Reader,
  memberId: number,
  before: { micros: bigint; id: string } | null,
  limit: number,
) =>
  reader.rows<Decision>(sql`
    select id, state, method, amount_points as "amountPoints", destination, reason, rejection_code as "rejectionCode",
      decided_at as "decidedAt", (extract(epoch from decided_at) * 1000000)::bigint as "decidedMicros",
      decided_by as "decidedBy"
    from withdrawals.withdrawals
    where member_id = ${memberId} and state <> 'pending'
      and (decided_at, id) < (
        coalesce(timestamptz 'epoch' + ${before?.micros ?? null}::bigint * interval '1 microsecond', 'infinity'),
        coalesce(${before?.id ?? null}::uuid, 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
    order by decided_at desc, id desc limit ${limit}`);

/** Finds other members who requested a withdrawal to one of this member's destinations. */
export const findSharers = (reader: Reader, memberId: number, limit: number) =>
  reader.rows<{ memberId: number }>(sql`
    select distinct o.member_id as "memberId"
    from withdrawals.destinations d join withdrawals.withdrawals o on o.destination = d.destination
    where d.member_id = ${memberId} and o.member_id <> ${memberId}
      and o.rejection_code is distinct from 'cancelled'
    limit ${limit}`);

/** Lists destinations of these members that others have too, each with up to `membersMax` members. */
export const listSharedDestinations = (reader: Reader, memberIds: readonly number[], membersMax: number) =>
  reader.rows<{ destination: string; memberIds: number[] }>(sql`
    select own.destination, o.ids as "memberIds"
    from (
      select distinct destination, method from withdrawals.destinations
      where member_id = any (${memberIds}::integer[])) own
      cross join lateral (
        select array_agg(sharer.member_id order by sharer.member_id) as ids from (
          select member_id from withdrawals.destinations d
          where d.destination = own.destination and d.method = own.method
            and not withdrawals.is_taken_back(d.member_id, d.method, d.destination)
          limit ${membersMax}) sharer) o
    where cardinality(o.ids) > 1`);
