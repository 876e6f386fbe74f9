import { type Reader, type Sql, sql, type Tx } from '#platform/database.ts';
import { holdsLease, type LeaseToken } from '#platform/leases.ts';

/** The queries of timelines and of reconciliations. */

export type NumberedPayment = {
  paymentCount: bigint;
  /** Names all payments up to this number; empty for none. */
  digest: string;
  /** When that payment was stored; null for none. */
  storedAt: Date | null;
};

export type Timeline = NumberedPayment & {
  stamp: string;
  /** The payments of the timeline with the marker's stamp; null if there is none. */
  countOfMarker: bigint | null;
  /** What the database has under the marker's number of that timeline. */
  digestOfMarker: string | null;
  hasWithdrawals: boolean;
  /** The account that each method pays from. */
  accounts: Record<string, string>;
};

/** Reads the current timeline, and what it has under a marker's stamp and number. */
export const readTimeline = (reader: Reader, marker: { stamp: string; paymentCount: bigint } | undefined) =>
  reader.one<Timeline>(sql`
    select c.stamp::text as stamp, c.payment_count as "paymentCount", c.digest,
      (select k.stored_at from withdrawals.counted_payments k
       where k.timeline = c.number and k.number = c.payment_count) as "storedAt",
      m.payment_count as "countOfMarker",
      (select k.digest from withdrawals.counted_payments k
       where k.timeline = m.number and k.number = ${marker?.paymentCount ?? null}::bigint) as "digestOfMarker",
      exists (select from withdrawals.withdrawals) as "hasWithdrawals",
      (select coalesce(jsonb_object_agg(a.method, a.account), '{}')
       from withdrawals.paying_accounts a where a.account is not null) as accounts
    from withdrawals.timelines c left join withdrawals.timelines m on m.stamp = ${marker?.stamp ?? null}::uuid
    order by c.number desc limit 1`);

/** What other nodes have done for the restore that a node finds. */
export type DoneForRestore = {
  /** Until when the copy's sessions and approvals are dated, as text; null if no node has begun a timeline for it. */
  copiedUntil: string | null;
  hasEndedSessions: boolean;
  hasParkedApproved: boolean;
};

/**
 * Reads what was done since a marker lost its database. A marker that is ahead of the copy knew each timeline of the
 * copy, so those that are newer than the marker's were begun after the restore. Where the copy does not know the
 * marker's one, so was a timeline that another node began with the same stamp in its marker.
 */
export const readDoneForRestore = (reader: Reader, stamp: string | null) =>
  reader.one<DoneForRestore>(sql`
    select (array_agg(coalesce(t.copied_until, t.began_at) order by t.number))[1]::text as "copiedUntil",
      coalesce(bool_or(t.has_ended_sessions), false) as "hasEndedSessions",
      coalesce(bool_or(t.has_parked_approved), false) as "hasParkedApproved"
    from withdrawals.timelines t
    where t.number >= (
      select min(f.number) from withdrawals.timelines f
      where f.instead_of = ${stamp}::uuid
        or f.number > (select m.number from withdrawals.timelines m where m.stamp = ${stamp}::uuid))`);

export type Begin = {
  insteadOf: string | null;
  hasEndedSessions: boolean;
  hasParkedApproved: boolean;
  /** The time of the newest session that there was before, as text. */
  newestSessionAt: string | null;
};

export const beginTimeline = (
  tx: Tx,
  { insteadOf, hasEndedSessions, hasParkedApproved, newestSessionAt }: Begin,
) =>
  tx.one<{ number: bigint; stamp: string }>(sql`
    insert into withdrawals.timelines (instead_of, copied_until, has_ended_sessions, has_parked_approved)
    select ${insteadOf}::uuid, greatest(platform.business_now(), ${newestSessionAt}::timestamptz, (
        select max(p.queued_at) from withdrawals.payouts p where p.state = 'queued')),
      ${hasEndedSessions}, ${hasParkedApproved}
    returning number, stamp::text as stamp`);

/** Whether the payout `p` was approved in a copy that was restored, and waits for an operator. */
export const isApprovedInCopy: Sql = sql`(p.withdrawal_id in (
  select copied.withdrawal_id from withdrawals.approved_in_copy copied))`;

