/**
 * The books. Every change of a balance is one movement between the member's wallet and a counter account. A SQL
 * function writes the movement, once per key of the caller, and updates the wallet's balance, totals and day sums. A
 * balance always equals the sum of its movements. Only a reversal can make it negative. The application's role can't
 * write to the books in any other way.
 *
 * The features that post decide who may earn or withdraw and choose the keys. They post once per transaction, because
 * two posts could lock wallets in different orders. They announce posted movements after the commit.
 */
import assert from 'node:assert/strict';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import type { Movement, Posting } from './movement.ts';
import * as queries from './queries.ts';
import { shownBalance } from './shown-balance.ts';

export {
  auditBooks,
  type BooksCheck,
  type BooksDifference,
  byMembers,
  DIFFERENCES_MAX,
  inOnePiece,
  inPieces,
  LAST_MEMBER,
  ledgerChecks,
  runChecks,
} from './audit.ts';
export { readProviderSums } from './days.ts';
export { describeMovement, keepNames, type Names, type ReadNames } from './descriptions.ts';
export type { Movement, MovementKind, Posting, PostStatus } from './movement.ts';
export {
  type BookReader,
  bookReader,
  exportMovements,
  readEarningsChart,
  readHistoryEntry,
  readStats,
  readWholeHistory,
} from './reads.ts';

const BATCH_MAX = 1_000;

const transactionsThatPosted = new WeakSet<Reader>();

/** Posts one movement. Only the status `posted` means that the books changed. Throws for an unsound movement. */
export async function post(reader: Reader, movement: Movement): Promise<Posting> {
  assert(movement.link === undefined, 'A link needs a second movement');
  assertFirstPost(reader);
  return queries.postOne(reader, movement);
}

/**
 * Posts movements in order, by the same rules, and returns a verdict for each, in the same order. A repeated key is
 * posted once. The later movement gets the first one's verdict, with `exists` for `posted`. If one of several linked
 * movements is refused, all get its verdict.
 */
export async function postAll(reader: Reader, movements: readonly Movement[]): Promise<Posting[]> {
  assert(movements.length <= BATCH_MAX, `At most ${BATCH_MAX} movements in one call`);
  if (movements.length === 0) return [];
  assertFirstPost(reader);
  const postings = await queries.postAll(reader, movements);
  assert.equal(postings.length, movements.length);
  return postings;
}

/** Gives a member an empty wallet, if they have none. */
export async function openWallet(reader: Reader, memberId: number): Promise<void> {
  await queries.openWallet(reader, memberId);
}

/** Closes a wallet. Afterwards it takes only reversals and returned withdrawals. */
export async function closeWallet(reader: Reader, memberId: number): Promise<void> {
  await queries.closeWallet(reader, memberId);
}

/**
 * Locks the members' wallets in ascending order until the end of the transaction, for a rule that reads other rows (a
 * daily limit) before it posts.
 */
export async function lockWallets(tx: Tx, memberIds: readonly number[]): Promise<void> {
  await queries.lockWallets(tx, memberIds);
}

/** Tells a member's browsers the balance after a commit. Null, when no points moved, announces nothing. */
export function announceBalance(
  { bus }: Pick<Platform, 'bus'>,
  memberId: number | null,
  balance: bigint | null,
): void {
  if (memberId === null || balance === null) return;
  bus.announce({ memberId, event: { type: 'balance', balance: shownBalance(balance) } });
}

/**
 * Adds movements that can no longer change to the house accounts' day sums. Returns how many it added. `now` is this
 * process's clock: no sum reaches beyond it, even if the database's clock is ahead.
 */
export async function closeAccountDays(reader: Reader, now = new Date()): Promise<bigint> {
  return queries.closeAccountDays(reader, now);
}

/** Makes the house accounts' day sums anew, as the owner. Returns the number of movements in them. */
export async function rebuildAccountDays(owner: Reader, now = new Date()): Promise<bigint> {
  return queries.rebuildAccountDays(owner, now);
}

function assertFirstPost(reader: Reader): void {
  if (!('isTransaction' in reader)) return;
  assert(!transactionsThatPosted.has(reader), 'A transaction posts once: two posts may deadlock');
  transactionsThatPosted.add(reader);
}
