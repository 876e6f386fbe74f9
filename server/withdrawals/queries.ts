import { json, type Reader, sql, type Tx } from '#platform/database.ts';
import { holdsLease, type LeaseToken } from '#platform/leases.ts';
import { isPaused, isTroubled, undoUntil } from './payout-stop-queries.ts';
import type { Payment } from './rails/rail.ts';

/**
 * The queries of withdrawals, one function per statement. `functions.sql` has the functions that move points, and
 * `functions-approvals.sql` those of approvals.
 */

export type WithdrawalState = 'pending' | 'approved' | 'rejected';
export type PayoutState = 'queued' | 'signed' | 'broadcast' | 'confirmed' | 'parked' | 'failed';

export type Requested = {
  status:
    | 'requested'
    | 'exists'
    | 'exists_different'
    | 'limit_reached'
    | 'insufficient'
    | 'closed'
    | 'unknown_member'
    | 'account-suspended'
    | 'withdrawals-suspended';
  id: string | null;
  state: WithdrawalState | null;
  createdAt: Date | null;
  decidedAt: Date | null;
  balance: bigint | null;
  /** Until when the payment waits; null if it does not. */
  holdUntil: Date | null;
};

export const insertWithdrawal = (
  tx: Tx,
  request: {
    memberId: number;
    requestKey: string | null;
    method: string;
    destination: string;
    amountPoints: bigint;
    feePoints: bigint;
    dayLimit: number;
  },
) =>
  tx.one<Requested>(sql`
    select status, id, state, created_at as "createdAt", decided_at as "decidedAt", balance,
      hold_until as "holdUntil"
    from withdrawals.request(${request.memberId}, ${request.requestKey}, ${request.method},
      ${request.destination}, ${request.amountPoints}, ${request.feePoints}, ${request.dayLimit})`);

/** Reads the whole seconds from a moment to the start of the next site day. */
export const readSecondsToNextDay = (reader: Reader, moment: Date) =>
  reader.one<{ seconds: number }>(sql`
    select ceil(extract(epoch from
      upper(platform.day_range_in(c.site_timezone, at)) - at))::integer as seconds
    from platform.site_clock c, (select ${moment}::timestamptz as at) m`);

export const readHasUndecided = (tx: Tx, memberId: number) =>
  tx.one<{ hasUndecided: boolean }>(sql`
    select exists (
      select from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id
      where w.member_id = ${memberId}
        and (w.state = 'pending' or w.state = 'approved' and p.state is distinct from 'confirmed')) as "hasUndecided"`);

/** A payment's name, from the time it was sent on. */
export const shownReference = sql`
  case when p.broadcast_at is not null and p.state <> 'failed' then p.reference end as reference`;

export type News = {
  memberId: number;
  status: WithdrawalState;
  payoutState: PayoutState | 'none';
  reference: string | null;
};

export const findNews = (reader: Reader, id: string) =>
  reader.one<News>(sql`
    select w.member_id as "memberId", w.state as status, coalesce(p.state, 'none') as "payoutState", ${shownReference}
    from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id where w.id = ${id}`);

/** Finds the request that a member made with a key. */
export const findKeyed = (reader: Reader, memberId: number, requestKey: string) =>
  reader.row<{
    id: string;
    method: string;
    destination: string;
    amountPoints: bigint;
    state: WithdrawalState;
    createdAt: Date;
    decidedAt: Date | null;
  }>(sql`
    select id, method, destination, amount_points as "amountPoints", state, created_at as "createdAt",
      decided_at as "decidedAt"
    from withdrawals.withdrawals where member_id = ${memberId} and request_key = ${requestKey}`);

export type Totals = {
  pendingCount: bigint;
  pendingPoints: string;
  approvedCount: bigint;
  rejectedCount: bigint;
};

export const readTotals = (reader: Reader) =>
  reader.one<Totals>(sql`
    select pending_count as "pendingCount", pending_points as "pendingPoints", approved_count as "approvedCount",
      rejected_count as "rejectedCount"
    from withdrawals.totals`);

