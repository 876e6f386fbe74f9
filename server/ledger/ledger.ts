/**
 * The books. Every change of a balance is one movement that names both sides, the member's wallet and a
 * counter account, written once under a key that the caller names, by one SQL function that also keeps the
 * wallet's balance, totals and day sums. A balance always equals the sum of its movements, and can go below
 * zero by a reversal only. The application's role cannot write here in any other way.
 *
 * Who may earn or withdraw, and what a key is made of, is left to the features that post. They post once per
 * transaction: two posts may lock members in different orders. News of a posted movement is theirs to announce,
 * after the commit.
 */
import assert from 'node:assert/strict';
import type { Reader, Tx } from '#platform/database.ts';
import type { Movement, Posting } from './movement.ts';
import * as queries from './queries.ts';

export { auditBooks, type BooksDifference } from './audit.ts';
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
export { shownBalance, shownDebt } from './shown-balance.ts';

const BATCH_MAX = 1_000;

const transactionsThatPosted = new WeakSet<Reader>();

/** Posts one movement. Everything but `posted` left the books as they were. An unsound movement is a fault. */
export async function post(on: Reader, movement: Movement): Promise<Posting> {
  assert(movement.link === undefined, 'One movement alone has nothing to be linked to');
  assertFirstPost(on);
  return queries.postOne(on, movement);
}

/**
 * Posts movements in their order, by the same rules, and answers a verdict for each, in the same order.
 * A key that comes twice is posted once; the later one gets the verdict of the first, `exists` for `posted`.
 * Of linked movements, one refusal is the verdict of all.
 */
export async function postAll(on: Reader, movements: readonly Movement[]): Promise<Posting[]> {
  assert(movements.length <= BATCH_MAX, `At most ${BATCH_MAX} movements in one call`);
  if (movements.length === 0) return [];
  assertFirstPost(on);
  const postings = await queries.postAll(on, movements);
  assert.equal(postings.length, movements.length);
  return postings;
}

/** Gives a member an empty wallet; one that has it keeps it. */
export async function openWallet(on: Reader, memberId: number): Promise<void> {
  await queries.openWallet(on, memberId);
}

/** From now on only reversals and returned withdrawals change this wallet. */
export async function closeWallet(on: Reader, memberId: number): Promise<void> {
  await queries.closeWallet(on, memberId);
}

/**
 * Takes the members' wallet locks, in the one order, until the end of the transaction: for a rule that reads
 * other rows (a daily limit) before it posts.
 */
export async function lockWallets(tx: Tx, memberIds: readonly number[]): Promise<void> {
  await queries.lockWallets(tx, memberIds);
}

/** Sums up house accounts as far as nothing can change; every few minutes. Answers how many movements it took in. */
export async function closeAccountDays(on: Reader): Promise<bigint> {
  return queries.closeAccountDays(on);
}

function assertFirstPost(on: Reader): void {
  if (!('isTransaction' in on)) return;
  assert(!transactionsThatPosted.has(on), 'A transaction posts once: two posts may lock wallets crosswise');
  transactionsThatPosted.add(on);
}
