import { recordActs } from '#platform/audit-trail.ts';
import type { Database, Tx } from '#platform/database.ts';
import { checkLease, type Lease, takeLease, takeLeaseWithin } from '#platform/leases.ts';
import type { Platform } from '#platform/platform.ts';
import {
  noteUnaccountedSeen,
  readUnaccounted,
  readUnaccountedOfWithdrawal,
  type UnaccountedRow,
} from './accounted-queries.ts';
import { destinationText, setUpRail } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import { OTHER_ACCOUNT } from './payout-comparison.ts';
import * as queries from './payout-queries.ts';
import { compareMethod, holdRecorded, nameUnaccounted } from './reconciliation.ts';
import {
  askForAccount,
  findPendingReconciliation,
  giveUpReconciliation,
  readApprovedInCopy,
  readComparedMethods,
  releaseApproved,
} from './reconciliation-queries.ts';
import { readOpenChecks } from './request-check-queries.ts';
import { findRecordStart, keyOf } from './sent-payments.ts';

/**
 * The command `reconcile`: compares the payouts of every method with the outside party's list now, and returns the
 * comparison as lines of text. What is clear is released. Payments that no payout accounts for are told once; the
 * operator takes note of them by this command. A possible match stays parked, for an operator to decide.
 */
export type ReconcileParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'health'>;

const LEASE_WAIT_MS_MAX = 20_000;
const UNACCOUNTED_MAX = 1_000;
const HELD =
  'No request of a member named here is paid before the revoke that is printed, or the note ' +
  '`npm run admin -- reconcile --noted --not-owed REASON` where nothing is owed.';
const ALL_HELD =
  'While a payment names no member, no request of anybody is paid. Revoke its points if you know whose they are. ' +
  'Then take note: `npm run admin -- reconcile --noted REASON`.';

const APPROVED =
  'approved in the copy. An approval may have been taken back since: give such a payout up in the back office first. ' +
  'The others are paid after `npm run admin -- reconcile --release-approved REASON`.';

const NOT_RELEASED =
  'A payment of which nobody took note may have paid their points, or a method is not compared. Do as the lines ' +
  'above say, take note, and then release them.';

const NOT_OWED = 'If points were earned after the backup, they are not in this copy either: add --not-owed.';

/** What to do about a payment. The key is the request's, so a repeated command takes nothing more. */
function adviceOn({
  withdrawalId,
  memberId,
  points,
  isHeld,
  notedAt,
}: Pick<UnaccountedRow, 'withdrawalId' | 'memberId' | 'points' | 'isHeld' | 'notedAt'>): string {
  if (withdrawalId === null) return 'no request holds its points: revoke them';
  if (memberId === null)
    return `it paid ${points} points of a member who is not in this database: nothing to revoke`;
  if (isHeld) return `its points are held by request ${withdrawalId}: nothing to revoke`;
  const revoke = `revoke --key paid-${withdrawalId} ${memberId} ${points}`;
  if (notedAt === null) return `no request holds its points: ${revoke}`;
  return (
    `noted on ${notedAt.toISOString()} before its member was known. If its points were revoked then, ` +
    `take note once more; else ${revoke}`
  );
}

/** A payment and whose it is, as an operator has read it. */
const readKeyOf = (payment: UnaccountedRow): string => `${keyOf(payment)} ${payment.withdrawalId}`;

/** A method that pays from another account than before, whether the former one is lost for good, and why. */
export type NewAccount = { method: string; isLost?: boolean; reason?: string };

/**
 * @param newAccount as the operator means it
 * @param notedReason why the operator takes note of the payments that no payout accounts for; null for no note
 * @param isNotOwed whether that is meant also of those whose member is known and whose points were not revoked
 * @param releaseReason why the operator releases the payouts that the copy has approved; null to release none
 * @returns the lines, and whether every method could be compared
 */
