import { storedTextsOf } from '#contract/operator-sentences.ts';
import { json, type Reader, type Sql, sql, type Tx } from '#platform/database.ts';
import { holdsLease, type LeaseToken } from '#platform/leases.ts';
import {
  clearedReferences,
  findPayout,
  isUnfinished,
  type Payout,
  type PayoutState,
  payoutColumns,
} from './queries.ts';
import type { ListedPayment, Payment, StoredPayment } from './rails/rail.ts';
import { isApprovedInCopy, listedSinceRequest } from './reconciliation-queries.ts';

/** The queries of payments that replace one another, and of operators' acts on payouts. */

/**
 * The name of the turn at the payouts of a method: of its lease, whose holder alone prepares and sends them, and of its
 * part in health.
 */
export const turnNameOf = (method: string) => `payouts-${method}` as const;

/** The real time from which a payout's payment may be listed: that of its request. */
export const readRequestTime = (reader: Reader, withdrawalId: string) =>
  reader.one<{ since: Date }>(sql`
    select ${listedSinceRequest} as since
    from withdrawals.withdrawals w cross join platform.site_clock c where w.id = ${withdrawalId}`);

/** Notes the account that a method pays from, unless `note_account` says why not. One without a name gets one. */
export const notePayingAccount = (reader: Reader, method: string, account: string | null) =>
  reader.rows(sql`select withdrawals.note_account(${method}, ${account})`);

/** Finds the account that a method pays from. Null if none is noted. */
export const findPayingAccount = async (reader: Reader, method: string): Promise<string | null> => {
  const row = await reader.row<{ account: string | null }>(
    sql`select account from withdrawals.paying_accounts where method = ${method}`,
  );
  return row?.account ?? null;
};

/** Finds the account that alone may list payments of a method. Null if none is noted, or the noted one never paid. */
export const findBoundAccount = async (reader: Reader, method: string): Promise<string | null> => {
  const row = await reader.row<{ account: string }>(sql`
    select a.account from withdrawals.paying_accounts a
    where a.method = ${method} and withdrawals.may_have_paid(a.method, a.account)`);
  return row?.account ?? null;
};

/** Whether an operator has let a method pay from another account since a payment was made. */
export const isAccountLeftSince = async (
  reader: Reader,
  { method, paidAt }: { method: string; paidAt: Date },
): Promise<boolean> =>
  (await reader.row(sql`
    select method from withdrawals.paying_accounts
    where method = ${method} and forgotten_at >= ${paidAt}`)) !== undefined;

/**
 * Forgets the account that a method pays from, so that the next comparison notes another one, and that payouts wait for
 * the former one. Returns what was noted before; undefined if `forget_account` says why not.
 */
export const forgetPayingAccount = async (tx: Tx, { name, token }: LeaseToken, method: string) => {
  const { isForgotten, account } = await tx.one<{ isForgotten: boolean; account: string | null }>(sql`
    select is_forgotten as "isForgotten", account from withdrawals.forget_account(${method}, ${name}, ${token})`);
  if (!isForgotten) return undefined;
  await tx.rows(sql`
    update withdrawals.payouts set trouble = null, due_at = least(due_at, platform.business_now())
    where method = ${method} and ${isUnfinished} and trouble = any (${storedTextsOf('other-account')}::text[])`);
  return { account };
};

export type PaidByAccount = {
  withdrawalId: string;
  method: string;
  state: PayoutState;
  amountUnits: bigint;
  references: string[];
};

/**
 * Reads the unfinished payouts of a method that its account may pay: those with a stored payment, and the parked ones
 * with the payments that may have paid them.
 */
export const readPaidByAccount = (reader: Reader, method: string) =>
  reader.rows<PaidByAccount>(sql`
    select withdrawal_id as "withdrawalId", method, state, amount_units as "amountUnits",
      array_remove(array[reference] || possible_references, null) as "references"
    from withdrawals.payouts
    where method = ${method} and ${isUnfinished} and state <> 'queued' order by queued_at, withdrawal_id`);

/**
 * Finds the newest final payment of a method that an account made, which still lists it. One that was emptied by its
 * age has no name any more.
 */
export const findNewestFinalPayment = (reader: Reader, method: string, account: string) =>
  reader.row<StoredPayment>(sql`
    select reference, artifact, destination, amount_units as "amountUnits" from withdrawals.payouts p
    where method = ${method} and state = 'confirmed' and account = ${account}
      and artifact <> 'removed'
    order by finished_at desc limit 1`);

