import { sentence } from '#contract/operator-sentences.ts';
import { isDatabaseOutage, type Tx } from '#platform/database.ts';
import { checkLease, type Lease } from '#platform/leases.ts';
import type { Platform } from '#platform/platform.ts';
import * as accounted from './accounted-queries.ts';
import { notePayments } from './notes-command.ts';
import type { RailSetup } from './payment-methods.ts';
import { wordOf } from './payment-word.ts';
import { comparisonOf, foundElsewhere, listOfKnownAccount, readUnaccountedOf } from './payout-comparison.ts';
import * as queries from './payout-queries.ts';
import { lockMethod } from './queries.ts';
import type { ComparedPayout, ListedPayment, Listing, Rail } from './rails/rail.ts';
import * as reconciliations from './reconciliation-queries.ts';
import {
  endAccountedChecks,
  noteCheck,
  readFoundPayments,
  readPendingRequests,
} from './request-check-queries.ts';
import {
  changedSince,
  findSentPayments,
  keyOf,
  listRecordFiles,
  type RecordFiles,
  readSentPayments,
} from './sent-payments.ts';

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
  reasons,
}: accounted.LeftAfterRestore): string[] {
  const methods = pending.map(({ method }) => method).join(', ');
  const left = [
    pending.length > 0 && sentence('methods-wait', { methodList: methods }),
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
  return left.length > 0 ? [...reasons, ...left] : [];
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
  if (pending !== undefined) return reconcilePending(turn, method, setup, pending);
  await noteImpossible(turn, method, setup);
  return undefined;
}

/** When each process last asked what became of the payments of a method that it holds. */
const askedAt = new WeakMap<Platform['config'], Map<string, number>>();
const ASK_AGAIN_MS = 60_000;

/**
 * Takes note of the payments of the record that can certainly never be made, asking at most once a minute. Where
 * another payment has the place of one, it has paid that one's member, and holds what that one held.
 */
async function noteImpossible(turn: ReconciliationParts, method: string, setup: RailSetup): Promise<void> {
  const asked = askedAt.get(turn.config) ?? new Map<string, number>();
  askedAt.set(turn.config, asked);
  const now = performance.now();
  if (setup.kind === 'unusable' || now - (asked.get(method) ?? -ASK_AGAIN_MS) < ASK_AGAIN_MS) return;
  asked.set(method, now);
  await noteImpossibleNow(turn, method, setup.rail);
}

async function noteImpossibleNow(
  { database, lease }: ReconciliationParts,
  method: string,
  rail: Rail,
): Promise<void> {
  const owned = await accounted.readOwnedOf(database, method);
  const impossible: accounted.UnaccountedRow[] = [];
  const successors: { former: accounted.UnaccountedRow; by: string; paidUnits: bigint }[] = [];
  for (const payment of owned) {
    const word = await wordOf(rail, payment);
    if (word.kind === 'impossible' || word.kind === 'replaced') impossible.push(payment);
    if (word.kind === 'replaced')
      successors.push({ former: payment, by: word.by, paidUnits: word.paidUnits });
  }
  if (impossible.length === 0) return;
  const note = { reason: sentence('payment-impossible'), isNeverMade: true, actor: 'site' } as const;
  await database.transaction(async (tx) => {
    if (!(await checkLease(tx, lease))) return;
    for (const { former, by, paidUnits } of successors)
      await accounted.insertSuccessor(tx, former, { reference: by, amountUnits: paidUnits });
    await checkNamed(tx);
    await notePayments(tx, impossible, note);
  });
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
  if (trouble === undefined && setup.kind === 'usable') await noteImpossibleNow(turn, method, setup.rail);
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
    for (const payment of unaccounted) await accounted.insertListed(tx, method, payment);
    await accounted.storeOwners(tx, [...sent.values()]);
    await checkNamed(tx);
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

type RecordParts = Pick<Platform, 'database' | 'config'>;

/**
 * Stores the payments that this node has sent and that this database does not know, as a comparison does: their points
 * and the requests that they paid are held. So it matters to nobody whose list shows them, or whether one ever does.
 * @param names the files of the record to read; all of them if none are named
 */
export async function storeRecorded(
  { database, config }: RecordParts,
  names?: readonly string[],
): Promise<void> {
  for await (const sent of readSentPayments(config.dataDir, names)) {
    await database.transaction(async (tx) => {
      for (const payment of await accounted.readRecordedOnly(tx, sent)) {
        // The copy may be older than the first change of the method.
        await lockMethod(tx, payment.method);
        await accounted.insertUnaccounted(tx, payment.method, payment);
      }
      await accounted.storeOwners(tx, sent);
      await checkNamed(tx);
    });
  }
}

/** For which timeline each process has stored its record, and the files as they were then. */
const stored = new WeakMap<Platform['config'], { stamp: string; files: RecordFiles }>();

/**
 * Stores the record of this node once for each timeline of a site that was restored, and a file again when it was put
 * back or written. Before any payment of a sweep: another node may have found or given up what this one knows.
 */
export async function holdRecorded(parts: RecordParts): Promise<void> {
  const stamp = await reconciliations.findRestoreStamp(parts.database);
  if (stamp === undefined) return;
  const files = await listRecordFiles(parts.config.dataDir);
  const before = stored.get(parts.config);
  const names = changedSince(files, before?.stamp === stamp ? before.files : undefined);
  if (names.length > 0) await storeRecorded(parts, names);
  stored.set(parts.config, { stamp, files });
}

/** Holds what this node's record knows. While it can't be read nothing is signed, and the sweep goes on. */
export async function holdIfReadable(parts: RecordParts & Pick<Platform, 'log'>): Promise<void> {
  try {
    await holdRecorded(parts);
  } catch (error) {
    if (isDatabaseOutage(error) || !/^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? ''))
      throw error;
    parts.log.error({ error }, 'the record of sent payments can’t be read');
  }
}

/** Puts each pending request in check that a payment names, also one that an operator has cleared of it before. */
async function checkNamed(reader: Tx): Promise<void> {
  for (const { withdrawalId: id, ...payment } of await accounted.readUnchecked(reader)) {
    const request = { withdrawalId: id, destination: payment.destination, clearedReferences: [] };
    const comparison = comparisonOf(request, [{ ...payment, withdrawalId: null }], 'request');
    if (comparison.kind === 'possible') await noteCheck(reader, id, comparison);
  }
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

/** What each process has looked up, and the files of its record as they were then. A changed one is read again. */
const lookedUp = new WeakMap<Platform['config'], { keys: Set<string>; files: RecordFiles }>();

const lookUpKeyOf = (payment: accounted.UnnamedPayment): string =>
  `${keyOf(payment)} ${payment.foundAt.getTime()}`;

/**
 * Stores whose the unaccounted payments are that this node sent, where another node found them. Once the member is
 * known, the member's requests alone wait until an operator took note: the points of the payment are back in the
 * balance.
 */
export async function nameUnaccounted({ database, config }: RecordParts): Promise<void> {
  // An approval that was taken back since left a request that a payment names.
  await database.transaction(checkNamed);
  const unnamed = await accounted.readUnnamed(database);
  if (unnamed.length === 0) return;
  const files = await listRecordFiles(config.dataDir);
  const before = lookedUp.get(config);
  const isKnown = (payment: accounted.UnnamedPayment) => before?.keys.has(lookUpKeyOf(payment)) === true;
  const names = unnamed.every(isKnown) ? changedSince(files, before?.files) : [...files.keys()];
  if (names.length > 0) {
    const sent = await findSentPayments(config.dataDir, unnamed, names);
    if (sent.size > 0)
      await database.transaction(async (tx) => {
        await accounted.storeOwners(tx, [...sent.values()]);
        await checkNamed(tx);
      });
  }
  lookedUp.set(config, { keys: new Set(unnamed.map(lookUpKeyOf)), files });
}