/**
 * Parks what is approved and not signed, because the approval may have been taken back after the backup. A halted
 * payout ends as it was asked for. Returns how many were parked.
 * @param until the newest time of the copy; null for all
 */
export const parkApproved = async (tx: Tx, reason: string, until: string | null): Promise<number> =>
  (
    await tx.rows(sql`
      update withdrawals.payouts set state = 'parked', trouble = ${reason}, attempt_count = 0
      where state = 'queued' and halted_by is null
        and (${until}::timestamptz is null or queued_at <= ${until}::timestamptz)
      returning withdrawal_id`)
  ).length;

/** Reads the payouts that were approved in a copy and wait for an operator. */
export const readApprovedInCopy = (reader: Reader) =>
  reader.rows<{ withdrawalId: string }>(sql`
    select p.withdrawal_id as "withdrawalId" from withdrawals.payouts p where ${isApprovedInCopy}`);

/** Whether a payout was approved in a copy and waits for an operator. */
export const isWaitingApproval = async (reader: Reader, id: string): Promise<boolean> =>
  (await reader.row(sql`
    select a.withdrawal_id from withdrawals.approved_in_copy a where a.withdrawal_id = ${id}::uuid`)) !==
  undefined;

/**
 * Queues those of these payouts again that still wait so, but for those whose points may be paid already. Returns them
 * with their members.
 */
export const releaseApproved = (tx: Tx, ids: readonly string[]) =>
  tx.rows<{ withdrawalId: string; memberId: number }>(sql`
    update withdrawals.payouts p
    set state = 'queued', trouble = null, attempt_count = 0, due_at = platform.business_now()
    from withdrawals.withdrawals w
    where p.withdrawal_id = any (${ids}::uuid[]) and w.id = p.withdrawal_id and ${isApprovedInCopy}
      and not withdrawals.is_possibly_paid(w.id) and not withdrawals.is_in_check(w.id, w.method)
    returning w.id as "withdrawalId", w.member_id as "memberId"`);

/**
 * The time of the newest payment that this database certainly shares with a marker: the payments that it lacks are
 * later. What was stored after the marker's newest payment may be of the copy alone, because the copy was restored
 * later. Null for an unknown stamp.
 */
const sharedUntil = (marker: { stamp: string; storedAt: Date | null } | undefined): Sql => sql`(
  select coalesce(
    (select k.stored_at from withdrawals.counted_payments k
     where k.timeline = m.number and k.stored_at <= ${marker?.storedAt ?? null}::timestamptz
     order by k.number desc limit 1), m.began_at)
  from withdrawals.timelines m where m.stamp = ${marker?.stamp ?? null}::uuid)`;

/**
 * The real time from which payments of a stored time `at` on may be listed: a day is subtracted for clocks that differ.
 * Stored times are business times, and only a sandbox has an offset, which grows. `c` is `platform.site_clock`.
 */
const listedSince = (at: Sql): Sql => sql`${at} - c.offset_seconds * interval '1 second' - interval '1 day'`;

/**
 * The real time from which the payment of a request `w` may be listed. Two days are subtracted from `real_since`: a
 * clock may jump ahead by a day before it is not believed. `c` is `platform.site_clock`.
 */
export const listedSinceRequest: Sql = sql`least(${listedSince(sql`w.created_at`)}, w.real_since - interval '2 days')`;

/**
 * The real time from which a method's payments may be unknown to this database: that of the last payment that it shares
 * with a marker (`since`), of the last stored one, or of the oldest undecided or unpaid request. A clock that was wrong
 * then moves it at most to two days before the time that is believed now. `c` is `platform.site_clock`.
 */
const unknownSince = (method: Sql, since: Sql): Sql => sql`
  least(platform.believed_now() - interval '2 days', coalesce(least(
    ${listedSince(sql`least(${since}, (select max(signed_at) from withdrawals.payouts where method = ${method}))`)},
    (select min(${listedSinceRequest}) from withdrawals.payouts p
       join withdrawals.withdrawals w on w.id = p.withdrawal_id
     where p.method = ${method} and (p.state = 'queued' or ${isApprovedInCopy})),
    (select min(${listedSinceRequest}) from withdrawals.withdrawals w
     where w.method = ${method} and w.state = 'pending')), 'epoch'))`;