export async function reconcilePayouts(
  platform: ReconcileParts,
  newAccount: NewAccount | null = null,
  notedReason: string | null = null,
  isNotOwed = false,
  releaseReason: string | null = null,
): Promise<{ lines: string[]; isComplete: boolean }> {
  const { database } = platform;
  const lines = newAccount === null ? [] : await acceptAccount(platform, newAccount);
  let isComplete = lines.length === 0;
  const before = new Set((await readUnaccounted(database, UNACCOUNTED_MAX)).map(readKeyOf));
  const approved = await readApprovedInCopy(database);
  for (const { method } of await readComparedMethods(database)) {
    const trouble = await compareNow(platform, method);
    if (trouble !== undefined) isComplete = false;
    lines.push(`${method}: ${trouble ?? 'compared; what is clear goes on'}`);
  }
  const parked = await queries.readParked(database);
  for (const { withdrawalId, method, amountUnits, trouble } of parked)
    lines.push(`${method}: payout ${withdrawalId} of ${amountText(amountUnits)} is parked. ${trouble ?? ''}`);
  for (const { withdrawalId, method, reason } of await readOpenChecks(database))
    lines.push(`${method}: request ${withdrawalId} waits for a decision. ${reason}`);
  await nameUnaccounted(platform);
  const unaccounted = await readUnaccounted(database, UNACCOUNTED_MAX);
  lines.push(...(await linesOfUnaccounted(platform.config.dataDir, unaccounted)));
  if (notedReason !== null && unaccounted.length > 0)
    lines.push(...(await noteAll(database, unaccounted, { before, reason: notedReason, isNotOwed })));
  else {
    if (unaccounted.some(({ memberId }) => memberId !== null)) lines.push(HELD);
    if (unaccounted.some(({ withdrawalId }) => withdrawalId === null)) lines.push(ALL_HELD);
  }
  if (releaseReason !== null) lines.push(...(await releaseAll(database, approved, releaseReason)));
  const left = await readApprovedInCopy(database);
  if (left.length > 0) lines.push(`${countOf(left)} ${APPROVED}`);
  return { lines, isComplete };
}

/**
 * Releases the payouts that the restored copy has approved and that waited before this run: the operator has seen no
 * others. What may have paid one of them was found by the comparison, and that one waits for its own act. None is
 * released whose points may be paid already: its approval may have been taken back, and its points asked for anew.
 */
async function releaseAll(
  database: Database,
  waiting: readonly { withdrawalId: string }[],
  reason: string,
): Promise<string[]> {
  const released = await database.transaction(async (tx) => {
    const rows = await releaseApproved(
      tx,
      waiting.map(({ withdrawalId }) => withdrawalId),
    );
    const act = { actor: 'command-line', act: 'payout.retry', reason } as const;
    await recordActs(
      tx,
      rows.map(({ withdrawalId: id, memberId }) => ({
        ...act,
        target: { kind: 'withdrawal', id, memberId },
        before: { state: 'parked' },
        after: { state: 'queued' },
      })),
    );
    return rows;
  });
  const left = new Set((await readApprovedInCopy(database)).map(({ withdrawalId }) => withdrawalId));
  const held = waiting.filter(({ withdrawalId }) => left.has(withdrawalId));
  return [
    `Released ${countOf(released)} that the copy has approved.`,
    ...(held.length === 0 ? [] : [`Not released: ${countOf(held)}. ${NOT_RELEASED}`]),
  ];
}

const countOf = ({ length }: readonly unknown[]): string =>
  `${length} ${length === 1 ? 'payout' : 'payouts'}`;

/**
 * Takes note of payments. One whose member is known is left out unless its points are not owed: `revoke` with its key
 * takes note of it, and a note without it would free the points to be paid again. One that was noted before its member
 * was known may be revoked already, so it is noted again. One that nobody could read before is left out.
 */