export type OperatorRow = {
  id: string;
  memberId: number;
  firstName: string;
  lastName: string | null;
  email: string;
  method: string;
  state: WithdrawalState;
  amountPoints: bigint;
  feePoints: bigint;
  destination: string;
  amountUnits: bigint | null;
  rate: string | null;
  payoutState: PayoutState | null;
  reference: string | null;
  reason: string | null;
  createdAt: Date;
  decidedAt: Date | null;
  undoUntil: Date | null;
  possibleReferences: string[];
  payoutObstacle: 'troubled' | 'paused' | null;
};

/** Whether an operator paused all payouts. */
export const readPaused = async (reader: Reader): Promise<boolean> =>
  (await reader.one<{ arePaused: boolean }>(sql`select platform.are_payouts_paused() as "arePaused"`))
    .arePaused;

export const operatorColumns = sql`
  w.id, w.member_id as "memberId", m.first_name as "firstName", m.last_name as "lastName", m.email, w.method, w.state,
  w.amount_points as "amountPoints", w.fee_points as "feePoints", w.destination, w.amount_units as "amountUnits",
  w.rate, p.state as "payoutState", p.reference, w.reason, w.created_at as "createdAt", w.decided_at as "decidedAt",
  ${undoUntil} as "undoUntil", coalesce(c.possible_references, '{}') as "possibleReferences",
  case when ${isTroubled} then 'troubled' when ${isPaused} then 'paused' end as "payoutObstacle"`;
export const operatorJoins = sql`
  join members.profiles m on m.id = w.member_id
  left join withdrawals.payouts p on p.withdrawal_id = w.id
  left join withdrawals.open_checks c on c.withdrawal_id = w.id`;

export const findWithdrawal = (reader: Reader, id: string) =>
  reader.row<OperatorRow>(sql`
    select ${operatorColumns} from withdrawals.withdrawals w ${operatorJoins} where w.id = ${id}`);

export type Payout = {
  withdrawalId: string;
  method: string;
  destination: string;
  amountUnits: bigint;
  state: PayoutState;
  reference: string | null;
  artifact: string | null;
  trouble: string | null;
  clearedReferences: string[];
  /** Whether the payment was found at the outside party, not prepared here. */
  isFound: boolean;
  /** The account that made its payment, or else the one that it had before; null if none did. */
  account: string | null;
  possibleReferences: string[];
  /** The operator who gave it up, or took its approval back, for which the reason is null. */
  haltedBy: number | null;
  haltReason: string | null;
};

/** A payment that the payout had before is never another's, whatever an operator said. */
export const clearedReferences = sql`withdrawals.others_of(withdrawal_id, cleared_references)`;

export const payoutColumns = sql`
  withdrawal_id as "withdrawalId", method, destination, amount_units as "amountUnits", state, reference, artifact,
  trouble, ${clearedReferences} as "clearedReferences", is_found as "isFound", account,
  possible_references as "possibleReferences", halted_by as "haltedBy", halt_reason as "haltReason"`;
/** The index `payouts_unfinished`, `functions-payouts.sql` and `functions-retention.sql` have the same condition. */
export const isUnfinished = sql`state in ('queued', 'signed', 'broadcast', 'parked')`;

/** Reads the methods with due payouts or a reconciliation that is not done. */
export const readDueMethods = (reader: Reader) =>
  reader.rows<{ method: string }>(sql`
    select method from withdrawals.payouts
    where ${isUnfinished} and due_at <= platform.business_now()
    union select method from withdrawals.reconciliations where done_at is null`);

/** Reads due payouts, oldest first. */
export const readDuePayouts = (reader: Reader, method: string, limit: number) =>
  reader.rows<Payout>(sql`
    select ${payoutColumns} from withdrawals.payouts
    where method = ${method} and ${isUnfinished} and due_at <= platform.business_now()
      and not_before <= platform.business_now()
    order by due_at, queued_at, withdrawal_id limit ${limit}`);

export const findPayout = (reader: Reader, id: string) =>
  reader.row<Payout>(sql`select ${payoutColumns} from withdrawals.payouts where withdrawal_id = ${id}`);

/** Reads the artifacts of stored payments that are not final. The outside party may not know one that is not sent. */
export const readUnfinishedArtifacts = (reader: Reader, method: string) =>
  reader.rows<{ withdrawalId: string; artifact: string; isSent: boolean }>(sql`
    select withdrawal_id as "withdrawalId", artifact, state = 'broadcast' as "isSent" from withdrawals.payouts
    where method = ${method} and state in ('signed', 'broadcast', 'parked') and artifact is not null`);

