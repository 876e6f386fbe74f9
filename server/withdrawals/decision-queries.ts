import { FLAG_REVERSALS_MAX } from '#contract/withdrawals.ts';
import { json, type Reader, type Sql, sql, type Tx } from '#platform/database.ts';
import { ownTrouble, type Stop, stopNow } from './payout-stop-queries.ts';
import type { OperatorRow, WithdrawalState } from './queries.ts';
import type { SourcePrice } from './rate-queries.ts';

/** The statements of decisions and quotes. The functions that they call change withdrawals and move points. */

/** More points than any cap lets through: asked with them, `passed_cap` answers how much of the cap is used. */
const BEYOND_CAPS = sql`4611686018427387904`;

/** What stands against an approval, in the order of `withdrawals.obstacles_of`, which says what each means. */
export type ObstacleStatus =
  | 'disowned'
  | 'suspended'
  | 'in_debt'
  | 'on_hold'
  | 'own_request'
  | 'in_check'
  | 'points_in_check'
  | 'first_approval'
  | 'second_operator_needed'
  | 'capped';

/** What stands against a rejection, and so against an approval too, as `withdrawals.reject_obstacles` says. */
export type RejectionObstacleStatus = 'own_request' | 'in_check';

/** What an operator should look at, in the order of `withdrawals.looks_of`, which says what each means. */
export type Look = 'shared_destination' | 'shared_device' | 'reversals' | 'new_destination' | 'first_payout';

/** `holdUntil` is set with `on_hold`, the cap of the day with `capped`. */
export type ObstacleFacts = {
  holdUntil: Date | null;
  cap: 'member_day' | 'method_day' | null;
  capPoints: bigint | null;
  usedPoints: bigint | null;
  capEndsAt: Date | null;
};

export type Decided = {
  status:
    | 'approved'
    | 'rejected'
    | 'cancelled'
    | 'undone'
    | 'halted'
    | 'not_found'
    | 'decided'
    | ObstacleStatus
    | 'sent';
  state: WithdrawalState | null;
};

/** The bounds of an approval. Points are null where there is none. */
export type Bounds = {
  holdsDestinations: boolean;
  secondPersonPoints: bigint | null;
  memberDayPoints: bigint | null;
  methodDayPoints: bigint | null;
};

/** What an approval pays, and its bounds. */
export type Approval = Bounds & { rate: string; amountUnits: bigint; delaySeconds: number };

/** The columns of `ObstacleFacts`, of the row `o`. */
const obstacleFacts = sql`
  o.held_until as "holdUntil", o.cap, o.cap_points as "capPoints", o.used_points as "usedPoints",
  o.cap_ends_at as "capEndsAt"`;

/** What stands against an approval by an operator or by nobody (null), as a row `o` for each row `w` of withdrawals. */
export const obstacleOf = (operatorId: number | null, bounds: Bounds): Sql => sql`
  withdrawals.obstacle(w.id, ${operatorId}::integer, ${bounds.holdsDestinations}::boolean,
    ${bounds.secondPersonPoints}::bigint, ${bounds.memberDayPoints}::bigint, ${bounds.methodDayPoints}::bigint) o`;

/** What stands against a rejection by an operator, or by nobody (null), of a row `w` of withdrawals. */
export const rejectionObstacleOf = (operatorId: number | null): Sql =>
  sql`withdrawals.reject_obstacle(w.id, ${operatorId}::integer)`;

/** `isRecorded`: this call recorded the first of two approvals, which one without an operator never is. */
export const approve = (tx: Tx, id: string, operatorId: number | null, approval: Approval) =>
  tx.one<Decided & ObstacleFacts & { isRecorded: boolean }>(sql`
    select o.status, o.state, o.is_recorded as "isRecorded", ${obstacleFacts}
    from withdrawals.approve(${id}, ${operatorId}, ${approval.rate}::numeric, ${approval.amountUnits},
      ${approval.delaySeconds}, ${approval.holdsDestinations}, ${approval.secondPersonPoints},
      ${approval.memberDayPoints}, ${approval.methodDayPoints}) o`);

