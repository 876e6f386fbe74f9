import { json, type Reader, type Sql, sql, type Tx } from '#platform/database.ts';
import type { ListedPayment, Payment } from './rails/rail.ts';
import {
  isApprovedInCopy,
  type Reconciliation,
  readPendingReconciliations,
} from './reconciliation-queries.ts';
import type { SentPayment } from './sent-payments.ts';

/**
 * The queries of which payments payouts account for: the one that each has, and those that it had before. And of those
 * that were found after a restore and that none accounts for.
 */

export type Accounted = {
  reference: string;
  destination: string;
  /** Null for a former payment: any. */
  amountUnits: bigint | null;
  isEnded: boolean;
  withdrawalId: string;
};

/**
 * Reads the payments that payouts account for, of the given references. One that is ended was not made as far as the
 * payout says: it failed, or it has another payment.
 */
export const readAccounted = (reader: Reader, method: string, references: readonly string[]) =>
  reader.rows<Accounted>(sql`
    select reference, destination, amount_units as "amountUnits", state = 'failed' as "isEnded",
      withdrawal_id as "withdrawalId"
    from withdrawals.payouts
    where method = ${method} and reference = any(${references}::text[])
    union all
    select f.reference, p.destination, null, p.state = 'failed' or p.reference is distinct from f.reference,
      f.withdrawal_id
    from withdrawals.former_payments f
      join withdrawals.payouts p on p.withdrawal_id = f.withdrawal_id
    where f.method = ${method} and f.reference = any(${references}::text[])`);

/**
 * Whether a payout accounts for a payment to a destination that was found. One that failed, or that has another payment
 * by now, does not: the payment was made after all.
 */
export const isAccounted = (method: Sql, reference: Sql, destination: Sql): Sql => sql`exists (
  select from withdrawals.payouts p
  where p.method = ${method} and p.reference = ${reference} and p.destination = ${destination}
    and p.state <> 'failed')`;

/** Finds the other withdrawal whose payout has a payment to a destination. */
export const findOwnerOf = (
  reader: Reader,
  { method, destination, withdrawalId }: { method: string; destination: string; withdrawalId: string },
  reference: string,
) =>
  reader.row<{ withdrawalId: string; isFailed: boolean }>(sql`
    select withdrawal_id as "withdrawalId", state = 'failed' as "isFailed" from withdrawals.payouts
    where method = ${method} and reference = ${reference} and destination = ${destination}
      and withdrawal_id <> ${withdrawalId}`);

/** Finds the withdrawal that a payment paid by the record of sent payments, unless an operator took note of it. */
export const findRecordedOwner = (
  reader: Reader,
  { method, destination, withdrawalId }: { method: string; destination: string; withdrawalId: string },
  reference: string,
) =>
  reader.row<{ withdrawalId: string }>(sql`
    select u.withdrawal_id as "withdrawalId" from withdrawals.unaccounted_payments u
    where u.method = ${method} and u.reference = ${reference} and u.destination = ${destination}
      and u.seen_at is null and u.withdrawal_id <> ${withdrawalId}`);

/**
 * Finds one of these payments that paid this withdrawal by the record of sent payments, unless it was noted. The
 * withdrawal's former payments are judged by themselves.
 */
export const findRecordedPayment = (reader: Reader, withdrawalId: string, references: readonly string[]) =>
  reader.row<{ reference: string }>(sql`
    select u.reference from withdrawals.unaccounted_payments u
    where u.withdrawal_id = ${withdrawalId}::uuid and u.reference = any (${references}::text[])
      and u.seen_at is null and not exists (
        select from withdrawals.former_payments f
        where f.withdrawal_id = u.withdrawal_id and f.reference = u.reference)
    order by u.reference limit 1`);

/** Whether a withdrawal of this id holds its points, and no payment of it is stored or known. */
const isUnpaid = (id: Sql): Sql => sql`exists (
  select from withdrawals.withdrawals held left join withdrawals.payouts p on p.withdrawal_id = held.id
  where held.id = ${id} and (held.state = 'pending'
    or held.state = 'approved' and p.state in ('queued', 'parked') and p.reference is null))`;

export type RecordedPayment = ListedPayment & {
  withdrawalId: string;
  memberId: number;
  points: bigint;
  /** Whether the withdrawal is not paid and holds its points. */
  isHeld: boolean;
  /** Whether it is a pending request, and the payments that an operator has called others'. */
  isPending: boolean;
  clearedReferences: string[];
};

