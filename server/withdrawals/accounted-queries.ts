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

export type PayoutPayment = {
  reference: string;
  destination: string;
  /** Null for a former payment: any. */
  amountUnits: bigint | null;
  isEnded: boolean;
};

/** Reads the payments of payouts that have one of the given references. */
export const readPayoutPayments = (reader: Reader, method: string, references: readonly string[]) =>
  reader.rows<PayoutPayment>(sql`
    select a.reference, a.destination, a.amount_units as "amountUnits", a.is_ended as "isEnded"
    from withdrawals.payout_payments a
    where a.method = ${method} and a.reference = any(${references}::text[])`);

/** Whether a payout accounts for a payment to a destination that was found. */
export const isAccounted = (method: Sql, reference: Sql, destination: Sql): Sql => sql`exists (
  select from withdrawals.accounted_payments a
  where (a.method, a.reference, a.destination) = (${method}, ${reference}, ${destination}))`;

/** Reads for which of these payments to a destination no payout accounts. */
export const readUnaccountedAmong = async (
  reader: Reader,
  { method, destination }: { method: string; destination: string },
  references: readonly string[],
): Promise<string[]> => {
  const rows = await reader.rows<{ reference: string }>(sql`
    select given.reference from unnest(${references}::text[]) with ordinality as given (reference, place)
    where not ${isAccounted(sql`${method}::text`, sql`given.reference`, sql`${destination}::text`)}
    order by given.place`);
  return rows.map(({ reference }) => reference);
};

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

export type RecordedPayment = ListedPayment & { method: string };

/**
 * Reads the payments of the record that this database does not know, and whose member it has. The amount is 0 where the
 * record does not say.
 */
