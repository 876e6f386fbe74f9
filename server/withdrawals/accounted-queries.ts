import { type Reader, type Sql, sql } from '#platform/database.ts';
import type { Payment } from './rails/rail.ts';

/** The queries of which payments payouts account for: the one that each has, and those that it had before. */

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
