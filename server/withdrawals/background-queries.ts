import { type Reader, sql } from '#platform/database.ts';
import type { OperatorRow, PayoutState, WithdrawalState } from './queries.ts';

/** SQL of what an operator reads of a withdrawal before a decision. */

export type DestinationFacts = {
  firstUsedAt: Date | null;
  paidAt: Date | null;
  sharerCount: bigint;
  formerMethod: string | null;
  formerDestination: string | null;
  formerPaidAt: Date | null;
};

export const readDestinationFacts = (
  reader: Reader,
  { memberId, method, destination }: Pick<OperatorRow, 'memberId' | 'method' | 'destination'>,
  sharersMax: number,
) =>
  reader.one<DestinationFacts>(sql`
    select d.first_used_at as "firstUsedAt", d.paid_at as "paidAt", s.count as "sharerCount",
      f.method as "formerMethod", f.destination as "formerDestination", f.paid_at as "formerPaidAt"
    from (
        select count(*) from withdrawals.destination_sharers(${memberId}, ${method}, ${destination}, ${sharersMax})) s
      left join withdrawals.destinations d
        on (d.member_id, d.method, d.destination) = (${memberId}, ${method}, ${destination})
      left join lateral (
        select o.method, o.destination, o.paid_at from withdrawals.destinations o
        where o.member_id = ${memberId} and o.paid_at is not null
          and (o.method, o.destination) <> (${method}, ${destination})
        order by o.paid_at desc limit 1) f on true`);

export type RequestTimes = {
  holdUntil: Date | null;
  holdReason: 'new_destination' | 'security_change' | null;
  reversalsSince: Date;
  rejectionCode: 'operator' | 'cancelled' | 'failed' | null;
  payoutState: PayoutState | null;
  broadcastAt: Date | null;
  finishedAt: Date | null;
};

/** Reads what happened to a withdrawal, and until when it is held now. */
export const readRequestTimes = (reader: Reader, id: string) =>
  reader.one<RequestTimes>(sql`
    select case when w.hold_until > platform.business_now() then w.hold_until end as "holdUntil",
      w.hold_reason as "holdReason", withdrawals.reversals_looked_at_since() as "reversalsSince",
      w.rejection_code as "rejectionCode", p.state as "payoutState", p.broadcast_at as "broadcastAt",
      p.finished_at as "finishedAt"
    from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id
    where w.id = ${id}`);

export type FormerWithdrawal = {
  id: string;
  method: string;
  amountPoints: bigint;
  state: WithdrawalState;
  rejectionCode: RequestTimes['rejectionCode'];
  payoutState: PayoutState | null;
  createdAt: Date;
  decidedAt: Date | null;
};

/** Lists the member's other withdrawals among the newest of all, which are a range of numbers, newest first. */
export const listOthers = (reader: Reader, memberId: number, id: string, limit: number) =>
  reader.rows<FormerWithdrawal>(sql`
    select w.id, w.method, w.amount_points as "amountPoints", w.state, w.rejection_code as "rejectionCode",
      p.state as "payoutState", w.created_at as "createdAt", w.decided_at as "decidedAt"
    from withdrawals.member_counts c
      join withdrawals.withdrawals w on w.member_id = c.member_id and w.member_number > c.withdrawal_count - ${limit}
      left join withdrawals.payouts p on p.withdrawal_id = w.id
    where c.member_id = ${memberId} and w.id <> ${id}
    order by w.member_number desc`);