/**
 * @param isCompared whether the rail's list shows that nothing may have paid the payout. Then hold its method's lease
 * `isRecorded`: this call changed something.
 */
export const undoApproval = (tx: Tx, id: string, operatorId: number, isCompared: boolean) =>
  tx.one<Decided & { isRecorded: boolean }>(sql`
    select status, state, is_recorded as "isRecorded"
    from withdrawals.undo_approval(${id}, ${operatorId}, ${isCompared})`);

export type Returned = { memberId: number | null; balance: bigint | null };

export const reject = (tx: Tx, id: string, operatorId: number | null, reason: string) =>
  tx.one<Decided & Returned>(sql`
    select status, state, member_id as "memberId", balance from withdrawals.reject(${id}, ${operatorId}, ${reason})`);

export const cancel = (tx: Tx, id: string, memberId: number, reason: string) =>
  tx.one<Decided & { balance: bigint | null }>(sql`
    select status, state, balance from withdrawals.cancel(${id}, ${memberId}, ${reason})`);

/** The looks at a row `w` of withdrawals; null if it is decided. */
export const looksOf = sql`
  case when w.state = 'pending' then withdrawals.looks_of(w.member_id, w.method, w.destination) end`;

/** What figures of flags are made of; null of what is decided. */
export type FlagFacts = { reversalCount: number | null; debtPoints: bigint | null; capPoints: bigint | null };

/** They are the row `g` for each row `w` of withdrawals, but `capPoints` of `obstacleOf`. */
export const flagFigures = sql`
  left join lateral withdrawals.flag_figures(w.member_id, ${FLAG_REVERSALS_MAX}) g on w.state = 'pending'`;
const flagCounts = sql`g.reversal_count as "reversalCount", g.debt_points as "debtPoints"`;
export const flagFacts = sql`${flagCounts}, o.cap_points as "capPoints"`;

/** All that stands against a decision by this operator, and what should be looked at. Nothing once it is decided. */
export const readFindings = (reader: Reader, operatorId: number, id: string, bounds: Bounds) =>
  reader.one<{ obstacles: ObstacleStatus[]; looks: Look[] }>(sql`
    select withdrawals.obstacles_of(w.id, ${operatorId}::integer, ${bounds.holdsDestinations}::boolean,
        ${bounds.secondPersonPoints}::bigint, ${bounds.memberDayPoints}::bigint,
        ${bounds.methodDayPoints}::bigint) as obstacles,
      coalesce(${looksOf}, '{}') as looks
    from withdrawals.withdrawals w where w.id = ${id}`);

/** How much of the caps of the day is used; null where there is no cap. */
export const readUsedCaps = (
  reader: Reader,
  { memberId, method }: Pick<OperatorRow, 'memberId' | 'method'>,
  { memberDayPoints, methodDayPoints }: Bounds,
) =>
  reader.one<{ memberDay: bigint | null; methodDay: bigint | null }>(sql`
    select a.used_points as "memberDay", b.used_points as "methodDay"
    from (select) one
      left join withdrawals.passed_cap(${memberId}, null, ${BEYOND_CAPS}, ${memberDayPoints}::bigint, null) a on true
      left join withdrawals.passed_cap(null, ${method}, ${BEYOND_CAPS}, null, ${methodDayPoints}::bigint) b on true`);

export type ApprovalFacts = ObstacleFacts &
  FlagFacts & {
    /** The operator who gave the first of two approvals, if it still counts. */
    firstApprovedBy: number | null;
    firstApproverEmail: string | null;
    /** Of the payout, as in the list of payouts. */
    trouble: string | null;
    stop: Stop | null;
    /** Null if nothing stands against an approval by this operator, and for a withdrawal that is decided. */
    obstacle: ObstacleStatus | null;
    /** The same for a rejection. */
    rejectionObstacle: RejectionObstacleStatus | null;
    /** Null if it is decided. */
    looks: Look[] | null;
  };

