import { type Reader, type Sql, sql } from '#platform/database.ts';
import { type BooksDifference, DIFFERENCES_MAX } from '../ledger/ledger.ts';
import { isUnfinished } from './queries.ts';

/** SQL of the audit of withdrawals. A range of ids is a range of the keys of their movements. */
const PIECE_ROWS = 5_000;
const PIECE_MEMBERS = 5_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

export const firstWithdrawal = FIRST_ID;

export const readWithdrawalsEnd = async (reader: Reader, from: string) => {
  const row = await reader.row<{ end: string }>(sql`
    select id as "end" from withdrawals.withdrawals where id >= ${from}::uuid
    order by id offset ${PIECE_ROWS} limit 1`);
  return row?.end ?? null;
};

/** Whether two times are of one transaction, which lasts less than a minute. */
const isAbout = (one: Sql, other: Sql): Sql =>
  sql`${one} between ${other} - interval '1 minute' and ${other} + interval '1 minute'`;

/**
 * What the audit trail says of a withdrawal `w` with its payout `p`: whether the operator of the row approved it when
 * the payout was queued, rejected it when it was decided, and gave its first approval, which an approval that is taken
 * back ends; whether anybody rejected it; and the payments that operators called others'.
 */
const trailOf: Sql = sql`
  select
    coalesce(bool_or(a.act in ('withdrawal.approve', 'payout.settle') and a.operator_id = w.decided_by
      and ${isAbout(sql`a.at`, sql`p.queued_at`)}), false) as is_approved,
    coalesce(bool_or(a.act = 'withdrawal.reject' and a.operator_id = w.decided_by
      and ${isAbout(sql`a.at`, sql`w.decided_at`)}), false) as is_rejected,
    coalesce(bool_or(a.act = 'withdrawal.reject'), false) as has_rejection,
    coalesce(max(a.id) filter (where a.act = 'withdrawal.approve-first' and a.operator_id = w.first_approved_by
      and ${isAbout(sql`a.at`, sql`w.first_approved_at`)})
      > coalesce(max(a.id) filter (where a.act = 'withdrawal.undo' and w.state = 'pending'), 0), false)
      as is_first_approved,
    coalesce(array_agg(c.reference) filter (where c.reference is not null), '{}') as cleared
  from platform.recorded_acts a
    left join lateral jsonb_array_elements_text(
      case when jsonb_typeof(a.after -> 'cleared') = 'array' then a.after -> 'cleared' end) c (reference) on true
  where a.target = w.id::text`;

/** Whether the trail says that who decided a withdrawal `w` did, and who gave its first approval. */
const isDecidedAsRecorded: Sql = sql`
  (w.first_approved_by is null or a.is_first_approved)
  and (p.withdrawal_id is null or w.decided_by <> w.member_id and a.is_approved
    or w.decided_by is null and platform.did_command_line('withdrawal.approve', 'withdrawal', w.id::text))
  and a.has_rejection = (w.rejection_code is not distinct from 'operator')
  and case w.rejection_code when 'operator' then a.is_rejected
      or w.decided_by is null and platform.did_command_line('withdrawal.reject', 'withdrawal', w.id::text)
    when 'cancelled' then w.decided_by is null else true end`;