/** Reads the payouts of a method that no payment is stored for or known of. */
export const readUnprepared = (reader: Reader, method: string) =>
  reader.rows<{
    withdrawalId: string;
    destination: string;
    amountUnits: bigint;
    clearedReferences: string[];
  }>(sql`
    select withdrawal_id as "withdrawalId", destination, amount_units as "amountUnits",
      ${clearedReferences} as "clearedReferences"
    from withdrawals.payouts p
    where method = ${method} and (state = 'queued' or ${isApprovedInCopy}) order by queued_at, withdrawal_id`);

/** What is stored of a listed payment, so that an operator can compare it. */
export type ListedFacts = { reference: string; destination: string; amountUnits: string; at: string };

export const factsOf = (payments: readonly ListedPayment[]): ListedFacts[] =>
  payments.map(({ reference, destination, amountUnits, at }) => ({
    reference,
    destination,
    amountUnits: String(amountUnits),
    at: at.toISOString(),
  }));

/** Payments that may have paid a payout or a request, their references, and the sentence that says so. */
export type Possible = {
  payments: readonly ListedPayment[];
  references: readonly string[];
  reason: string;
};

/** The facts of these payments, and what is known of those that are listed no more. */
const withKnownFacts = (payments: readonly ListedPayment[]): Sql => sql`
  ${json(factsOf(payments))}::jsonb || coalesce((
    select jsonb_agg(known) from jsonb_array_elements(possible_payments) known
    where known ->> 'reference' <> all (${payments.map(({ reference }) => reference)}::text[])), '[]')`;

/** Parks a payout for which no payment is stored, because it may have been paid already, or notes by what it may. */
export const parkUnprepared = (
  reader: Reader,
  lease: LeaseToken,
  id: string,
  { payments, references, reason }: Possible,
) =>
  reader.row(sql`
    update withdrawals.payouts
    set state = 'parked', trouble = ${reason}, attempt_count = 0,
      possible_references = ${references}::text[] || array(
        select known from unnest(possible_references) known where known <> all (${references}::text[])),
      possible_payments = ${withKnownFacts(payments)}, due_at = platform.business_now()
    where withdrawal_id = ${id} and (state = 'queued' or state = 'parked' and artifact is null)
      and ${holdsLease(lease)}
    returning withdrawal_id as "withdrawalId"`);

/** Queues a parked payout again for which no payment is stored. */
export const releaseUnprepared = (reader: Reader, lease: LeaseToken, id: string) =>
  reader.row<Payout>(sql`
    update withdrawals.payouts
    set state = 'queued', trouble = null, possible_references = '{}', attempt_count = 0,
      due_at = platform.business_now()
    where withdrawal_id = ${id} and state = 'parked' and artifact is null and ${holdsLease(lease)}
    returning ${payoutColumns}`);

export const readParked = (reader: Reader) =>
  reader.rows<{ withdrawalId: string; method: string; amountUnits: bigint; trouble: string | null }>(sql`
    select withdrawal_id as "withdrawalId", method, amount_units as "amountUnits", trouble
    from withdrawals.payouts where state = 'parked' order by queued_at, withdrawal_id`);

/**
 * Notes that these payments are not a parked payout's own, as an operator says. One without a stored payment is queued
 * again.
 */
export const clearPayout = (tx: Tx, id: string, references: readonly string[]) =>
  tx.rows(sql`
    update withdrawals.payouts
    set state = case when artifact is null then 'queued' else 'parked' end, trouble = null, attempt_count = 0,
      due_at = platform.business_now(), possible_references = '{}',
      cleared_references = cleared_references || ${references}::text[]
    where withdrawal_id = ${id} and state = 'parked'`);

/** Notes the payments that may have paid an unfinished payout, as the operator reads them. */
export const notePossible = (
  reader: Reader,
  lease: LeaseToken,
  id: string,
  { payments, references, reason }: Possible,
) =>
  reader.rows(sql`
    update withdrawals.payouts
    set possible_references = ${references}::text[], possible_payments = ${withKnownFacts(payments)},
      trouble = ${reason}
    where withdrawal_id = ${id} and ${isUnfinished} and ${holdsLease(lease)}`);

/** Halts a queued payout: to fail with a reason, or without one to take its approval back. False if nothing changed. */
export const haltPayout = async (
  tx: Tx,
  id: string,
  operatorId: number,
  reason: string | null,
): Promise<boolean> => {
  const { isHalted } = await tx.one<{ isHalted: boolean }>(
    sql`select withdrawals.halt_payout(${id}, ${operatorId}, ${reason}) as "isHalted"`,
  );
  return isHalted;
};