async function noteAll(
  database: Database,
  unaccounted: readonly UnaccountedRow[],
  { before, reason, isNotOwed }: { before: ReadonlySet<string>; reason: string; isNotOwed: boolean },
): Promise<string[]> {
  const known = unaccounted.filter((payment) => before.has(readKeyOf(payment)));
  const owed = isNotOwed
    ? []
    : known.filter(({ memberId, notedAt }) => memberId !== null && notedAt === null);
  const noted = known.filter((payment) => !owed.includes(payment));
  const seen = await database.transaction((tx) => notePayments(tx, noted, reason));
  const left = (payments: readonly UnaccountedRow[]) => payments.map(({ reference }) => reference).join(', ');
  const found = unaccounted.filter((payment) => !known.includes(payment));
  return [
    `Took note of ${seen} ${seen === 1 ? 'payment' : 'payments'}.`,
    ...(found.length === 0 ? [] : [`Not noted, because this run found it: ${left(found)}.`]),
    ...(owed.length === 0
      ? []
      : [`Not noted, because its points were not revoked: ${left(owed)}. ${NOT_OWED}`]),
  ];
}

/** The payments of a withdrawal, by the key of the command that revokes its points. None for another key. */
async function readPaymentsOfKey(database: Database, requestKey: string): Promise<UnaccountedRow[]> {
  const withdrawalId = /^paid-([0-9a-f-]{36})$/.exec(requestKey)?.[1];
  return withdrawalId === undefined ? [] : readUnaccountedOfWithdrawal(database, withdrawalId);
}

/**
 * What speaks against revoking these points under this key: a payment that paid another member, or other points, or
 * whose points a request holds. It would be noted, and its points could be paid again.
 * @returns the command as it is meant; undefined if nothing speaks against it
 */
export async function findRevokeFault(
  database: Database,
  requestKey: string,
  { memberId, amountPoints }: { memberId: number; amountPoints: bigint },
): Promise<string | undefined> {
  const [other] = (await readPaymentsOfKey(database, requestKey)).filter(
    (payment) => payment.isHeld || payment.memberId !== memberId || payment.points !== amountPoints,
  );
  return other && `${other.reference}: ${adviceOn(other)}`;
}

/**
 * Takes note of the payments of a withdrawal whose points were revoked by the command that this one prints.
 * @param requestKey the key of that command
 */
export async function noteRevoked(database: Database, requestKey: string, reason: string): Promise<void> {
  const payments = await readPaymentsOfKey(database, requestKey);
  await database.transaction((tx) => notePayments(tx, payments, reason));
}

async function notePayments(tx: Tx, payments: readonly UnaccountedRow[], reason: string): Promise<number> {
  const seen = await noteUnaccountedSeen(tx, payments);
  const act = { actor: 'command-line', act: 'payout.reconcile', reason } as const;
  await recordActs(
    tx,
    seen.map(({ reference }) => ({ ...act, target: { kind: 'payment', id: reference } })),
  );
  return seen.length;
}

async function linesOfUnaccounted(dataDir: string, payments: readonly UnaccountedRow[]): Promise<string[]> {
  const lines = payments.map((payment) => {
    const { method, reference, destination, amountUnits, paidAt } = payment;
    const to = `${amountText(amountUnits)} to ${destinationText(method, destination)}`;
    return `${method}: no payout accounts for ${reference}, ${to}, ${paidAt.toISOString()}; ${adviceOn(payment)}`;
  });
  if (payments.some(({ withdrawalId }) => withdrawalId === null)) {
    const start = await findRecordStart(dataDir);
    const record = start === undefined ? 'is empty' : `begins on ${start}`;
    lines.push(
      `The record of sent payments of this node ${record}. Run this command on the other nodes too.`,
    );
  }
  return lines;
}

/**
 * Lets a method pay from another account from now on. Not while a comparison after a restore is due: the list of the
 * other account does not show what the former one paid. Not while payouts may be paid by the former account either,
 * because only that one shows what becomes of them, unless the operator says that it is lost. Where a restore asked for
 * a comparison, the other account's list must be compared too before anything is paid from it.
 * @returns why not, as lines
 */
