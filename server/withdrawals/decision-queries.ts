import { json, type Reader, type Sql, sql, type Tx } from '#platform/database.ts';
import { ownTrouble, type Stop, stopNow } from './payout-stop-queries.ts';
import type { OperatorRow, WithdrawalState } from './queries.ts';
import type { SourcePrice } from './rate-queries.ts';

/** The statements of decisions and quotes. The functions that they call change withdrawals and move points. */

/** What stands against an approval, in the order of `withdrawals.obstacle`, which says what each means. */
export type ObstacleStatus =
  | 'disowned'
  | 'suspended'
  | 'in_debt'
  | 'on_hold'
  | 'own_request'
  | 'in_check'
  | 'first_approval'
  | 'second_operator_needed'
  | 'capped';

/** What stands against a rejection, and so against an approval too, as `withdrawals.reject_obstacle` says. */
export type RejectionObstacleStatus = 'own_request' | 'in_check';

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

export type ApprovalFacts = ObstacleFacts & {
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
};

/** What an operator sees of a withdrawal before a decision, besides its row. */
export const readApprovalFacts = (reader: Reader, operatorId: number, id: string, bounds: Bounds) =>
  reader.one<ApprovalFacts>(sql`
    select f.id as "firstApprovedBy", f.email as "firstApproverEmail",
      ${ownTrouble} as trouble, ${stopNow} as stop, o.status as obstacle,
      ${rejectionObstacleOf(operatorId)} as "rejectionObstacle", ${obstacleFacts}
    from withdrawals.withdrawals w cross join ${obstacleOf(operatorId, bounds)}
      left join withdrawals.payouts p on p.withdrawal_id = w.id
      left join members.profiles f on f.id = w.first_approved_by
        and (w.state <> 'pending' or members.is_operator_since(f.id, w.first_approved_at))
    where w.id = ${id}`);

/** A pending withdrawal with what stands against each decision, and how much of the caps of the day is used. */
export type PendingWithdrawal = ObstacleFacts &
  Pick<
    OperatorRow,
    'id' | 'firstName' | 'lastName' | 'method' | 'amountPoints' | 'feePoints' | 'memberId'
  > & {
    obstacle: ObstacleStatus | null;
    rejectionObstacle: RejectionObstacleStatus | null;
    /** Null where there is no cap, and of a member without an approval. */
    memberUsedPoints: bigint | null;
    methodUsedPoints: bigint | null;
    dayEndsAt: Date;
  };

/** More points than any cap lets through: asked with them, `passed_cap` answers how much of the cap is used. */
const BEYOND_CAPS = sql`4611686018427387904`;

const uncapped = { memberDayPoints: null, methodDayPoints: null };

/**
 * Reads all pending withdrawals in one snapshot, oldest first, as an operator could decide them now, apart from the
 * caps of the day. How much of those is used is asked once for each method and each member who had an approval: asked
 * for each request, the method's approvals of the day would be summed as often.
 */
export const readPending = (reader: Reader, operatorId: number, bounds: Bounds) =>
  reader.rows<PendingWithdrawal>(sql`
    with pending as materialized (
      select w.* from withdrawals.withdrawals w where w.state = 'pending'
    ), of_member as materialized (
      select p.member_id, a.used_points
      from (select distinct member_id from pending) p
        cross join lateral (
          select from withdrawals.withdrawals w where w.member_id = p.member_id and w.state = 'approved' limit 1) has
        cross join withdrawals.passed_cap(
          p.member_id, null, ${BEYOND_CAPS}, ${bounds.memberDayPoints}::bigint, null) a
    ), of_method as materialized (
      select p.method, b.used_points
      from (select distinct method from pending) p cross join withdrawals.passed_cap(
        null, p.method, ${BEYOND_CAPS}, null, ${bounds.methodDayPoints}::bigint) b
    )
    select w.id, m.first_name as "firstName", m.last_name as "lastName", w.method, w.member_id as "memberId",
      w.amount_points as "amountPoints", w.fee_points as "feePoints", o.status as obstacle, ${obstacleFacts},
      ${rejectionObstacleOf(operatorId)} as "rejectionObstacle", a.used_points as "memberUsedPoints",
      b.used_points as "methodUsedPoints", upper(today) as "dayEndsAt"
    from platform.site_clock s cross join platform.day_range_in(s.site_timezone, platform.business_now()) today
      cross join pending w cross join ${obstacleOf(operatorId, { ...bounds, ...uncapped })}
      join members.profiles m on m.id = w.member_id
      left join of_member a on a.member_id = w.member_id
      left join of_method b on b.method = w.method
    order by w.queue_number`);

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