/** Locks a payout that is halted for this reason. */
export const lockHalted = (tx: Tx, id: string, reason: string | null) =>
  tx.row(sql`
    select withdrawal_id from withdrawals.payouts
    where withdrawal_id = ${id} and state = 'queued' and halted_by is not null
      and halt_reason is not distinct from ${reason}::text
    for no key update`);

/** The payments that an operator can call others': not those that the payout had before. */
export const readOthers = async (reader: Reader, id: string, references: readonly string[]) => {
  const { others } = await reader.one<{ others: string[] }>(
    sql`select withdrawals.others_of(${id}, ${references}::text[]) as others`,
  );
  return others;
};

/** Notes that these payments are not an unfinished payout's own, as an operator says. */
export const noteCleared = (tx: Tx, id: string, references: readonly string[]) =>
  tx.rows(sql`
    update withdrawals.payouts set cleared_references = cleared_references || ${references}::text[]
    where withdrawal_id = ${id} and ${isUnfinished}`);

/** Locks a payout that is tried again, and its member's points. Reads it as it is from then on. */
export const lockForRetry = async (tx: Tx, id: string): Promise<Payout | undefined> => {
  await tx.rows(sql`select withdrawals.lock_for_retry(${id})`);
  return findPayout(tx, id);
};

/** Lifts the halt of a payout, so that it can be paid again. */
export const liftHalt = (tx: Tx, id: string) =>
  tx.rows(sql`
    update withdrawals.payouts set halted_by = null, halt_reason = null
    where withdrawal_id = ${id} and halted_by is not null and ${isUnfinished}`);

/**
 * Gives an unfinished payout another payment, which was made already, or none, so that one is prepared anew.
 * @param payout as the caller read it
 * @returns undefined if the payout changed since, or the payment is another payout's
 */
export const replacePayment = (
  reader: Reader,
  { name, token }: LeaseToken,
  { withdrawalId, reference }: Pick<Payout, 'withdrawalId' | 'reference'>,
  payment: Payment | null,
  reason: string,
) =>
  reader.row<Payout>(sql`
    select ${payoutColumns} from withdrawals.replace_payment(${withdrawalId}, ${name}, ${token}, ${reference},
      ${payment?.reference ?? null}, ${payment?.artifact ?? null}, ${reason})`);

/**
 * Gives a payout back a former payment that may never have been sent. So it is one that is signed: the sweep sends it
 * as any other, and not during a pause.
 * @returns as `replacePayment`
 */
export async function giveBackPayment(
  tx: Tx,
  lease: LeaseToken,
  payout: Pick<Payout, 'withdrawalId' | 'reference'>,
  payment: Payment,
  reason: string,
): Promise<Payout | undefined> {
  if ((await replacePayment(tx, lease, payout, payment, reason)) === undefined) return undefined;
  return tx.row<Payout>(sql`
    update withdrawals.payouts set state = 'signed', broadcast_at = null
    where withdrawal_id = ${payout.withdrawalId} returning ${payoutColumns}`);
}

/**
 * Gives a parked payout without a stored payment one that was made already, with the amount that it paid.
 * @returns undefined if the payout changed since, or the payment is another payout's
 */
export const acceptPayment = (
  reader: Reader,
  { name, token }: LeaseToken,
  id: string,
  { reference, artifact, paidUnits }: Payment & { paidUnits: bigint },
  reason: string,
) =>
  reader.row<Payout>(sql`
    select ${payoutColumns} from withdrawals.accept_payment(${id}, ${name}, ${token}, ${paidUnits}, ${reference},
      ${artifact}, ${reason})`);

/**
 * Gives a payout the payment that paid it by the record of sent payments, with the amount that it paid.
 * @returns as `replacePayment`
 */
export const settleRecordedPayment = (
  reader: Reader,
  { name, token }: LeaseToken,
  { withdrawalId, reference: former }: Pick<Payout, 'withdrawalId' | 'reference'>,
  { reference, paidUnits }: { reference: string; paidUnits: bigint },
  reason: string,
) =>
  reader.row<Payout>(sql`
    select ${payoutColumns} from withdrawals.settle_recorded(${withdrawalId}, ${name}, ${token}, ${former},
      ${reference}, ${paidUnits}, ${reason})`);