export const readRecordedOnly = (reader: Reader, payments: readonly SentPayment[]) =>
  reader.rows<RecordedPayment>(sql`
    select sent.method, sent.reference, sent.destination, coalesce(sent."amountUnits", 0) as "amountUnits", sent.at,
      sent."withdrawalId"
    from jsonb_to_recordset(${json(payments)}::jsonb) as sent (
        method text, reference text, destination text, "withdrawalId" uuid, "memberId" integer,
        "memberSince" timestamptz, "at" timestamptz, "amountUnits" bigint)
      join members.profiles m on m.id = sent."memberId"
        and (m.created_at = sent."memberSince" or sent."memberSince" is null and m.created_at <= sent.at)
    where not exists (
        select from withdrawals.payouts p
        where (p.method, p.reference, p.destination) = (sent.method, sent.reference, sent.destination))
      and not exists (
        select from withdrawals.former_payments f
        where (f.method, f.reference, f.withdrawal_id) = (sent.method, sent.reference, sent."withdrawalId"))
      and not exists (
        select from withdrawals.unaccounted_payments u
        where (u.method, u.reference, u.destination) = (sent.method, sent.reference, sent.destination))
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
  /** Where its points are: its withdrawal is not paid and holds them, or was paid by another payment, or neither. */
  pointsAre: 'held' | 'spent' | 'free';
  /** The payment that paid its withdrawal, where the points are spent. */
  paidBy: string | null;
  /** Whether a list of the outside party has it, and not the record of a node alone. */
  isListed: boolean;
  /** A parked payout or a pending request that it may have paid. */
  suspectedId: string | null;
  /** When `reconcile` printed it before its member was known, without the key of its request. Null if it did not. */
  printedUnnamedAt: Date | null;
  /** Whether `reconcile` has printed it as it is known now. */
  isPrinted: boolean;
};

/** The payments as they were read, as the rows `given`. */
const asRead = (payments: readonly UnaccountedRow[]): Sql => sql`
  unnest(${payments.map(({ method }) => method)}::text[], ${payments.map(({ reference }) => reference)}::text[],
    ${payments.map(({ destination }) => destination)}::text[],
    ${payments.map(({ withdrawalId }) => withdrawalId)}::uuid[])
    as given (method, reference, destination, withdrawal_id)`;

const isAsRead = sql`(u.method, u.reference, u.destination) = (given.method, given.reference, given.destination)
  and u.withdrawal_id is not distinct from given.withdrawal_id`;

const unaccountedColumns = sql`u.method, u.reference, u.destination, u.amount_units as "amountUnits",
  u.paid_at as "paidAt", u.withdrawal_id as "withdrawalId", u.member_id as "memberId", u.points,
  case when u.are_points_held then 'held' when u.paid_by is not null then 'spent' else 'free' end as "pointsAre",
  u.paid_by as "paidBy", u.listed_at is not null as "isListed", u.noted_unnamed_at as "printedUnnamedAt",
  u.is_printed as "isPrinted", u.suspected_id as "suspectedId"`;

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

/** Reads those of these references, also while a payout or a request names one. */
export const readUnnoted = (reader: Reader, references: readonly string[]) =>
  reader.rows<UnaccountedRow>(sql`
    select ${unaccountedColumns} from withdrawals.unnoted_payments u
    where u.reference = any (${references}::text[]) order by u.paid_at, u.reference`);

/** Reads those whose member is known, also while a payout or a request names one. */
export const readNamed = (reader: Reader) =>
  reader.rows<UnaccountedRow>(sql`
    select ${unaccountedColumns} from withdrawals.unnoted_payments u
    where u.member_id is not null order by u.paid_at, u.reference`);

/** Reads at most 20 of those of a method that paid a withdrawal, as the record of sent payments says. */
export const readOwnedOf = (reader: Reader, method: string) =>
  reader.rows<UnaccountedRow>(sql`
    select ${unaccountedColumns} from withdrawals.unnoted_payments u
    where u.method = ${method} and u.withdrawal_id is not null order by u.paid_at, u.reference limit 20`);

/** Finds the payment of this reference that paid a withdrawal by the record of sent payments, while it is not paid. */
export const findNamed = (reader: Reader, withdrawalId: string, reference: string) =>
  reader.row<{ amountUnits: bigint }>(sql`
    select u.amount_units as "amountUnits" from withdrawals.unnoted_payments u
    where u.withdrawal_id = ${withdrawalId}::uuid and u.reference = ${reference} and u.are_points_held`);

/** Whether such a payment names a withdrawal. */
export const isNamed = async (reader: Reader, withdrawalId: string): Promise<boolean> =>
  (await reader.row(sql`
    select u.reference from withdrawals.unnoted_payments u where u.withdrawal_id = ${withdrawalId}::uuid limit 1`)) !==
  undefined;

/** Reads such payments that name a pending request which is not in check by them. */
export const readUnchecked = (reader: Reader) =>
  reader.rows<ListedPayment & { withdrawalId: string }>(sql`
    select u.reference, u.destination, u.amount_units as "amountUnits", u.paid_at as at,
      u.withdrawal_id as "withdrawalId"
    from withdrawals.unnoted_payments u join withdrawals.withdrawals w on w.id = u.withdrawal_id
    where w.state = 'pending' and not exists (
      select from withdrawals.request_checks c
      where c.withdrawal_id = w.id and u.reference = any (c.possible_references))`);

/** Notes that these payments were printed, as they were read. */
export const notePrinted = (reader: Reader, payments: readonly UnaccountedRow[]) =>
  reader.rows(sql`
    update withdrawals.unaccounted_payments u
    set printed_at = platform.business_now(), printed_for = given.withdrawal_id
    from ${asRead(payments)} where ${isAsRead} and u.seen_at is null`);

export type UnnamedPayment = { method: string; reference: string; destination: string; foundAt: Date };

/** Reads the payments of the last weeks of which no node knows whose they are, also those that an operator noted. */
export const readUnnamed = (reader: Reader) =>
  reader.rows<UnnamedPayment>(sql`
    select u.method, u.reference, u.destination, u.found_at as "foundAt"
    from withdrawals.unaccounted_payments u
    where u.withdrawal_id is null and u.found_at > platform.business_now() - interval '35 days'`);

/**
 * Stores whose these payments are. The member is null if this database does not have that person: the number may be
 * another one's by now. One that was noted before its member was known is open again. One that was printed before, also
 * without a note, keeps that time: its points may have been revoked since.
 */
export const storeOwners = (reader: Reader, payments: readonly SentPayment[]) =>
  reader.rows(sql`
    update withdrawals.unaccounted_payments u
    set withdrawal_id = sent."withdrawalId", member_id = m.id, points = sent.points,
      noted_unnamed_at = coalesce(u.printed_at, u.seen_at), seen_at = null
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
 * Inserts a payment that a list has and that no payout accounts for. One that was noted as never made is open again,
 * and was not printed so.
 */
export async function insertListed(tx: Tx, method: string, payment: ListedPayment): Promise<void> {
  await insertUnaccounted(tx, method, payment);
  await tx.rows(sql`
    update withdrawals.unaccounted_payments
    set listed_at = platform.business_now(),
      seen_at = case when never_made_at is null then seen_at end,
      printed_at = case when never_made_at is null then printed_at end, never_made_at = null
    where (method, reference, destination) = (${method}, ${payment.reference}, ${payment.destination})`);
}

/**
 * Inserts the payment that has the place of another one, which the record gives to a withdrawal: it paid the same
 * member for it. An owner of its own stays.
 */
export async function insertSuccessor(
  tx: Tx,
  former: UnaccountedRow,
  { reference, amountUnits }: { reference: string; amountUnits: bigint },
): Promise<void> {
  const { method, destination, paidAt: at, withdrawalId, memberId, points } = former;
  await insertListed(tx, method, { reference, destination, amountUnits, at, withdrawalId: null });
  await tx.rows(sql`
    update withdrawals.unaccounted_payments
    set withdrawal_id = ${withdrawalId}::uuid, member_id = ${memberId}, points = ${points},
      noted_unnamed_at = coalesce(printed_at, seen_at), seen_at = null
    where (method, reference, destination) = (${method}, ${reference}, ${destination}) and withdrawal_id is null`);
}

/**
 * Reads the unaccounted payments to a payout's destination, of any age, that no operator has cleared for one of the
 * payouts to it. That an operator took note of one does not clear it. One that names this payout can't be cleared, but
 * for those that it had before, which are judged by themselves.
 */
export const readUnclearedTo = (
  reader: Reader,
  { method, destination, withdrawalId }: { method: string; destination: string; withdrawalId: string },
) =>
  reader.rows<ListedPayment>(sql`
    select u.reference, u.destination, u.amount_units as "amountUnits", u.paid_at as at, null as "withdrawalId"
    from withdrawals.unaccounted_payments u
    where u.method = ${method} and u.destination = ${destination}
      and not ${isAccounted(sql`u.method`, sql`u.reference`, sql`u.destination`)}
      and (u.withdrawal_id = ${withdrawalId}::uuid and u.seen_at is null and not exists (
        select from withdrawals.former_payments f
        where f.withdrawal_id = u.withdrawal_id and f.reference = u.reference) or not exists (
        select from withdrawals.withdrawals w join withdrawals.payouts p on p.withdrawal_id = w.id
        where w.destination = u.destination and p.method = u.method and u.reference = any (p.cleared_references))
      and not exists (
        select from withdrawals.withdrawals w join withdrawals.request_checks c on c.withdrawal_id = w.id
        where w.destination = u.destination and w.method = u.method and u.reference = any (c.cleared_references)))`);

/** Takes note of payments as they were read. One that has an owner only since then stays open. */
export const noteUnaccountedSeen = (tx: Tx, payments: readonly UnaccountedRow[], isNeverMade: boolean) =>
  tx.rows<{ reference: string }>(sql`
    update withdrawals.unaccounted_payments u
    set seen_at = platform.business_now(), never_made_at = case when ${isNeverMade} then platform.business_now() end
    from ${asRead(payments)} where ${isAsRead} and u.seen_at is null
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
  /** Why comparisons were asked for, also those that are done: what showed that the database is another one. */
  reasons: string[];
};

/** Reads what is left to do after a restore. */
export const readLeftAfterRestore = async (reader: Reader): Promise<LeftAfterRestore> => ({
  pending: await readPendingReconciliations(reader),
  ...(await reader.one<Omit<LeftAfterRestore, 'pending'>>(sql`
    select
      (select count(*)::integer from withdrawals.open_unaccounted) as "unaccountedCount",
      (select count(*)::integer from withdrawals.open_checks) as "checkedCount",
      (select count(*)::integer from withdrawals.payouts p where ${isApprovedInCopy}) as "approvedCount",
      array(select distinct reason from withdrawals.reconciliations order by reason) as reasons`)),
});
