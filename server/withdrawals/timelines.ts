import { sentence } from '#contract/operator-sentences.ts';
import { type ActPlace, hasAct, readNewestAct } from '#platform/act-places.ts';
import { isDatabaseOutage } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { endAllSessions, findNewestSessionTime } from '../access/access.ts';
import { findActsMarker, raiseActsMarker, replaceActsMarker } from './acts-marker.ts';
import { endBulkActs } from './bulk-queries.ts';
import { findMarker, type Marker, raiseMarker, tryMarker } from './payment-marker.ts';
import {
  askForReconciliation,
  awaitAccounts,
  beginTimeline,
  parkApproved,
  readDoneForRestore,
  readTimeline,
  type Timeline,
} from './reconciliation-queries.ts';
import { tryRecord } from './sent-payments.ts';

/**
 * Shows that this is the database that the node last used. A timeline is a stamp in the database, the count of payments
 * that were stored under it, and a hash over their references. Each node keeps them in a marker outside the database. A
 * database that does not know the marker's stamp, has a lower count under it, or has another payment under the marker's
 * number, is another one: an older copy was restored, or a stand-by that lacks the last payments took over. Then a new
 * timeline begins, and the payouts of each method are compared with the outside party's own list before anything is
 * prepared (`reconciliation.ts`). The marker also names the accounts that paid, because an older copy does not know
 * that another account paid since, and one account's list does not show what another one paid.
 *
 * So is a database whose audit trail lacks the newest act that the node has seen (`acts-marker.ts`). No list shows what
 * was decided since without a payment: an approval of the copy may have been taken back. So what it has approved and
 * not signed is parked then, until an operator has looked at it, and its unfinished acts on many decide nothing more.
 * The same happens where the database does not know the marker's stamp: the copy is older than that timeline. While the
 * trail lacks nothing, what the comparison shows to be clear goes on. Sessions of the copy may have been ended since,
 * so all end.
 *
 * Each node that finds the restore begins a timeline, because it may know of other payments. It parks and ends what is
 * of the copy, and leaves alone what came since the first node has begun one: that was approved after the restore, and
 * its operators know of it. What an earlier node has parked or ended is done.
 *
 * The marker of one of several nodes may be behind the database, because another node paid. So a node that is behind
 * can't see a restore, until a node that knows of more payments starts. That one sees it also when other payments have
 * reached its count. A node that has no marker can't show anything, so a database with withdrawals counts as another
 * one. It is compared only, because the node may be a new one.
 */
export type TimelineParts = Pick<Platform, 'database' | 'config' | 'log' | 'health'>;

/** The name of the marker in health. */
const PART = 'payments-marker';

/**
 * Compares database and marker, and raises the marker to the database's count. Call it at the start, before a payment
 * is prepared, and before a stored payment is sent for the first time. If this is another database than before, it asks
 * for reconciliations. A marker that can't be read or written is reported to health.
 * @param mustTry whether the marker must be writable now, also if there is nothing to write yet
 * @returns the reason why nothing may be sent; undefined if there is none
 */
export async function verifyTimeline(platform: TimelineParts, mustTry = false): Promise<string | undefined> {
  const { health, log } = platform;
  const isInTrouble = health.troubles().some(({ name }) => name === PART);
  try {
    const difference = await compareWithMarker(platform, mustTry || isInTrouble);
    health.report(PART, undefined);
    return difference;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!/^E[A-Z]+$/.test(code) || isDatabaseOutage(error)) throw error;
    if (!isInTrouble) log.error({ error }, 'the marker of payments in DATA_DIR can’t be read or written');
    const reason = sentence('marker-unusable', { code });
    health.report(PART, reason);
    return reason;
  }
}

/**
 * What shows a command that the site has not started on this database since an older copy was restored. Unlike
 * `verifyTimeline` it writes no marker and begins no timeline: the shell may belong to another user than the node. A
 * shell without markers shows nothing.
 * @returns why nothing may be decided yet, and whether the markers could be read; undefined if it may
 */
export async function findUnseenRestore(
  parts: Pick<TimelineParts, 'database' | 'config' | 'log'>,
): Promise<{ reason: string; isReadable: boolean } | undefined> {
  try {
    const { marker, difference, lostActs } = await readDifference(parts);
    const reason = marker === undefined ? lostActs : difference;
    return reason === undefined ? undefined : { reason, isReadable: true };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!/^E[A-Z]+$/.test(code) || isDatabaseOutage(error)) throw error;
    return { reason: sentence('marker-unusable', { code }), isReadable: false };
  }
}