/** Withdrawals whose hold, return, payout or amounts are not as their state says, and movements without one. */
export const readWithdrawalDifferences = (reader: Reader, from: string, until: string | null) =>
  reader.rows<BooksDifference>(sql`
    with made as (
      select w.* from withdrawals.withdrawals w
      where w.id >= ${from}::uuid and (${until}::uuid is null or w.id < ${until}::uuid)
    ), held as (
      select h.* from ledger.history h
      where h.key >= ${`withdrawal:${from}`} and h.key < ${until === null ? 'withdrawal;' : `withdrawal:${until}`}
        and h.kind = 'withdrawal'
    ), returned as (
      select h.* from ledger.history h
      where h.key >= ${`withdrawal-return:${from}`} and h.kind = 'withdrawal-return'
        and h.key < ${until === null ? 'withdrawal-return;' : `withdrawal-return:${until}`}
    )
    select 'withdrawals' as "check", coalesce(w.id::text, h.key, r.key) as subject,
      concat_ws(', ', coalesce('held ' || concat_ws(' ', h.member_id, h.amount, h.subject, h.posted_at), 'not held'),
        coalesce('returned ' || concat_ws(' ', r.member_id, r.amount, r.posted_at), 'not returned'),
        coalesce('payout ' || concat_ws(' ', p.state, p.method, p.destination, p.amount_units), 'no payout'))
        as expected,
      coalesce(concat_ws(' ', w.state, w.member_id, w.amount_points, 'fee', w.fee_points, w.method, w.destination,
        w.amount_units, 'at', w.rate, w.created_at), 'no withdrawal') as actual
    from made w
      full join held h on h.key = 'withdrawal:' || w.id
      full join returned r on r.key = 'withdrawal-return:' || w.id
      left join withdrawals.payouts p on p.withdrawal_id = w.id
      cross join lateral (${trailOf}) a
    where ((h.member_id, h.amount, h.subject) = (w.member_id, -w.amount_points, w.method)
      and w.request_digest = hash_record_extended(
        row(w.id, w.member_id, w.method, w.destination, w.amount_points, w.fee_points, w.created_at), 0)
      and w.terms_digest = hash_record_extended(
        row(w.id, w.queue_number, w.real_since, w.hold_until, w.hold_reason), 0)
      and ${isAbout(sql`h.posted_at`, sql`w.created_at`)}
      and case when w.state = 'rejected'
            then (r.member_id, r.amount, r.subject) = (w.member_id, w.amount_points, w.method)
              and ${isAbout(sql`r.posted_at`, sql`w.decided_at`)}
            else r.key is null end
      and ${isDecidedAsRecorded}
      and case w.state when 'pending' then p.withdrawal_id is null
            when 'approved' then p.state <> 'failed'
            else p.withdrawal_id is null or p.state = 'failed' end
      and (p.withdrawal_id is null
        or (p.method, p.destination, p.amount_units) = (w.method, w.destination, w.amount_units)
          and p.queued_at = case w.state when 'approved' then w.decided_at else p.queued_at end
          and (p.state <> 'failed' or ${isAbout(sql`p.finished_at`, sql`w.decided_at`)})
          and (p.state <> 'confirmed' or p.payment_digest = hash_record_extended(row(p.withdrawal_id, p.queue_number,
            p.method, p.destination, p.amount_units, p.reference, p.is_by_record, p.account, p.finished_at), 0))
          and p.cleared_references <@ a.cleared
          and (p.state in ('confirmed', 'failed')) = (p.finished_at is not null)
          and (p.state not in ('broadcast', 'confirmed') or p.broadcast_at is not null))
      -- Rounded down to what the rail can pay, so never more than the points are worth.
      and (w.amount_units is null
        or w.amount_units between
          div((w.amount_points - w.fee_points) * 100000000::numeric, 1000 * w.rate) * 0.99 - 1000000
          and div((w.amount_points - w.fee_points) * 100000000::numeric, 1000 * w.rate))) is not true
    limit ${DIFFERENCES_MAX}`);

/** Timelines whose count and hash are not those of the newest payment counted in them. */
export const readWrongTimelines = (reader: Reader) =>
  reader.rows<BooksDifference>(sql`
    select 'timelines' as "check", 'timeline ' || t.number as subject,
      concat_ws(' ', c.counted, 'payments, the last is number', c.number_max, c.digest) as expected,
      concat_ws(' ', t.payment_count, 'payments', t.digest) as actual
    from withdrawals.timelines t cross join lateral (
      select count(*) as counted, coalesce(max(k.number), 0) as number_max, coalesce((
        select n.digest from withdrawals.counted_payments n
        where n.timeline = t.number order by n.number desc limit 1), '') as digest
      from withdrawals.counted_payments k where k.timeline = t.number) c
    where (t.payment_count, t.payment_count, t.digest) is distinct from (c.counted, c.number_max, c.digest)
    limit ${DIFFERENCES_MAX}`);

export const readRequestersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const row = await reader.row<{ end: number }>(sql`
    select member_id as "end" from withdrawals.member_counts where member_id >= ${from}
    order by member_id offset ${PIECE_MEMBERS} limit 1`);
  return row?.end ?? null;
};

/**
 * Members whose number of withdrawals, or sums of waiting and paid ones, differ from their rows, or whose rows are not
 * numbered without a gap.
 */
