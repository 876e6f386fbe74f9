import { type Reader, sql } from '#platform/database.ts';
import { isPaused } from './payout-stop-queries.ts';
import { type PayoutState, shownReference, type WithdrawalState } from './queries.ts';

/** The statements of a member's own withdrawals, and of what holds them. */

export type MemberWithdrawal = {
  id: string;
  method: string;
  state: WithdrawalState;
  amountPoints: bigint;
  createdAt: Date;
  decidedAt: Date | null;
  destination: string;
  reference: string | null;
  payoutState: PayoutState | 'none';
  isConfirmed: boolean;
  reason: string | null;
  rejectionCode: 'operator' | 'cancelled' | 'failed' | null;
  /** What keeps it from being paid now; null if nothing does, or if it may be sent already. */
  waitsFor:
    | 'suspended'
    | 'disowned'
    | 'in_debt'
    | 'new_destination'
    | 'security_change'
    | 'in_check'
    | 'points_in_check'
    | 'paused'
    | null;
  /** Set with the two holds only. */
  holdUntil: Date | null;
  /** Whether `withdrawals.cancel` takes it now. What keeps it from being paid says nothing of that. */
  isCancellable: boolean;
  feePoints: bigint;
  amountUnits: bigint | null;
  rate: string | null;
};

export const countOfMember = (reader: Reader, memberId: number) =>
  reader.row<{ withdrawalCount: bigint }>(
    sql`select withdrawal_count as "withdrawalCount" from withdrawals.member_counts where member_id = ${memberId}`,
  );

/** The place of a withdrawal among the member's own, from 1 for the oldest. */
export const findNumber = (reader: Reader, memberId: number, id: string) =>
  reader.row<{ number: bigint }>(sql`
    select member_number as number from withdrawals.withdrawals where member_id = ${memberId} and id = ${id}`);

/** What the site's settings hold: requests to new destinations. */
export type HoldingSettings = { holdsDestinations: boolean };

/**
 * An obstacle of a pending request for any operator, or what stops an approved payout that is not signed. One that an
 * operator stopped is not paid when a pause ends.
 */
const memberWithdrawals = ({ holdsDestinations }: HoldingSettings) => sql`
  select w.id, w.method, w.state, w.amount_points as "amountPoints", w.created_at as "createdAt",
    w.decided_at as "decidedAt", w.destination, w.reason, w.rejection_code as "rejectionCode", ${shownReference},
    coalesce(p.state, 'none') as "payoutState", coalesce(p.state = 'confirmed', false) as "isConfirmed",
    case o.obstacle when 'on_hold' then w.hold_reason else o.obstacle end as "waitsFor",
    case o.obstacle when 'on_hold' then w.hold_until end as "holdUntil",
    w.state = 'pending' and not withdrawals.is_in_check(w.id, w.method) as "isCancellable",
    w.fee_points as "feePoints", w.amount_units as "amountUnits", w.rate::text as rate
  from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id
    cross join lateral (
      select case when w.state = 'pending' then (
          select nullif(a.status, 'first_approval')
          from withdrawals.obstacle(w.id, null, ${holdsDestinations}, null, null, null) a)
        when p.state = 'queued' then coalesce(withdrawals.stop_of(w.id),
          case when ${isPaused} and p.halted_by is null then 'paused' end) end as obstacle) o`;

/** Reads a member's withdrawals with a number above `after` and at most `upTo`, newest first. */
export const readNumbered = (
  reader: Reader,
  memberId: number,
  after: bigint,
  upTo: bigint,
  settings: HoldingSettings,
) =>
  reader.rows<MemberWithdrawal>(sql`
    ${memberWithdrawals(settings)}
    where w.member_id = ${memberId} and w.member_number > ${after} and w.member_number <= ${upTo}
    order by w.member_number desc`);

export const findOwn = (reader: Reader, memberId: number, id: string, settings: HoldingSettings) =>
  reader.row<MemberWithdrawal>(sql`
    ${memberWithdrawals(settings)} where w.member_id = ${memberId} and w.id = ${id}`);

/** The end of the site day, if the member has made as many requests on it as a day allows; as `withdrawals.request`. */
export const readDayLimit = (reader: Reader, memberId: number, dayLimit: number) =>
  reader.row<{ until: Date }>(sql`
    select upper(d.day) as until
    from platform.site_clock c
      cross join lateral (select platform.day_range_in(c.site_timezone, platform.business_now()) as day) d
      join withdrawals.member_counts n on n.member_id = ${memberId}
      join withdrawals.withdrawals w on w.member_id = n.member_id
        and w.member_number = n.withdrawal_count + 1 - ${dayLimit} and w.created_at <@ d.day`);

/** Until when new requests of a member are held because of a change of security; null if they are not. */
export const readSecurityHold = (reader: Reader, memberId: number) =>
  reader.one<{ until: Date | null }>(sql`
    select case when held_until > platform.business_now() then held_until end as until
    from withdrawals.security_held_until(${memberId}) held_until`);
