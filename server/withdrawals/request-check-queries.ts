import { sentence } from '#contract/operator-sentences.ts';
import { json, type Reader, sql, type Tx } from '#platform/database.ts';
import { holdsLease, type LeaseToken } from '#platform/leases.ts';
import { isAccounted } from './accounted-queries.ts';
import { factsOf, type ListedFacts, type Possible } from './payout-queries.ts';
import type { ComparedPayout, ListedPayment } from './rails/rail.ts';
import { listedSinceRequest, readPendingReconciliations } from './reconciliation-queries.ts';

/** The queries of pending requests that may be paid already. */

/** Reads the pending requests of a method. `listedSince` is the real time from which a payment may be listed. */
export const readPendingRequests = (reader: Reader, method: string) =>
  reader.rows<ComparedPayout & { listedSince: Date }>(sql`
    select w.id as "withdrawalId", w.destination,
      withdrawals.others_of(w.id, coalesce(k.cleared_references, '{}')) as "clearedReferences",
      ${listedSinceRequest} as "listedSince"
    from withdrawals.withdrawals w cross join platform.site_clock c
      left join withdrawals.request_checks k on k.withdrawal_id = w.id
    where w.state = 'pending' and w.method = ${method} order by w.queue_number`);

/**
 * Reads the payments to recipients of a method's pending requests that were found before and that no payout accounts
 * for. The account that made them may not be the one that is listed now.
 */
export const readFoundPayments = (reader: Reader, method: string) =>
  reader.rows<ListedPayment>(sql`
    select u.reference, u.destination, u.amount_units as "amountUnits", u.paid_at as at, null as "withdrawalId"
    from withdrawals.unaccounted_payments u
    where u.method = ${method} and not ${isAccounted(sql`u.method`, sql`u.reference`, sql`u.destination`)}
      and exists (
        select from withdrawals.withdrawals w
        where w.state = 'pending' and w.method = u.method and w.destination = u.destination)
    order by u.paid_at desc, u.reference`);

export type RequestCheck = {
  withdrawalId: string;
  method: string;
  possibleReferences: string[];
  clearedReferences: string[];
  possiblePayments: ListedFacts[];
  reason: string;
};

const columns = sql`
  withdrawal_id as "withdrawalId", method, possible_references as "possibleReferences",
  withdrawals.others_of(withdrawal_id, cleared_references) as "clearedReferences",
  possible_payments as "possiblePayments", reason`;

/** Reads the pending requests that may be paid already, the oldest first. */
export const readOpenChecks = (reader: Reader) =>
  reader.rows<RequestCheck>(sql`select ${columns} from withdrawals.open_checks order by queue_number`);

/** Finds what may have paid a pending request. */
export const findOpenCheck = (reader: Reader, id: string) =>
  reader.row<RequestCheck>(sql`select ${columns} from withdrawals.open_checks where withdrawal_id = ${id}`);

/** Finds why a pending request may be paid already: the first of `withdrawals.checks_of`. */
const findCheck = (reader: Reader, id: string) =>
  reader.row<{ isAwaited: boolean; reason: string; trouble: string | null }>(sql`
    select k.is_awaited as "isAwaited", k.reason, k.trouble
    from withdrawals.withdrawals w cross join withdrawals.checks_of(w.id, w.method) k
    where w.id = ${id} and w.state = 'pending' order by k.is_awaited limit 1`);

/** Finds what may have paid the points of a pending request: the first of `withdrawals.points_paid_by`. */
const findPointsPaid = (reader: Reader, id: string) =>
  reader.row<{ reference: string; points: bigint } | { reference: null; points: null }>(sql`
    select k.reference, k.points
    from withdrawals.withdrawals w cross join withdrawals.points_paid_by(w.id) k
    where w.id = ${id} and w.state = 'pending' order by k.paid_at desc nulls last, k.reference limit 1`);

/**
 * Why a pending request can't be approved now: what may have paid it, a reconciliation that is not done, or a payment
 * that may have paid its points.
 */
