import { recordActs } from '#platform/audit-trail.ts';
import type { Database } from '#platform/database.ts';
import { checkLease, type Lease, takeLease, takeLeaseWithin } from '#platform/leases.ts';
import { readNamed, readUnaccounted } from './accounted-queries.ts';
import {
  adviceOnNotes,
  linesOfHeld,
  linesOfUnaccounted,
  noteAll,
  type ReconcileParts,
} from './notes-command.ts';
import { setUpRail } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import * as queries from './payout-queries.ts';
import { compareMethod, nameUnaccounted, storeRecorded } from './reconciliation.ts';
import {
  askForAccount,
  findPendingReconciliation,
  giveUpReconciliation,
  readApprovedInCopy,
  readComparedMethods,
  readWaitingMethods,
  releaseApproved,
} from './reconciliation-queries.ts';
import { readOpenChecks } from './request-check-queries.ts';
import { wordsOfAdvice } from './revocation.ts';

/**
 * The command `reconcile`: compares the payouts of every method with the outside party's list now, and returns the
 * comparison as lines of text. What is clear is released. Payments that no payout accounts for are printed by each run
 * until the operator takes note of them by this command. A possible match stays parked, for an operator to decide.
 */
const LEASE_WAIT_MS_MAX = 20_000;
const UNACCOUNTED_MAX = 1_000;
const APPROVED =
  'approved in the copy. An approval may have been taken back since: give such a payout up in the back office first. ' +
  'The others are paid after `npm run admin -- reconcile --release-approved REASON`.';

const NOT_RELEASED =
  'A payment of which nobody took note may have paid their points, or a method is not compared. Do as the lines ' +
  'above say, take note, and then release them.';

/** A method that pays from another account than before, whether the former one is lost for good, and why. */
export type NewAccount = { method: string; isLost?: boolean; reason?: string };

/**
 * @param newAccount as the operator means it
 * @param notedReason why the operator takes note of the payments that no payout accounts for; null for no note
 * @param releaseReason why the operator releases the payouts that the copy has approved; null to release none
 * @returns the lines, and whether every method could be compared
 */
export async function reconcilePayouts(
  platform: ReconcileParts,
  newAccount: NewAccount | null = null,
  notedReason: string | null = null,
  releaseReason: string | null = null,
): Promise<{ lines: string[]; isComplete: boolean }> {
  const { database } = platform;
  const lines = newAccount === null ? [] : await acceptAccount(platform, newAccount);
  const isAccepted = lines.length === 0;
  await storeRecorded(platform);
  const approved = await readApprovedInCopy(database);
  const silent: string[] = [];
  for (const { method } of await readComparedMethods(database)) {
    const trouble = await compareNow(platform, method);
    if (trouble !== undefined) silent.push(method);
    lines.push(`${method}: ${trouble ?? 'compared; what is clear goes on'}`);
  }
  lines.push(...(await linesOfWaiting(database, silent)));
  const parked = await queries.readParked(database);
  for (const { withdrawalId, method, amountUnits, trouble } of parked)
    lines.push(`${method}: payout ${withdrawalId} of ${amountText(amountUnits)} is parked. ${trouble ?? ''}`);
  for (const { withdrawalId, method, reason } of await readOpenChecks(database))
    lines.push(`${method}: request ${withdrawalId} waits for a decision. ${reason}`);
  await nameUnaccounted(platform);
  const unaccounted = await readUnaccounted(database, UNACCOUNTED_MAX);
  lines.push(
    ...(await linesOfUnaccounted(platform, unaccounted)),
    ...(await linesOfHeld(database, unaccounted)),
  );
  if (notedReason !== null && unaccounted.length > 0)
    lines.push(...(await noteAll(database, unaccounted, notedReason)));
  else lines.push(...adviceOnNotes(unaccounted));
  if (releaseReason !== null) lines.push(...(await releaseAll(database, approved, releaseReason)));
  const left = await readApprovedInCopy(database);
  if (left.length > 0) lines.push(`${countOf(left)} ${APPROVED}`);
  return { lines, isComplete: isAccepted && silent.length === 0 };
}

/** What waits for each method that is not compared, or that could not be asked now, and how that ends. */
async function linesOfWaiting(database: Database, silent: readonly string[]): Promise<string[]> {
  const waiting = await readWaitingMethods(database);
  return waiting
    .filter(({ method, isDue }) => isDue || silent.includes(method))
    .map(({ method, isDue }) => {
      const what = isDue
        ? `until ${method} is compared, no request of any method is paid. If it never can be`
        : `while ${method} does not answer, its requests in check can’t be decided. If it never will again`;
      return `${method}: ${what}: \`npm run admin -- reconcile --give-up ${method} REASON\`.`;
    });
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
      const forgotten = await queries.forgetPayingAccount(tx, lease, method);
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
 * Also where it was compared and answers no more. Its pending requests can be decided then, but those that may be paid
 * already only by their own acts, which ask the account no more. The payments that the records of
 * the nodes know, and that no payout accounts for, are told before it ends: each node stores its own.
 * @param isNoted whether the operator has seen to these
 * @returns whether it was ended, and why not or what was left, as lines
 */
export async function giveUpComparison(
  { database, config }: Pick<ReconcileParts, 'database' | 'config'>,
  method: string,
  reason: string,
  isNoted = false,
): Promise<{ isDone: boolean; lines: string[] }> {
  const nothing = { isDone: false, lines: [`Nothing waits for ${method}.`] };
  const waiting = await readWaitingMethods(database);
  if (!waiting.some((one) => one.method === method)) return nothing;
  await storeRecorded({ database, config });
  const recorded = (await readNamed(database)).filter((payment) => payment.method === method);
  if (recorded.length > 0 && !isNoted) {
    const lines = recorded.map(
      (payment) => `${method}: ${payment.reference} was sent; ${wordsOfAdvice(payment)}`,
    );
    return { isDone: false, lines: [...lines, RECORDED] };
  }
  return database.transaction(async (tx) => {
    const before = await giveUpReconciliation(tx, method);
    if (before === undefined) return nothing;
    await recordActs(tx, [{ ...actOn(method), reason, before, after: { isGivenUp: true } }]);
    return {
      isDone: true,
      lines: [`${method}: the comparison is given up. ${GIVEN_UP}`],
    };
  });
}

const GIVEN_UP =
  'Its pending requests can be decided. Start the nodes that do not run before: each holds what its record knows.';

const RECORDED =
  'The nodes have sent these payments, and this database does not account for them. Do as the lines say, start the ' +
  'nodes that do not run, and then add --noted.';

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