export const readCountDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    select 'withdrawal-counts' as "check", coalesce(c.member_id, w.member_id)::text as subject,
      concat_ws(' ', coalesce(w.made, 0), 'withdrawals, the last is number', coalesce(w.number_max, 0), 'waiting',
        w.waiting, 'paid', w.paid, w.paid_points) as expected,
      coalesce(concat_ws(' ', c.withdrawal_count::text, 'waiting', c.waiting_points, 'paid', c.paid_count,
        c.paid_points), 'no count') as actual
    from (
      select * from withdrawals.member_counts
      where member_id >= ${from} and (${until}::integer is null or member_id < ${until})
    ) c full join (
      select n.member_id, count(*) as made, max(n.member_number) as number_max,
        coalesce(sum(n.amount_points) filter (where n.state <> 'rejected' and p.state is distinct from 'confirmed'), 0)
          as waiting,
        count(*) filter (where p.state = 'confirmed') as paid,
        coalesce(sum(n.amount_points) filter (where p.state = 'confirmed'), 0) as paid_points
      from withdrawals.withdrawals n left join withdrawals.payouts p on p.withdrawal_id = n.id
      where n.member_id >= ${from} and (${until}::integer is null or n.member_id < ${until})
      group by n.member_id
    ) w on w.member_id = c.member_id
    where (c.withdrawal_count, c.withdrawal_count, c.waiting_points, c.paid_count, c.paid_points)
      is distinct from (w.made, w.number_max, w.waiting, w.paid, w.paid_points)
    limit ${DIFFERENCES_MAX}`);

export const readWrongTotals = (reader: Reader) =>
  reader.rows<BooksDifference>(sql`
    select 'withdrawal-totals' as "check", 'the totals of withdrawals' as subject,
      concat_ws(' ', 'pending', c.pending, c.pending_points, 'approved', c.approved, 'rejected', c.rejected, 'paid',
        c.paid, c.paid_points) as expected,
      concat_ws(' ', 'pending', t.pending_count, t.pending_points, 'approved', t.approved_count, 'rejected',
        t.rejected_count, 'paid', t.paid_count, t.paid_points) as actual
    from withdrawals.totals t cross join (
      select count(*) filter (where w.state = 'pending') as pending,
        coalesce(sum(w.amount_points) filter (where w.state = 'pending'), 0) as pending_points,
        count(*) filter (where w.state = 'approved') as approved,
        count(*) filter (where w.state = 'rejected') as rejected,
        count(*) filter (where p.state = 'confirmed') as paid,
        coalesce(sum(w.amount_points) filter (where p.state = 'confirmed'), 0) as paid_points
      from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id) c
    where (t.pending_count, t.pending_points, t.approved_count, t.rejected_count, t.paid_count, t.paid_points)
      is distinct from (c.pending, c.pending_points, c.approved, c.rejected, c.paid, c.paid_points)`);

/** Numbers and points of payouts by method and state that differ from the rows, the changes of states included. */
export const readWrongPayoutSums = (reader: Reader) =>
  reader.rows<BooksDifference>(sql`
    select 'payout-sums' as "check",
      concat_ws(' ', coalesce(t.method, c.method), coalesce(t.state, c.state)) as subject,
      concat_ws(' ', coalesce(c.payout_count, 0), 'payouts of', coalesce(c.points, 0), 'points') as expected,
      concat_ws(' ', coalesce(t.payout_count, 0), 'payouts of', coalesce(t.points, 0), 'points') as actual
    from withdrawals.payout_totals t full join (
      select p.method, p.state, count(*) as payout_count, sum(w.amount_points) as points
      from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
      group by p.method, p.state) c on c.method = t.method and c.state = t.state
    where (t.payout_count, t.points) is distinct from (c.payout_count, c.points)
    limit ${DIFFERENCES_MAX}`);

const isRateAhead = sql`
  greatest(fetched_at, priced_at, waiting_priced_at) > platform.business_now() + interval '10 minutes'`;
const isFormerRateAhead = sql`believed_at > platform.business_now() + interval '10 minutes'`;
const isPayoutAhead = sql`
  ${isUnfinished}
  and greatest(due_at, not_before) > platform.business_now() + interval '65 minutes'`;

/**
 * Unfinished payouts whose next step lies further ahead than any wait, and rates dated in the future, which would count
 * as fresh or bound the next ones: a clock was wrong when they were written.
 */
export const readWrongDueTimes = (reader: Reader) =>
  reader.rows<BooksDifference>(sql`
    select 'payout-due-times' as "check", withdrawal_id::text as subject,
      'at most 65 minutes after ' || platform.business_now() as expected, greatest(due_at, not_before)::text as actual
    from withdrawals.payouts where ${isPayoutAhead}
    union all
    select 'rate-times', currency, 'at most 10 minutes after ' || platform.business_now(),
      greatest(fetched_at, priced_at, waiting_priced_at)::text
    from withdrawals.rates where ${isRateAhead}
    union all
    select 'rate-times', 'former rates of ' || currency, 'at most 10 minutes after ' || platform.business_now(),
      max(believed_at)::text
    from withdrawals.rate_history where ${isFormerRateAhead} group by currency
    limit ${DIFFERENCES_MAX}`);

/**
 * Makes payouts due that a wrong clock put far ahead, and forgets rates dated in the future, also former ones. A jump
 * that an operator confirmed meanwhile waits again. Returns their number.
 */
export const repairDueTimes = async (reader: Reader): Promise<number> => {
  const rates = await reader.rows(sql`
    update withdrawals.rates
    set fetched_at = null, usd = null, sources = null, priced_at = null,
      waiting_usd = null, waiting_sources = null, waiting_priced_at = null
    where ${isRateAhead} returning currency`);
  const former = await reader.rows(
    sql`delete from withdrawals.rate_history where ${isFormerRateAhead} returning id`,
  );
  const payouts = await reader.rows(sql`
    update withdrawals.payouts
    set due_at = platform.business_now(), not_before = least(not_before, platform.business_now())
    where ${isPayoutAhead} returning withdrawal_id`);
  return rates.length + former.length + payouts.length;
};

/** The real time so many days ago, less a day for clocks that differ. */
export const readListedSince = async (reader: Reader, days: number): Promise<Date> => {
  const { since } = await reader.one<{ since: Date }>(
    sql`select clock_timestamp() - ${days + 1} * interval '1 day' as since`,
  );
  return since;
};

export type ConfirmedPayout = {
  withdrawalId: string;
  reference: string;
  /** Null for a payment that only the record of sent payments knows. */
  artifact: string | null;
  destination: string;
  amountUnits: bigint;
  account: string | null;
  /** Whether it was settled by the record of sent payments. */
  isByRecord: boolean;
  /** Whether an operator’s act settled it by this payment. */
  isSettledByAct: boolean;
};

/** The payouts of a method that were queued in the last days and are confirmed, the oldest first. */
export const readConfirmedSince = (reader: Reader, method: string, days: number) =>
  reader.rows<ConfirmedPayout>(sql`
    select withdrawal_id as "withdrawalId", reference, artifact, destination, amount_units as "amountUnits", account,
      is_by_record as "isByRecord",
      is_by_record and platform.was_left_as('payout.settle', 'withdrawal', withdrawal_id::text,
        jsonb_build_object('state', 'confirmed', 'reference', reference)) as "isSettledByAct"
    from withdrawals.payouts
    where method = ${method} and state = 'confirmed' and reference is not null
      and queued_at > platform.business_now() - ${days} * interval '1 day'
    order by queued_at`);

/** The withdrawal that a listed payment is of, as far as its row tells, or that has its destination. */
export type PaymentOwner = {
  reference: string;
  destination: string;
  withdrawalId: string;
  kind: 'payment' | 'former payment' | 'destination';
  isFailed: boolean;
};

/**
 * Finds the withdrawal of each payment that went to a destination at which a member asked to be paid: the one whose
 * payment it is or was, else one of which an operator said that it is another's, else the newest to the destination.
 */
export const readPaymentOwners = (
  reader: Reader,
  method: string,
  payments: readonly { reference: string; destination: string; withdrawalId: string | null }[],
) =>
  reader.rows<PaymentOwner>(sql`
    select given.reference, given.destination, owner.id::text as "withdrawalId", owner.kind,
      owner.is_failed as "isFailed"
    from unnest(${payments.map(({ reference }) => reference)}::text[],
        ${payments.map(({ destination }) => destination)}::text[],
        ${payments.map(({ withdrawalId }) => withdrawalId)}::uuid[]) as given (reference, destination, noted)
      cross join lateral (
        select w.id, p.state is not distinct from 'failed' as is_failed,
          case when p.reference = given.reference then 'payment'
            when exists (
              select from withdrawals.former_payments f
              where f.method = w.method and f.reference = given.reference and f.withdrawal_id = w.id)
            then 'former payment' else 'destination' end as kind
        from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id
        where w.method = ${method} and (w.destination = given.destination or w.id = given.noted)
        order by case when w.id = given.noted then 0 when p.reference = given.reference then 1
            when exists (
              select from withdrawals.former_payments f
              where f.method = w.method and f.reference = given.reference and f.withdrawal_id = w.id) then 2
            when given.reference = any (p.cleared_references) then 3 else 4 end, w.queue_number desc
        limit 1) owner`);

/** The payments without a payout of which an operator took note. */
export const readNotedPayments = (reader: Reader, method: string, references: readonly string[]) =>
  reader.rows<{ reference: string; destination: string }>(sql`
    select reference, destination from withdrawals.unaccounted_payments
    where method = ${method} and reference = any(${references}::text[]) and seen_at is not null`);