export const findCheckReason = async (reader: Reader, id: string): Promise<string | null> => {
  const check = await findCheck(reader, id);
  if (check !== undefined) {
    const { isAwaited, reason, trouble } = check;
    return isAwaited ? [reason, sentence('must-compare'), trouble ?? ''].join(' ').trim() : reason;
  }
  const paid = await findPointsPaid(reader, id);
  if (paid === undefined) return null;
  if (paid.reference === null) {
    const methods = (await readPendingReconciliations(reader)).map(({ method }) => method);
    return methods.length > 0
      ? sentence('other-methods-wait', { methodList: methods.join(', ') })
      : sentence('points-possibly-paid');
  }
  return sentence('member-possibly-paid', { reference: paid.reference, paidPoints: paid.points });
};

/** Notes the payments that may have paid a request, beside those that were noted before. */
export const noteCheck = (tx: Tx, id: string, { payments, references, reason }: Possible) =>
  tx.rows(sql`
    insert into withdrawals.request_checks as c (
      withdrawal_id, possible_references, possible_payments, reason, found_at)
    values (${id}, ${references}::text[], ${json(factsOf(payments))}::jsonb, ${reason}, platform.business_now())
    on conflict (withdrawal_id) do update
      set possible_references = excluded.possible_references || array(
            select former from unnest(c.possible_references) former where former <> all (excluded.possible_references)),
          possible_payments = excluded.possible_payments || coalesce((
            select jsonb_agg(former) from jsonb_array_elements(c.possible_payments) former
            where former ->> 'reference' <> all (excluded.possible_references)), '[]'),
          reason = excluded.reason, found_at = excluded.found_at`);

/** Takes the payments for which a payout accounts by now out of the checks of a method's requests. */
export const endAccountedChecks = (tx: Tx, method: string) =>
  tx.rows(sql`
    update withdrawals.request_checks c
    set possible_references = array(
      select possible from unnest(c.possible_references) possible
      where not ${isAccounted(sql`w.method`, sql`possible`, sql`w.destination`)})
    from withdrawals.withdrawals w
    where w.id = c.withdrawal_id and w.method = ${method} and cardinality(c.possible_references) > 0`);

/** How far a stored rate may be from the time of a payment that is judged by it. */
const RATE_AGE_MAX = sql`interval '1 day'`;

/**
 * Finds the rate of a currency at the time of a payment: the nearest one within a day that was believed, or that an
 * approval of the method fixed. Of an approval by a payment that was made already the rate says nothing.
 */
export const findRateAt = async (
  reader: Reader,
  method: string,
  currency: string,
  paidAt: Date,
): Promise<string | undefined> => {
  const row = await reader.row<{ usd: string }>(sql`
    with paid as (
      select ${paidAt}::timestamptz + c.offset_seconds * interval '1 second' as at from platform.site_clock c)
    select known.usd::text as usd
    from paid cross join lateral (
      select h.usd, h.believed_at as at from withdrawals.rate_history h where h.currency = ${currency}
      union all
      select w.rate, w.decided_at
      from withdrawals.withdrawals w join withdrawals.payouts p on p.withdrawal_id = w.id
      where w.method = ${method} and w.state = 'approved' and not p.is_found
        and w.decided_at between paid.at - ${RATE_AGE_MAX} and paid.at + ${RATE_AGE_MAX}) known
    where known.at between paid.at - ${RATE_AGE_MAX} and paid.at + ${RATE_AGE_MAX}
    order by greatest(known.at - paid.at, paid.at - known.at) limit 1`);
  return row?.usd;
};

/** Notes that these payments are others, as an operator says, so that the request can be decided. */
export const clearCheck = (reader: Reader, lease: LeaseToken, id: string, references: readonly string[]) =>
  reader.row(sql`
    update withdrawals.request_checks c
    set possible_references = '{}', cleared_references = c.cleared_references || ${references}::text[]
    from withdrawals.withdrawals w
    where c.withdrawal_id = ${id} and w.id = c.withdrawal_id and w.state = 'pending' and ${holdsLease(lease)}
    returning c.withdrawal_id`);

/** Approves a pending request that was paid already, with the amount that was paid. */
export const approvePaid = async (
  tx: Tx,
  id: string,
  operatorId: number,
  amountUnits: bigint,
): Promise<boolean> => {
  const { isApproved } = await tx.one<{ isApproved: boolean }>(sql`
    select withdrawals.approve_paid(${id}, ${operatorId}, ${amountUnits}) as "isApproved"`);
  return isApproved;
};