/**
 * Counts unfinished payouts by method and state, with the age of the oldest. Finished ones are not read. Of a method
 * with more than 10,000, those that are due first are read.
 */
export const readPayoutCounts = (reader: Reader) =>
  reader.rows<{ method: string; state: PayoutState; count: bigint; oldestS: number }>(sql`
    select m.method, u.state, count(*) as count,
      extract(epoch from platform.business_now() - min(u.queued_at))::double precision as "oldestS"
    from withdrawals.methods m cross join lateral (
      select state, queued_at from withdrawals.payouts p
      where p.method = m.method and ${isUnfinished} order by p.due_at limit 10000) u
    group by m.method, u.state`);

/** Reads the methods with unfinished payouts. */
export const readPayingMethods = (reader: Reader) =>
  reader.rows<{ method: string }>(sql`
    select m.method from withdrawals.methods m
    where exists (select from withdrawals.payouts p where p.method = m.method and ${isUnfinished})`);

/** The age in seconds of the oldest withdrawal that waits for a decision. */
export const readOldestPending = (reader: Reader) =>
  reader.row<{ ageS: number }>(sql`
    select extract(epoch from platform.business_now() - created_at)::double precision as "ageS"
    from withdrawals.withdrawals where state = 'pending' order by queue_number limit 1`);

// The writes of a payout's steps are conditional on the lease of its method.

/** Stores the payment of a queued payout and counts it in the timeline, unless `store_payment` says why not. */
export const storePayment = (
  reader: Reader,
  { name, token }: LeaseToken,
  { withdrawalId, amountUnits }: Pick<Payout, 'withdrawalId' | 'amountUnits'>,
  { reference, artifact }: Payment,
) =>
  reader.row<Payout>(sql`
    select ${payoutColumns}
    from withdrawals.store_payment(${withdrawalId}, ${name}, ${token}, ${amountUnits}, ${reference}, ${artifact})`);

/**
 * Reads whose request a payout pays and since when that member is one, its points with the fee, and the time now as far
 * as the clock is believed.
 */
export const readPaidRequest = (reader: Reader, id: string) =>
  reader.one<{
    memberId: number;
    memberSince: Date;
    points: bigint;
    amountUnits: bigint | null;
    believedNow: Date;
  }>(sql`
    select m.id as "memberId", m.created_at as "memberSince", w.amount_points as points,
      w.amount_units as "amountUnits", platform.believed_now() as "believedNow"
    from withdrawals.withdrawals w join members.profiles m on m.id = w.member_id
    where w.id = ${id}`);

export const markBroadcast = (reader: Reader, lease: LeaseToken, id: string) =>
  reader.row<Payout>(sql`
    update withdrawals.payouts
    set state = 'broadcast', broadcast_at = coalesce(broadcast_at, platform.business_now()), attempt_count = 0,
      trouble = null, possible_references = '{}', due_at = platform.business_now()
    where withdrawal_id = ${id} and state in ('signed', 'parked') and ${holdsLease(lease)}
    returning ${payoutColumns}`);

export const park = (reader: Reader, lease: LeaseToken, id: string, reason: string) =>
  reader.row(sql`
    update withdrawals.payouts
    set state = 'parked', trouble = ${reason}, attempt_count = 0,
      due_at = platform.business_now() + interval '1 second'
    where withdrawal_id = ${id} and state in ('signed', 'broadcast') and ${holdsLease(lease)}
    returning withdrawal_id as "withdrawalId"`);

/** Delays the next attempt. The delay doubles with each attempt, from one second to `longestS`. */
export const postpone = (
  reader: Reader,
  lease: LeaseToken,
  id: string,
  trouble: string | null,
  longestS: number,
) =>
  reader.rows(sql`
    update withdrawals.payouts
    set trouble = ${trouble}, attempt_count = attempt_count + 1,
      due_at = platform.business_now() + least(${longestS}::integer, 2 ^ least(attempt_count, 20)) * interval '1 second'
    where withdrawal_id = ${id} and ${isUnfinished} and ${holdsLease(lease)}`);