/**
 * Asks for the reconciliation of each method that has an account or payouts, and of those that the marker has accounts
 * of: the database may not know yet that they paid. The time from which it lists is stored for each restore by itself,
 * because what it is computed from changes with each payout that is settled or paid since.
 * @param timeline the number that `beginTimeline` returned. Another node may begin a newer one meanwhile.
 */
export const askForReconciliation = (
  tx: Tx,
  timeline: bigint,
  reason: string,
  marker: { stamp: string; storedAt: Date | null; accounts: Record<string, unknown> } | undefined,
) =>
  tx.rows(sql`
    with asked as (
      select m.method,
        ${unknownSince(sql`m.method`, sharedUntil(marker))} + c.offset_seconds * interval '1 second' + interval '1 day'
          as since
      from withdrawals.methods m cross join platform.site_clock c
      where ${isCompared} or m.method = any (${Object.keys(marker?.accounts ?? {})}::text[])),
    started as (
      insert into withdrawals.comparison_starts (method, timeline, since)
      select a.method, ${timeline}::bigint, a.since from asked a)
    insert into withdrawals.reconciliations as r (method, reason, asked_at, since)
    select a.method, ${reason}, platform.business_now(), a.since from asked a order by a.method
    on conflict (method) do update
      set reason = excluded.reason, asked_at = excluded.asked_at, done_at = null, trouble = null, given_up_at = null,
        awaited_accounts = case when r.done_at is null then r.awaited_accounts else '{}' end,
        since = case when r.done_at is null or r.given_up_at is not null then least(r.since, excluded.since)
          else excluded.since end`);

/** Whether payments are still listed from a start `s` on, as the table says. */
const isCounted = sql`(s.ended_at is null or s.ended_at > platform.business_now() - interval '35 days')`;

/** Ends the starts of a method with its comparison. One that was given up counts for ever. */
const endStarts = (tx: Tx, method: string, isGivenUp: boolean) =>
  tx.rows(sql`
    update withdrawals.comparison_starts
    set ended_at = case when ${isGivenUp} then 'infinity' else platform.business_now() end
    where method = ${method} and ended_at is null`);

/**
 * Asks again for the comparison of a method that an operator lets pay from another account, if a restore has asked for
 * one before: the list of the former account did not show what this one paid. So it lists from the same time on.
 */
export const askForAccount = async (tx: Tx, method: string): Promise<void> => {
  await tx.rows(sql`
    update withdrawals.comparison_starts s set ended_at = null
    where s.method = ${method} and s.ended_at < 'infinity' and (${isCounted} or s.timeline = (
      select max(newest.timeline) from withdrawals.comparison_starts newest where newest.method = s.method))`);
  await tx.rows(sql`
    update withdrawals.reconciliations set done_at = null, given_up_at = null, trouble = null, awaited_accounts = '{}'
    where method = ${method}`);
};

/**
 * Notes the accounts whose lists a reconciliation must have seen, and the newest of them as the one that pays now. The
 * database may name an older one.
 */
export const awaitAccounts = async (tx: Tx, method: string, accounts: readonly string[]): Promise<void> => {
  await tx.rows(sql`
    update withdrawals.reconciliations
    set awaited_accounts = awaited_accounts || array(
      select a.account from unnest(${accounts}::text[]) with ordinality as a (account, place)
      where a.account <> all (awaited_accounts) order by a.place)
    where method = ${method} and done_at is null`);
  await tx.rows(sql`select withdrawals.note_newest_account(${method}, ${accounts.at(-1) ?? null})`);
};

/**
 * Notes that an account's list was compared, and ends the reconciliation if no other account is to be compared.
 * @param askedAt when the reconciliation was asked for that the list was read for. Null for none: then none is ended
 * @returns the accounts whose lists are still to be compared; undefined if a reconciliation was asked for since, which
 * may be for an earlier time
 */
export const noteCompared = async (
  tx: Tx,
  method: string,
  account: string | null,
  askedAt: string | null,
): Promise<string[] | undefined> => {
  const row = await tx.row<{ accounts: string[]; isSame: boolean }>(sql`
    select array_remove(awaited_accounts, ${account}::text) as accounts, asked_at::text = ${askedAt} as "isSame"
    from withdrawals.reconciliations where method = ${method} and done_at is null for no key update`);
  if (row === undefined) return [];
  if (!row.isSame) return undefined;
  await tx.rows(sql`
    update withdrawals.reconciliations
    set awaited_accounts = ${row.accounts}::text[],
      done_at = case when ${row.accounts.length} = 0 then platform.business_now() end,
      trouble = case when ${row.accounts.length} = 0 then null else trouble end
    where method = ${method}`);
  if (row.accounts.length === 0) await endStarts(tx, method, false);
  return row.accounts;
};

