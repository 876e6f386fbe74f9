import { type Reader, sql, type Tx } from '#platform/database.ts';
import { holdsLease, type LeaseToken } from '#platform/leases.ts';
import { listedSince } from './payout-queries.ts';
import type { ComparedPayout } from './rails/rail.ts';

/** The queries of pending requests that may be paid already. */

/** Reads the pending requests of a method. `listedSince` is the real time from which a payment may be listed. */
export const readPendingRequests = (reader: Reader, method: string) =>
  reader.rows<ComparedPayout & { listedSince: Date }>(sql`
    select w.id as "withdrawalId", w.destination, coalesce(k.cleared_references, '{}') as "clearedReferences",
      ${listedSince(sql`w.created_at`)} as "listedSince"
    from withdrawals.withdrawals w cross join platform.site_clock c
      left join withdrawals.request_checks k on k.withdrawal_id = w.id
    where w.state = 'pending' and w.method = ${method} order by w.queue_number`);

export type RequestCheck = {
  withdrawalId: string;
  method: string;
  possibleReferences: string[];
  clearedReferences: string[];
  reason: string;
};

const columns = sql`
  withdrawal_id as "withdrawalId", method, possible_references as "possibleReferences",
  cleared_references as "clearedReferences", reason`;

/** Reads the pending requests that may be paid already, the oldest first. */
export const readOpenChecks = (reader: Reader) =>
  reader.rows<RequestCheck>(sql`select ${columns} from withdrawals.open_checks order by queue_number`);

/** Finds what may have paid a pending request. */
export const findOpenCheck = (reader: Reader, id: string) =>
  reader.row<RequestCheck>(sql`select ${columns} from withdrawals.open_checks where withdrawal_id = ${id}`);

/** Why a pending request can't be decided now: what may have paid it, or a reconciliation that is not done. */
export const findCheckReason = async (reader: Reader, id: string): Promise<string | null> => {
  const row = await reader.row<{ reason: string | null }>(sql`
    select coalesce(c.reason, r.reason || ' The payments must be compared first. ' || coalesce(r.trouble, '')) as reason
    from withdrawals.withdrawals w left join withdrawals.open_checks c on c.withdrawal_id = w.id
      left join withdrawals.reconciliations r on r.method = w.method and r.done_at is null
    where w.id = ${id} and w.state = 'pending'`);
  return row?.reason?.trim() ?? null;
};

/** Notes the payments that may have paid a request. */
export const noteCheck = (tx: Tx, id: string, references: readonly string[], reason: string) =>
  tx.rows(sql`
    insert into withdrawals.request_checks as c (withdrawal_id, possible_references, reason, found_at)
    values (${id}, ${references}::text[], ${reason}, platform.business_now())
    on conflict (withdrawal_id) do update
      set possible_references = excluded.possible_references, reason = excluded.reason, found_at = excluded.found_at`);

/** Ends the checks of a method's requests that a new comparison no longer finds. */
export const endOtherChecks = (tx: Tx, method: string, found: readonly string[]) =>
  tx.rows(sql`
    update withdrawals.request_checks c set possible_references = '{}'
    from withdrawals.withdrawals w
    where w.id = c.withdrawal_id and w.method = ${method} and w.id <> all (${found}::uuid[])
      and cardinality(c.possible_references) > 0`);

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