/** What an operator sees of a withdrawal before a decision, besides its row. */
export const readApprovalFacts = (reader: Reader, operatorId: number, id: string, bounds: Bounds) =>
  reader.one<ApprovalFacts>(sql`
    select f.id as "firstApprovedBy", f.email as "firstApproverEmail",
      ${ownTrouble} as trouble, ${stopNow} as stop, o.status as obstacle,
      ${rejectionObstacleOf(operatorId)} as "rejectionObstacle", ${looksOf} as looks, ${obstacleFacts},
      ${flagCounts}
    from withdrawals.withdrawals w cross join ${obstacleOf(operatorId, bounds)} ${flagFigures}
      left join withdrawals.payouts p on p.withdrawal_id = w.id
      left join members.profiles f on f.id = w.first_approved_by
        and (w.state <> 'pending' or members.is_operator_since(f.id, w.first_approved_at))
    where w.id = ${id}`);

/** Which requests are planned: all pending ones or these, with those that should be looked at or without. */
export type Planning = { ids?: readonly string[] | undefined; withFlagged: boolean };

/** A pending withdrawal with what stands against each decision, and how much of the caps of the day is used. */
export type PendingWithdrawal = ObstacleFacts &
  Pick<
    OperatorRow,
    'id' | 'firstName' | 'lastName' | 'method' | 'amountPoints' | 'feePoints' | 'memberId'
  > & {
    obstacle: ObstacleStatus | null;
    rejectionObstacle: RejectionObstacleStatus | null;
    /** Not read where requests with looks are decided as well. */
    looks: Look[];
    /** Whether another operator gave the first of two approvals. */
    isSecond: boolean;
    /** What the operator approved alone today; null without a sum for two people. */
    approvedAlonePoints: bigint | null;
    /** Null where there is no cap, and of a member without an approval on this day. */
    memberUsedPoints: bigint | null;
    methodUsedPoints: bigint | null;
    dayEndsAt: Date;
  };

/**
 * Reads the pending withdrawals, all or these, in one snapshot, oldest first, as an operator could decide them now,
 * apart from the caps of the day. How much of those is used is summed once for each method and each member: asked for
 * each request, the method's approvals of the day would be summed as often. What is known of the
 * site and of a member is read once as well, and judged as `withdrawals.obstacles_of` does: the functions cost most of
 * the time where they are called for each request. Only while a restore leaves something open is each asked for that.
 */
export const readPending = (reader: Reader, operatorId: number, bounds: Bounds, planning: Planning) =>
  reader.rows<PendingWithdrawal>(pendingFor(operatorId, bounds, planning));