const isCompared = sql`(m.sealed_credentials is not null
  or exists (select from withdrawals.payouts p where p.method = m.method)
  or exists (select from withdrawals.reconciliations r where r.method = m.method and r.done_at is null))`;

/** Reads the methods that can be compared: those that have an account or payouts. */
export const readComparedMethods = (reader: Reader) =>
  reader.rows<{ method: string }>(sql`
    select m.method from withdrawals.methods m where ${isCompared} order by m.method`);

export type Reconciliation = { method: string; reason: string; askedAt: Date; trouble: string | null };

/** Reads the reconciliations that are not done. */
export const readPendingReconciliations = (reader: Reader) =>
  reader.rows<Reconciliation>(sql`
    select method, reason, asked_at as "askedAt", trouble
    from withdrawals.reconciliations where done_at is null order by method`);

export const findPendingReconciliation = (reader: Reader, method: string) =>
  reader.row<{ reason: string; awaitedAccounts: string[]; askedAt: string }>(sql`
    select reason, awaited_accounts as "awaitedAccounts", asked_at::text as "askedAt"
    from withdrawals.reconciliations where method = ${method} and done_at is null`);

export const noteReconciliationTrouble = (
  reader: Reader,
  lease: LeaseToken,
  method: string,
  trouble: string,
) =>
  reader.rows(sql`
    update withdrawals.reconciliations set trouble = ${trouble}
    where method = ${method} and done_at is null and ${holdsLease(lease)}`);

/** The stamp of the newest timeline of a site that was restored; undefined if it never was. */
export const findRestoreStamp = async (reader: Reader): Promise<string | undefined> =>
  (
    await reader.row<{ stamp: string }>(sql`
      select stamp::text as stamp from withdrawals.timelines where number > 1 order by number desc limit 1`)
  )?.stamp;

/** Whether something of a method `r` waits for an answer that an operator can give up. */
const canBeGivenUp = sql`(r.done_at is null or r.given_up_at is null and exists (
  select from withdrawals.open_checks c where c.method = r.method))`;

/** Reads the methods whose comparison is due, or whose requests are in check and need an answer. */
export const readWaitingMethods = (reader: Reader) =>
  reader.rows<{ method: string; isDue: boolean }>(sql`
    select r.method, r.done_at is null as "isDue" from withdrawals.reconciliations r
    where ${canBeGivenUp} order by r.method`);

/**
 * Ends a reconciliation that can never be made, or says of one that was made that its account answers no more. Returns
 * what it waited for; undefined if nothing waits.
 */
export const giveUpReconciliation = async (tx: Tx, method: string) => {
  const before = await tx.row<{ reason: string }>(sql`
    update withdrawals.reconciliations r
    set done_at = coalesce(done_at, platform.business_now()), given_up_at = platform.business_now()
    where method = ${method} and ${canBeGivenUp}
    returning reason || coalesce(' ' || trouble, '') as reason`);
  if (before !== undefined) await endStarts(tx, method, true);
  return before;
};

/** Whether an operator gave up the last reconciliation of a method. */
export const isGivenUp = async (reader: Reader, method: string): Promise<boolean> =>
  (await reader.row(sql`
    select method from withdrawals.reconciliations where method = ${method} and given_up_at is not null`)) !==
  undefined;

/**
 * The real time from which payments are listed for a comparison. For weeks after a restore, and for ever after it was
 * given up, an operator's own one lists from the earliest time on that a restore asked for: an account may list late
 * what it paid. A node of a former release notes its time in `reconciliations` alone.
 */
export const readReconciliationStart = (reader: Reader, method: string) =>
  reader.one<{ since: Date }>(sql`
    select ${unknownSince(
      sql`${method}::text`,
      sql`least(
        (select min(s.since) from withdrawals.comparison_starts s where s.method = ${method} and ${isCounted}),
        (select r.since from withdrawals.reconciliations r where r.method = ${method} and r.done_at is null))`,
    )} as since
    from platform.site_clock c`);