/**
 * Reads the payments of the record that this database does not know, and whose member it has. The amount is 0 where the
 * record does not say.
 */
export const readRecordedOnly = (reader: Reader, payments: readonly SentPayment[]) =>
  reader.rows<RecordedPayment>(sql`
    select sent.reference, sent.destination, coalesce(sent."amountUnits", 0) as "amountUnits", sent.at,
      sent."withdrawalId", sent."memberId", sent.points, ${isUnpaid(sql`sent."withdrawalId"`)} as "isHeld",
      coalesce(w.state = 'pending', false) as "isPending",
      coalesce(k.cleared_references, '{}') as "clearedReferences"
    from jsonb_to_recordset(${json(payments)}::jsonb) as sent (
        method text, reference text, destination text, "withdrawalId" uuid, "memberId" integer,
        "memberSince" timestamptz, "at" timestamptz, points bigint, "amountUnits" bigint)
      join members.profiles m on m.id = sent."memberId"
        and (m.created_at = sent."memberSince" or sent."memberSince" is null and m.created_at <= sent.at)
      left join withdrawals.withdrawals w on w.id = sent."withdrawalId"
      left join withdrawals.request_checks k on k.withdrawal_id = w.id
    where not exists (
        select from withdrawals.payouts p
        where (p.method, p.reference, p.destination) = (sent.method, sent.reference, sent.destination))
      and not exists (
        select from withdrawals.former_payments f
        where (f.method, f.reference, f.withdrawal_id) = (sent.method, sent.reference, sent."withdrawalId"))
      and not exists (
        select from withdrawals.unaccounted_payments u
        where (u.method, u.reference, u.destination) = (sent.method, sent.reference, sent.destination)
          and u.seen_at is not null)
    order by sent.at`);

/** Reads the payments of these references that a payout had before, and that neither it nor another has now. */
export const readFormerPayments = (
  reader: Reader,
  { method, destination, withdrawalId }: { method: string; destination: string; withdrawalId: string },
  references: readonly string[],
) =>
  reader.rows<Payment>(sql`
    select f.reference, f.artifact from withdrawals.former_payments f
    where f.method = ${method} and f.withdrawal_id = ${withdrawalId} and f.reference = any (${references}::text[])
      and not exists (
        select from withdrawals.payouts p
        where p.method = f.method and p.reference = f.reference and p.destination = ${destination})
    order by f.ended_at desc, f.reference`);

/**
 * Whose a payment is, as the record of the node that sent it says. All null while no node knows, the member alone if
 * this database does not have that person.
 */
type PaymentOwner = {
  withdrawalId: string | null;
  memberId: number | null;
  points: bigint | null;
};

export type UnaccountedRow = PaymentOwner & {
  method: string;
  reference: string;
  destination: string;
  amountUnits: bigint;
  paidAt: Date;
  /** Whether its withdrawal is not paid and holds its points. */
  isHeld: boolean;
  /** When an operator took note of it, before its member was known. Null if none did. */
  notedAt: Date | null;
};

const unaccountedColumns = sql`u.method, u.reference, u.destination, u.amount_units as "amountUnits",
  u.paid_at as "paidAt", u.withdrawal_id as "withdrawalId", u.member_id as "memberId", u.points,
  ${isUnpaid(sql`u.withdrawal_id`)} as "isHeld", u.noted_unnamed_at as "notedAt"`;

/**
 * Reads the unaccounted payments of which no operator took note, newest first. One that a payout accounts for by now is
 * left out.
 */
export const readUnaccounted = (reader: Reader, limit: number) =>
  reader.rows<UnaccountedRow>(sql`
    select ${unaccountedColumns} from withdrawals.open_unaccounted u
    order by u.paid_at desc, u.reference, u.destination limit ${limit}`);

/** Reads those of one withdrawal, as the record of sent payments says, also while a payout or a request names one. */
export const readUnaccountedOfWithdrawal = (reader: Reader, withdrawalId: string) =>
  reader.rows<UnaccountedRow>(sql`
    select ${unaccountedColumns} from withdrawals.unnoted_payments u where u.withdrawal_id = ${withdrawalId}::uuid`);

export type UnnamedPayment = { method: string; reference: string; destination: string; foundAt: Date };

/** Reads the payments of the last weeks of which no node knows whose they are, also those that an operator noted. */
export const readUnnamed = (reader: Reader) =>
  reader.rows<UnnamedPayment>(sql`
    select u.method, u.reference, u.destination, u.found_at as "foundAt"
    from withdrawals.unaccounted_payments u
    where u.withdrawal_id is null and u.found_at > platform.business_now() - interval '35 days'`);