/** Selects what `readPending` reads; null is nobody, as on the command line. */
export const pendingFor = (operatorId: number | null, bounds: Bounds, { ids, withFlagged }: Planning) =>
  sql`
    with site as materialized (
      select is_awaited or exists (
          select from withdrawals.unaccounted_payments u where u.seen_at is null) as may_be_paid,
        is_awaited or exists (select from withdrawals.open_checks) as may_be_checked
      from (select exists (select from withdrawals.reconciliations r where r.done_at is null) as is_awaited) asked
    ), pending as materialized (
      select w.* from withdrawals.withdrawals w
      where w.state = 'pending' and ${ids === undefined ? sql`true` : sql`w.id = any (${ids}::uuid[])`}
    ), of_member as materialized (
      select p.member_id, r.are_withdrawals_blocked, members.last_denied_at(p.member_id) as denied_at,
        members.is_own(${operatorId}::integer, p.member_id) as is_own,
        withdrawals.is_in_debt(p.member_id) as is_in_debt, u.used_points
      from (select distinct member_id from pending) p cross join members.restrictions(p.member_id) r
        left join (
          select a.member_id, sum(a.amount_points)::bigint as used_points
          from platform.site_clock s
            cross join platform.day_range_in(s.site_timezone, platform.business_now()) today
            cross join withdrawals.approved_in(today) a
          where ${bounds.memberDayPoints}::bigint is not null group by a.member_id) u on u.member_id = p.member_id
    ), of_operator as materialized (
      select case when ${bounds.secondPersonPoints}::bigint is not null
        then withdrawals.approved_alone_today(${operatorId}::integer) end as points
    ), of_method as materialized (
      select p.method, b.used_points
      from (select distinct method from pending) p cross join withdrawals.passed_cap(
        null, p.method, ${BEYOND_CAPS}, null, ${bounds.methodDayPoints}::bigint) b
    )
    select w.id, m.first_name as "firstName", m.last_name as "lastName", w.method, w.member_id as "memberId",
      w.amount_points as "amountPoints", w.fee_points as "feePoints", o.status as obstacle,
      case when o.status = 'on_hold' then w.hold_until end as "holdUntil", null as cap, null::bigint as "capPoints",
      null::bigint as "usedPoints", null::timestamptz as "capEndsAt", f.rejections[1] as "rejectionObstacle",
      ${withFlagged ? sql`'{}'::text[]` : sql`withdrawals.looks_of(w.member_id, w.method, w.destination)`} as looks,
      f.does_first_count as "isSecond", alone.points as "approvedAlonePoints", a.used_points as "memberUsedPoints",
      b.used_points as "methodUsedPoints", upper(today) as "dayEndsAt"
    from platform.site_clock s cross join platform.business_now() now
      cross join platform.day_range_in(s.site_timezone, now) today
      cross join site cross join of_operator alone cross join pending w
      join members.profiles m on m.id = w.member_id
      join of_member a on a.member_id = w.member_id
      left join of_method b on b.method = w.method
      cross join lateral (
        select withdrawals.stops_among(a.denied_at >= w.created_at, a.are_withdrawals_blocked, a.is_in_debt,
            case when site.may_be_paid then withdrawals.is_possibly_paid(w.id) end) as stops,
          case when a.is_own or site.may_be_checked
            then withdrawals.reject_obstacles(w.id, ${operatorId}::integer) end as rejections,
          case when w.first_approved_by is null then false
            else members.is_operator_since(w.first_approved_by, w.first_approved_at) end as does_first_count
        offset 0) f
      cross join lateral (
        select (withdrawals.obstacles_among(f.stops, ${bounds.holdsDestinations}::boolean and w.hold_until > now,
          f.rejections, f.does_first_count and members.is_own(${operatorId}::integer, w.first_approved_by),
          not f.does_first_count and (w.first_approved_by is not null
            or alone.points + w.amount_points >= ${bounds.secondPersonPoints}::bigint)))[1] as status
        offset 0) o
    order by w.queue_number`;

export type StoredQuote = {
  id: string;
  rate: string;
  amountUnits: bigint;
  sources: SourcePrice[];
  madeAt: Date;
  ageS: number;
};

const quoteColumns = sql`
  id, rate::text as rate, amount_units as "amountUnits", sources, made_at as "madeAt",
  extract(epoch from platform.business_now() - made_at)::double precision as "ageS"`;

export const findQuote = (reader: Reader, withdrawalId: string, id: string) =>
  reader.row<StoredQuote>(sql`
    select ${quoteColumns} from withdrawals.quotes where id = ${id} and withdrawal_id = ${withdrawalId}`);

/** The newest quote with this rate and amount that is at most this old. */
export const findRecentQuote = (
  reader: Reader,
  withdrawalId: string,
  { rate, amountUnits, ageSMax }: { rate: string; amountUnits: bigint; ageSMax: number },
) =>
  reader.row<StoredQuote>(sql`
    select ${quoteColumns} from withdrawals.quotes
    where withdrawal_id = ${withdrawalId} and rate = ${rate}::numeric and amount_units = ${amountUnits}
      and made_at > platform.business_now() - ${ageSMax}::integer * interval '1 second'
    order by made_at desc limit 1`);

export const insertQuote = (
  reader: Reader,
  withdrawalId: string,
  { rate, amountUnits, sources }: Pick<StoredQuote, 'rate' | 'amountUnits' | 'sources'>,
) =>
  reader.one<StoredQuote>(sql`
    insert into withdrawals.quotes (withdrawal_id, rate, amount_units, sources, made_at)
    values (${withdrawalId}, ${rate}::numeric, ${amountUnits}, ${json(sources)}::jsonb, platform.business_now())
    returning ${quoteColumns}`);

export const deleteOldQuotes = (reader: Reader) =>
  reader.rows(sql`delete from withdrawals.quotes where made_at < platform.business_now() - interval '1 day'`);