/** Compares the markers of DATA_DIR with the database. */
async function readDifference({
  database,
  config: { dataDir },
  log,
}: Pick<TimelineParts, 'database' | 'config' | 'log'>) {
  // The markers are read first: the counts in the database may grow meanwhile.
  const [marker, acts] = [await findMarker(dataDir), await findActsMarker(dataDir)];
  const timeline = await readTimeline(database, marker);
  const lostActs = await findActsDifference({ database, log }, acts);
  return { marker, timeline, lostActs, difference: differenceOf(marker, timeline) ?? lostActs };
}

async function compareWithMarker(parts: TimelineParts, mustTry: boolean): Promise<string | undefined> {
  const { database, log } = parts;
  const { dataDir } = parts.config;
  const { marker, timeline, lostActs, difference } = await readDifference(parts);
  // A timeline whose marker can't be written would begin anew at each look.
  if (mustTry || difference !== undefined) {
    await tryMarker(dataDir);
    await tryRecord(dataDir);
  }
  if (difference === undefined) {
    await raiseMarker(dataDir, timeline, timeline.accounts);
    await raiseActsMarker(dataDir, await readNewestAct(database));
    return undefined;
  }
  // A node without a marker may be a new one. It can't show that anything was lost.
  const isShown = marker !== undefined || lostActs !== undefined;
  // A copy that does not know the marker's timeline is older than its start. After a second restore of one backup the
  // marker of acts is that of the copy, so only this shows that decisions are lost.
  const hasLostActs = lostActs !== undefined || (marker !== undefined && timeline.countOfMarker === null);
  const { stamp, ...left } = await database.transaction(async (tx) => {
    const insteadOf = marker?.stamp ?? null;
    const done = await readDoneForRestore(tx, insteadOf);
    const mustPark = hasLostActs && !done.hasParkedApproved;
    const mustEnd = isShown && !done.hasEndedSessions;
    // What this node leaves out because another one did it may have been done before this copy was restored. So it is
    // not written as done: the node that knows more still does it.
    const next = await beginTimeline(tx, {
      insteadOf,
      newestSessionAt: await findNewestSessionTime(tx),
      hasEndedSessions: mustEnd,
      hasParkedApproved: mustPark,
    });
    if (mustPark) await endBulkActs(tx, sentence('act-of-copy'), done.copiedUntil);
    const parkedCount = mustPark ? await parkApproved(tx, sentence('approved-in-copy'), done.copiedUntil) : 0;
    await askForReconciliation(tx, next.number, difference, marker);
    for (const [method, accounts] of Object.entries(marker?.accounts ?? {}))
      await awaitAccounts(tx, method, accountsSince(accounts, timeline.accounts[method]));
    const endedSessions = mustEnd ? Number(await endAllSessions(tx, done.copiedUntil)) : 0;
    return { stamp: next.stamp, parkedCount, endedSessions };
  });
  log.error(
    { difference, ...left },
    'this is not the database last used; payouts are compared before any is paid',
  );
  await raiseMarker(dataDir, { stamp, paymentCount: 0n, digest: '', storedAt: null }, {});
  await replaceActsMarker(dataDir, await readNewestAct(database));
  return difference;
}

/** What shows that the database lacks an act that this node has seen. Undefined if nothing does. */
async function findActsDifference(
  parts: Pick<TimelineParts, 'database' | 'log'>,
  marker: ActPlace | undefined,
): Promise<string | undefined> {
  if (marker === undefined || (await hasAct(parts, marker))) return undefined;
  const { number } = await readNewestAct(parts.database);
  return number < marker.number
    ? sentence('acts-older', { knownCount: number, markedCount: marker.number })
    : sentence('acts-forked', { markedCount: marker.number });
}

/** The accounts that may have paid since the database noted this one. All of them if it noted none of them. */
const accountsSince = (accounts: readonly string[], noted: string | undefined): readonly string[] =>
  accounts.slice(Math.max(0, accounts.indexOf(noted ?? '')));

/** What shows that the database is another one. Undefined if nothing does. */
function differenceOf(marker: Marker | undefined, timeline: Timeline): string | undefined {
  if (marker === undefined) {
    return timeline.hasWithdrawals ? sentence('marker-missing') : undefined;
  }
  const { countOfMarker, digestOfMarker } = timeline;
  if (countOfMarker === null) return sentence('database-other');
  if (countOfMarker < marker.paymentCount)
    return sentence('database-older', { knownCount: countOfMarker, markedCount: marker.paymentCount });
  if ((digestOfMarker ?? '') === marker.digest) return undefined;
  return sentence('database-forked', { markedCount: marker.paymentCount });
}
