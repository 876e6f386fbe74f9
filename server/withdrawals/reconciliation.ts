import { sentence } from '#contract/operator-sentences.ts';
import { checkLease, type Lease } from '#platform/leases.ts';
import type { Platform } from '#platform/platform.ts';
import * as accounted from './accounted-queries.ts';
import type { RailSetup } from './payment-methods.ts';
import { comparisonOf, foundElsewhere, listOfKnownAccount, readUnaccountedOf } from './payout-comparison.ts';
import * as queries from './payout-queries.ts';
import type { ComparedPayout, ListedPayment, Listing, Rail } from './rails/rail.ts';
import * as reconciliations from './reconciliation-queries.ts';
import {
  endAccountedChecks,
  noteCheck,
  readFoundPayments,
  readPendingRequests,
} from './request-check-queries.ts';
import { findRecordChange, findSentPayments, keyOf, readSentPayments } from './sent-payments.ts';

/**
 * The reconciliation of a method after another database was found (`timelines.ts`): each payout without a stored
 * payment, and each pending request, is compared with the outside party's list. What is clear goes on. A payout with a
 * possible match is parked, and a request with one is checked (`request-checks.ts`). A check does not end because
 * another list lacks the payment: the account may be another one by then. Payments that no
 * payout accounts for are kept for operators: they may have been requested, approved and paid after the backup, so that
 * their points are back in a balance.
 */
export type ReconciliationParts = Pick<Platform, 'database' | 'config' | 'log'> & { readonly lease: Lease };

/** Reports what is left to do after a restore as the part `restore`, on each node. */
export async function reportRestore({
  database,
  health,
}: Pick<Platform, 'database' | 'health'>): Promise<void> {
  const left = sentencesOf(await accounted.readLeftAfterRestore(database));
  health.report('restore', left.length > 0 ? left.join(' ') : undefined);
}

function sentencesOf({
  pending,
  unaccountedCount,
  checkedCount,
  approvedCount,
}: accounted.LeftAfterRestore): string[] {
  const reasons = [...new Set(pending.map(({ reason }) => reason))].join(' ');
  const methods = pending.map(({ method }) => method).join(', ');
  return [
    pending.length > 0 && `${reasons} ${sentence('methods-wait', { methodList: methods })}`,
    unaccountedCount > 0 &&
      (unaccountedCount === 1
        ? sentence('one-payment-unaccounted')
        : sentence('payments-unaccounted', { paymentCount: unaccountedCount })),
    checkedCount > 0 &&
      (checkedCount === 1
        ? sentence('one-request-checked')
        : sentence('requests-checked', { requestCount: checkedCount })),
    approvedCount > 0 &&
      (approvedCount === 1
        ? sentence('one-approval-parked')
        : sentence('approvals-parked', { payoutCount: approvedCount })),
  ].filter((sentence) => sentence !== false);
}

/**
 * Reconciles a method if that was asked for and is not done.
 * @returns the reason why payouts must still wait; undefined if there is none
 */
export async function reconcileMethod(
  turn: ReconciliationParts,
  method: string,
  setup: RailSetup,
): Promise<string | undefined> {
  const pending = await reconciliations.findPendingReconciliation(turn.database, method);
  return pending && reconcilePending(turn, method, setup, pending);
}

/**
 * Compares a method because an operator asks for it. While the payments can't be listed, nothing waits for this
 * comparison that did not wait before.
 * @returns the reason why it could not be made; undefined if it was
 */
export async function compareMethod(
  turn: ReconciliationParts,
  method: string,
  setup: RailSetup,
): Promise<string | undefined> {
  const pending = await reconciliations.findPendingReconciliation(turn.database, method);
  if (pending !== undefined) return reconcilePending(turn, method, setup, pending);
  const trouble = setup.kind === 'unusable' ? setup.reason : await compareAll(turn, method, setup);
  return trouble === undefined ? undefined : `not compared: ${trouble}`;
}

async function reconcilePending(
  turn: ReconciliationParts,
  method: string,
  setup: RailSetup,
  { reason }: { reason: string },
): Promise<string | undefined> {
  const trouble = setup.kind === 'unusable' ? setup.reason : await compareAll(turn, method, setup);
  if (trouble === undefined) return undefined;
  await reconciliations.noteReconciliationTrouble(turn.database, turn.lease, method, trouble);
  return `${reason} ${sentence('could-not-compare')} ${trouble}`;
}