/** Notes what is wrong with an unfinished payout, and leaves the time of its next step as it is. */
export const noteTrouble = (reader: Reader, lease: LeaseToken, id: string, trouble: string) =>
  reader.rows(sql`
    update withdrawals.payouts set trouble = ${trouble}
    where withdrawal_id = ${id} and ${isUnfinished} and ${holdsLease(lease)}`);

/** Makes a payout due now. One that was never tried keeps its time, because its approval may still be taken back. */
export const makeDue = (reader: Reader, id: string) =>
  reader.rows(sql`
    update withdrawals.payouts set due_at = platform.business_now()
    where withdrawal_id = ${id} and ${isUnfinished}
      and (state <> 'queued' or attempt_count > 0 or trouble is not null)`);

export const failPayout = (tx: Tx, id: string, seenState: PayoutState, reason: string) =>
  tx.one<{ status: 'failed' | 'changed'; memberId: number | null; balance: bigint | null }>(
    sql`select status, member_id as "memberId", balance
      from withdrawals.fail_payout(${id}, ${seenState}, ${reason})`,
  );

/** Returns the member if this call confirmed the payout, else null. */
export const confirmPayout = (tx: Tx, id: string) =>
  tx.one<{ memberId: number | null }>(sql`select withdrawals.confirm_payout(${id}) as "memberId"`);

export type MethodRow = {
  method: string;
  isEnabled: boolean;
  minimumPoints: bigint;
  maximumPoints: bigint;
  feePoints: bigint;
  sealedCredentials: string | null;
  settings: unknown;
};

export const methodColumns = sql`
  method, is_enabled as "isEnabled", minimum_points as "minimumPoints", maximum_points as "maximumPoints",
  fee_points as "feePoints", sealed_credentials as "sealedCredentials", settings`;

/** Reads the methods that an operator has changed at least once. */
export const readMethodRows = (reader: Reader) =>
  reader.rows<MethodRow>(sql`select ${methodColumns} from withdrawals.methods`);

/** The limits and the fee of an enabled method, in points. A maximum of 0 means no maximum. */
export type MethodLimits = {
  method: string;
  floorPoints: bigint;
  maximumPoints: bigint;
  feePoints: bigint;
};

export const readMethodLimits = (reader: Reader) =>
  reader.rows<MethodLimits>(sql`
    select method, floor_points as "floorPoints", maximum_points as "maximumPoints", fee_points as "feePoints"
    from withdrawals.methods where is_enabled`);

export const findMethodRow = (reader: Reader, method: string) =>
  reader.row<MethodRow>(sql`select ${methodColumns} from withdrawals.methods where method = ${method}`);

/** Locks a method's row. Inserts it first if there is none. */
export const lockMethod = async (tx: Tx, method: string) => {
  await tx.rows(sql`insert into withdrawals.methods (method) values (${method}) on conflict do nothing`);
  return tx.one<MethodRow>(
    sql`select ${methodColumns} from withdrawals.methods where method = ${method} for no key update`,
  );
};

/** All sealed credentials of payment methods. */
export const readSealedCredentials = (reader: Reader) =>
  reader.rows<{ method: string; sealed: string }>(sql`
    select method, sealed_credentials as sealed from withdrawals.methods
    where sealed_credentials is not null order by method`);

/** Replaces sealed credentials if they are still stored. */
export const replaceSealedCredentials = (reader: Reader, method: string, sealed: string, next: string) =>
  reader.rows(sql`
    update withdrawals.methods set sealed_credentials = ${next}
    where method = ${method} and sealed_credentials = ${sealed}`);

/** Returns the resulting minimum of a withdrawal. */
export const updateMethod = (tx: Tx, row: MethodRow) =>
  tx.one<{ floorPoints: bigint }>(sql`
    update withdrawals.methods
    set is_enabled = ${row.isEnabled}, minimum_points = ${row.minimumPoints}, maximum_points = ${row.maximumPoints},
      fee_points = ${row.feePoints}, sealed_credentials = ${row.sealedCredentials},
      settings = ${json(row.settings)}::jsonb
    where method = ${row.method}
    returning floor_points as "floorPoints"`);