function acceptAccount(
  platform: ReconcileParts,
  { method, isLost = false, reason }: NewAccount,
): Promise<string[]> {
  const { database } = platform;
  const refused = `${method}: the account was not changed.`;
  return withTurn(platform, method, [`${refused} ${BUSY}`], async (lease) => {
    const pending = await findPendingReconciliation(database, method);
    if (pending !== undefined)
      return [
        `${refused} ${pending.reason} Connect the former account and compare, ` +
          'or give the comparison up: `npm run admin -- reconcile --give-up METHOD REASON`.',
      ];
    return database.transaction(async (tx) => {
      if (!(await checkLease(tx, lease))) return [`${refused} ${BUSY}`];
      const open = isLost ? [] : await queries.readPaidByAccount(tx, method);
      if (open.length > 0) return [`${refused} ${OPEN_PAYOUTS}`, ...open.map(lineOf)];
      const forgotten = await queries.forgetPayingAccount(tx, lease, method, OTHER_ACCOUNT);
      if (forgotten === undefined) return [`${refused} ${NOT_FORGOTTEN}`];
      await askForAccount(tx, method);
      const { account } = forgotten;
      const act = actOn(method);
      const before = account === null ? {} : { account };
      await recordActs(tx, [
        { ...act, reason: reason ?? null, before, ...(isLost && { after: { isLost } }) },
      ]);
      return [];
    });
  });
}

const actOn = (method: string) =>
  ({
    actor: 'command-line',
    act: 'payout.reconcile',
    target: { kind: 'payment-method', id: method },
  }) as const;

const BUSY = 'Another process works on these payouts.';
const NOT_FORGOTTEN = 'The method is not set up, or a comparison after a restore was asked for just now.';
const OPEN_PAYOUTS =
  'Only the former account shows what becomes of these payouts. Connect it until they are confirmed, and settle, ' +
  'retry or give up the parked ones. If it is lost for good, add --lost.';

const lineOf = ({ method, withdrawalId, amountUnits, state, references }: queries.PaidByAccount): string =>
  `${method}: payout ${withdrawalId} of ${amountText(amountUnits)} is ${state}: ${references.join(', ')}`;

/**
 * Ends the comparison of a method whose payments can never be listed again, for example because its account is lost.
 * Its pending requests can be decided then, but for those that may be paid already. The payments that the record of
 * this node knows, and this database does not, are stored as a comparison would, and told before it ends.
 * @param isNoted whether the operator has seen to these
 * @returns whether it was ended, and why not or what was left, as lines
 */
export async function giveUpComparison(
  { database, config }: Pick<ReconcileParts, 'database' | 'config'>,
  method: string,
  reason: string,
  isNoted = false,
): Promise<{ isDone: boolean; lines: string[] }> {
  if ((await findPendingReconciliation(database, method)) === undefined)
    return { isDone: false, lines: [`${method} waits for no comparison.`] };
  const recorded = await holdRecorded({ database, config }, method);
  if (recorded.length > 0 && !isNoted) {
    const lines = recorded.map(
      (payment) => `${method}: ${payment.reference} was sent; ${adviceOn({ ...payment, notedAt: null })}`,
    );
    return { isDone: false, lines: [...lines, RECORDED] };
  }
  return database.transaction(async (tx) => {
    const before = await giveUpReconciliation(tx, method);
    if (before === undefined) return { isDone: false, lines: [`${method} waits for no comparison.`] };
    await recordActs(tx, [{ ...actOn(method), reason, before, after: { isGivenUp: true } }]);
    return {
      isDone: true,
      lines: [`${method}: the comparison is given up. Its pending requests can be decided.`],
    };
  });
}

const RECORDED =
  'This node has sent these payments, and this database does not know them. Do as the lines say, give up the payouts ' +
  'of these withdrawals that it has, run the command on the other nodes too, and then add --noted.';

const compareNow = (platform: ReconcileParts, method: string): Promise<string | undefined> =>
  withTurn(platform, method, 'another process works on these payouts', async (lease) =>
    compareMethod({ ...platform, lease }, method, await setUpRail(platform, method)),
  );

/** Works in the turn of a method. Returns `busy` if another process has it for too long. */
async function withTurn<Result>(
  platform: ReconcileParts,
  method: string,
  busy: Result,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const lease = await takeLeaseWithin(LEASE_WAIT_MS_MAX, () =>
    takeLease(platform, queries.turnNameOf(method)),
  );
  if (lease === undefined) return busy;
  try {
    return await work(lease);
  } finally {
    await lease.release();
  }
}