async function compareAll(
  turn: ReconciliationParts,
  method: string,
  { rail }: Extract<RailSetup, { kind: 'usable' }>,
): Promise<string | undefined> {
  const { database, config, lease, log } = turn;
  const pending = await reconciliations.findPendingReconciliation(database, method);
  const { since } = await reconciliations.readReconciliationStart(database, method);
  const listing = await listOfAwaited(database, rail, method, since);
  if (listing.kind === 'unknown') return listing.reason;
  const unaccounted = await readUnaccountedOf(database, method, listing.payments);
  const payouts = await queries.readUnprepared(database, method);
  const parkedCount = await parkMatches(turn, payouts, unaccounted);
  const requests = await readPendingRequests(database, method);
  const known = foundElsewhere(await readFoundPayments(database, method), listing.payments);
  const found = requests.flatMap((request) => {
    const later = [...unaccounted, ...known].filter(({ at }) => at >= request.listedSince);
    const comparison = comparisonOf(request, later, 'request');
    return comparison.kind === 'possible' ? [{ ...comparison, id: request.withdrawalId }] : [];
  });
  // Known with the comparison, which lets payouts of this sweep go on that were approved before.
  const sent = await findSentPayments(
    config.dataDir,
    unaccounted.map((payment) => ({ ...payment, method })),
  );
  const left = await database.transaction(async (tx) => {
    if (!(await checkLease(tx, lease))) return undefined;
    await endAccountedChecks(tx, method);
    for (const { id, ...possible } of found) await noteCheck(tx, id, possible);
    for (const payment of unaccounted) await accounted.insertUnaccounted(tx, method, payment);
    await accounted.storeOwners(tx, [...sent.values()]);
    const accounts = await reconciliations.noteCompared(
      tx,
      method,
      listing.account,
      pending?.askedAt ?? null,
    );
    return accounts ?? 'asked anew';
  });
  if (left === undefined) return sentence('other-node-has-turn');
  if (left === 'asked anew') return compareAll(turn, method, { kind: 'usable', rail });
  if (left.length > 0) return connectSentence(left);
  const counts = {
    method,
    payouts: payouts.length,
    parked: parkedCount,
    requests: requests.length,
    checked: found.length,
    unaccounted: unaccounted.length,
  };
  log.warn(counts, 'the payouts of a method were compared with the payments that were made');
  for (const { id, reason } of found)
    log.error({ withdrawal: id, reason }, 'a pending request is held for a check');
  for (const { reference, destination } of unaccounted)
    log.error({ method, reference, destination }, 'no payout accounts for a payment');
  return undefined;
}

/**
 * Reads the list of an account whose payments are still to be compared. After a restore these are all accounts that
 * paid since, in any order.
 */
async function listOfAwaited(
  database: ReconciliationParts['database'],
  rail: Rail,
  method: string,
  since: Date,
): Promise<Listing> {
  const awaited = (await reconciliations.findPendingReconciliation(database, method))?.awaitedAccounts ?? [];
  if (awaited.length === 0) return listOfKnownAccount(database, rail, method, since);
  const listing = await rail.list(since);
  if (listing.kind === 'unknown') return listing;
  if (listing.account === null) {
    // The newest account is the one that is noted. One without a name is known by its payments.
    const known = await listOfKnownAccount(database, rail, method, since);
    return known.kind === 'unknown' ? known : { ...known, account: awaited.at(-1) ?? null };
  }
  if (awaited.includes(listing.account)) return listing;
  return { kind: 'unknown', reason: connectSentence(awaited) };
}

const connectSentence = (accounts: readonly string[]): string =>
  sentence('accounts-to-connect', { accountList: accounts.join(', ') });

/**
 * Stores the payments that this node has sent and that this database does not know, as a comparison does: their points
 * and the requests that they paid are held. For a method whose payments can't be listed.
 */
export async function holdRecorded(
  { database, config }: Pick<ReconciliationParts, 'database' | 'config'>,
  method: string,
): Promise<accounted.RecordedPayment[]> {
  const sent = await readSentPayments(config.dataDir, method);
  return database.transaction(async (tx) => {
    const recorded = await accounted.readRecordedOnly(tx, sent);
    for (const payment of recorded) {
      await accounted.insertUnaccounted(tx, method, payment);
      const comparison = comparisonOf(payment, [payment], 'request');
      if (payment.isPending && comparison.kind === 'possible')
        await noteCheck(tx, payment.withdrawalId, comparison);
    }
    await accounted.storeOwners(tx, sent);
    return recorded;
  });
}

async function parkMatches(
  { database, lease, log }: ReconciliationParts,
  payouts: readonly ComparedPayout[],
  unaccounted: readonly ListedPayment[],
): Promise<number> {
  let parkedCount = 0;
  for (const payout of payouts) {
    const comparison = comparisonOf(payout, unaccounted);
    if (comparison.kind !== 'possible') continue;
    const { reason } = comparison;
    if (!(await queries.parkUnprepared(database, lease, payout.withdrawalId, comparison))) continue;
    parkedCount += 1;
    log.error({ withdrawal: payout.withdrawalId, reason }, 'a payout is parked');
  }
  return parkedCount;
}

/**
 * What each process has looked up, and when the files of its record last changed. It is looked up again when files were
 * put back.
 */
const lookedUp = new WeakMap<Platform['config'], { keys: Set<string>; changedAt: number | null }>();

const lookUpKeyOf = (payment: accounted.UnnamedPayment): string =>
  `${keyOf(payment)} ${payment.foundAt.getTime()}`;

/**
 * Stores whose the unaccounted payments are that this node sent, where another node found them. Once the member is
 * known, the member's requests alone wait until an operator took note: the points of the payment are back in the
 * balance.
 */
export async function nameUnaccounted({
  database,
  config,
}: Pick<Platform, 'database' | 'config'>): Promise<void> {
  const unnamed = await accounted.readUnnamed(database);
  if (unnamed.length === 0) return;
  const changedAt = await findRecordChange(config.dataDir);
  const before = lookedUp.get(config);
  const isKnown = (payment: accounted.UnnamedPayment) =>
    before?.changedAt === changedAt && before.keys.has(lookUpKeyOf(payment));
  const added = unnamed.filter((payment) => !isKnown(payment));
  if (added.length > 0) {
    const sent = await findSentPayments(config.dataDir, added);
    if (sent.size > 0) await accounted.storeOwners(database, [...sent.values()]);
  }
  lookedUp.set(config, { keys: new Set(unnamed.map(lookUpKeyOf)), changedAt });
}