/**
 * Stores whose these payments are. The member is null if this database does not have that person: the number may be
 * another one's by now. One that was noted before its member was known is open again, and keeps the time of the note.
 */
export const storeOwners = (reader: Reader, payments: readonly SentPayment[]) =>
  reader.rows(sql`
    update withdrawals.unaccounted_payments u
    set withdrawal_id = sent."withdrawalId", member_id = m.id, points = sent.points,
      noted_unnamed_at = u.seen_at, seen_at = null
    from jsonb_to_recordset(${json(payments)}::jsonb) as sent (
        method text, reference text, destination text, "withdrawalId" uuid, "memberId" integer,
        "memberSince" timestamptz, "at" timestamptz, points bigint)
      left join members.profiles m on m.id = sent."memberId"
        and (m.created_at = sent."memberSince" or sent."memberSince" is null and m.created_at <= sent.at)
    where (u.method, u.reference, u.destination) = (sent.method, sent.reference, sent.destination)
      and u.withdrawal_id is null`);

/** Inserts a payment that no payout accounts for. One that was found before stays; its amount is added if not known. */
export const insertUnaccounted = (
  tx: Tx,
  method: string,
  { reference, destination, amountUnits, at }: ListedPayment,
) =>
  tx.rows(sql`
    insert into withdrawals.unaccounted_payments as u (
      method, reference, destination, amount_units, paid_at, found_at)
    values (${method}, ${reference}, ${destination}, ${amountUnits}, ${at}, platform.business_now())
    on conflict (method, reference, destination) do update set amount_units = excluded.amount_units
    where u.amount_units = 0`);

/**
 * Reads the unaccounted payments to a destination, of any age, that no operator has cleared for one of its payouts.
 * That an operator took note of one does not clear it.
 */
export const readUnclearedTo = (reader: Reader, method: string, destination: string) =>
  reader.rows<ListedPayment>(sql`
    select u.reference, u.destination, u.amount_units as "amountUnits", u.paid_at as at, null as "withdrawalId"
    from withdrawals.unaccounted_payments u
    where u.method = ${method} and u.destination = ${destination}
      and not ${isAccounted(sql`u.method`, sql`u.reference`, sql`u.destination`)}
      and not exists (
        select from withdrawals.withdrawals w join withdrawals.payouts p on p.withdrawal_id = w.id
        where w.destination = u.destination and p.method = u.method and u.reference = any (p.cleared_references))
      and not exists (
        select from withdrawals.withdrawals w join withdrawals.request_checks c on c.withdrawal_id = w.id
        where w.destination = u.destination and w.method = u.method and u.reference = any (c.cleared_references))`);

/** Takes note of payments as they were read. One that has an owner only since then stays open. */
export const noteUnaccountedSeen = (tx: Tx, payments: readonly UnaccountedRow[]) =>
  tx.rows<{ reference: string }>(sql`
    update withdrawals.unaccounted_payments u set seen_at = platform.business_now()
    from unnest(${payments.map(({ method }) => method)}::text[], ${payments.map(({ reference }) => reference)}::text[],
      ${payments.map(({ destination }) => destination)}::text[],
      ${payments.map(({ memberId }) => memberId)}::integer[]) as given (method, reference, destination, member_id)
    where (u.method, u.reference, u.destination) = (given.method, given.reference, given.destination)
      and u.member_id is not distinct from given.member_id and u.seen_at is null
    returning u.reference`);

export type LeftAfterRestore = {
  /** The reconciliations that are not done. */
  pending: Reconciliation[];
  /** Unaccounted payments of which no operator took note. */
  unaccountedCount: number;
  /** Pending requests that may be paid already. */
  checkedCount: number;
  /** Payouts that the copy has approved and that wait for an operator. */
  approvedCount: number;
};

/** Reads what is left to do after a restore. */
export const readLeftAfterRestore = async (reader: Reader): Promise<LeftAfterRestore> => ({
  pending: await readPendingReconciliations(reader),
  ...(await reader.one<Omit<LeftAfterRestore, 'pending'>>(sql`
    select
      (select count(*)::integer from withdrawals.open_unaccounted) as "unaccountedCount",
      (select count(*)::integer from withdrawals.open_checks) as "checkedCount",
      (select count(*)::integer from withdrawals.payouts p where ${isApprovedInCopy}) as "approvedCount"`)),
});
