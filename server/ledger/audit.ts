/**
 * The audit of the books: compares what is stored with what the movements say. A check reads its book in pieces, each a
 * short statement of its own, because an old snapshot that is held open slows every hot wallet. One statement sees one
 * snapshot, so a fact and its movement, which are written in one transaction, are seen together or not at all. What a
 * piece finds is read again before it is reported.
 *
 * The ledger checks its own tables. Each feature checks its own and holds them against the ledger's open views;
 * `server/books.ts` lists all checks. A check asks none of the functions that write, because it must also find what was
 * written while a function was wrong or replaced.
 */
import type { Comparison } from '#contract/ledger-books.ts';
import type { Reader } from '#platform/database.ts';
import {
  countUpTo,
  type DaySum,
  type Difference,
  readChangedWallets,
  readClosedDays,
  readClosedUntil,
  readDaySums,
  readMembersEnd,
  readStrangeKeys,
  readTimeStart,
  readUnbalanced,
  readWrongEnds,
} from './audit-queries.ts';

export type BooksDifference = Difference;

/** A check of one book. Each item that it yields ends a piece and holds the differences of the piece. */
export type BooksCheck = {
  name: string;
  pieces: (reader: Reader) => AsyncGenerator<BooksDifference[] | NotChecked | Compared>;
};

/** Ends a check that could not be made, because an outside party did not answer. */
export type NotChecked = { notChecked: string };

/** What the books say and what an outside party says, both in sum. It is no piece. */
export type Compared = { compared: Comparison };

/** The most differences that one piece reports. */
export const DIFFERENCES_MAX = 100;

/**
 * Reads a table in pieces. A piece begins at `from` and ends before the key that `readEnd` returns; null is the end of
 * the table.
 */
export async function* inPieces<Key>(
  start: Key,
  readEnd: (from: Key) => Promise<Key | null>,
  readDifferences: (from: Key, until: Key | null) => Promise<BooksDifference[]>,
): AsyncGenerator<BooksDifference[]> {
  for (let from = start; ; ) {
    const until = await readEnd(from);
    const begin = from;
    yield await readTwice(() => readDifferences(begin, until));
    if (until === null) return;
    from = until;
  }
}

/** Reads differences, and returns those that a second statement finds again. */
export async function readTwice(read: () => Promise<BooksDifference[]>): Promise<BooksDifference[]> {
  const found = await read();
  if (found.length === 0) return found;
  const nameOf = ({ check, subject }: BooksDifference) => `${check} ${subject}`;
  const first = new Set(found.map(nameOf));
  return (await read()).filter((difference) => first.has(nameOf(difference)));
}

/** A check that one short statement makes. */
export const inOnePiece = (
  name: string,
  read: (reader: Reader) => Promise<BooksDifference[]>,
): BooksCheck => ({
  name,
  async *pieces(reader) {
    yield await readTwice(() => read(reader));
  },
});

const FIRST_MEMBER = -2_147_483_648;
/** No member has this id: a bound after all members. */
export const LAST_MEMBER = 2_147_483_647;

/** A check in pieces of members, by their ids. */
export const byMembers = (
  name: string,
  readEnd: (reader: Reader, from: number) => Promise<number | null>,
  read: (reader: Reader, from: number, until: number | null) => Promise<BooksDifference[]>,
): BooksCheck => ({
  name,
  pieces: (reader) =>
    inPieces<number>(
      FIRST_MEMBER,
      (from) => readEnd(reader, from),
      (from, until) => read(reader, from, until),
    ),
});

const PIECE_MOVEMENTS_MAX = 50_000;
const STEP_MS_FIRST = 86_400_000;
const STEP_MS_MIN = 1_000;

/** The periods of time up to `until` that hold movements, each with a number that one statement reads quickly. */
async function* periods(reader: Reader, until: Date): AsyncGenerator<{ from: Date | null; until: Date }> {
  let { start: from } = await readTimeStart(reader);
  // Nothing should be older than the first day of the accounts.
  yield { from: null, until: from };
  for (let stepMs = STEP_MS_FIRST; from < until; ) {
    const end = new Date(Math.min(from.getTime() + stepMs, until.getTime()));
    const count = await countUpTo(reader, from, end, PIECE_MOVEMENTS_MAX + 1);
    if (count > PIECE_MOVEMENTS_MAX && stepMs > STEP_MS_MIN) {
      stepMs = Math.max(STEP_MS_MIN, stepMs / 4);
      continue;
    }
    yield { from, until: end };
    from = end;
    if (count < PIECE_MOVEMENTS_MAX / 4) stepMs *= 2;
  }
}

/** Adds the movements of the closed days up, and compares the sums with the stored ones. */
async function* accountDays(reader: Reader): AsyncGenerator<BooksDifference[]> {
  const sums = new Map<string, DaySum>();
  const add = async (from: Date | null, until: Date) => {
    for (const sum of await readDaySums(reader, from, until)) {
      const name = nameOf(sum);
      const before = sums.get(name);
      sums.set(name, {
        ...sum,
        movementCount: sum.movementCount + (before?.movementCount ?? 0n),
        amount: sum.amount + (before?.amount ?? 0n),
        digest: String(BigInt(sum.digest) + BigInt(before?.digest ?? 0)),
      });
    }
  };
  const closedUntil = await readClosedUntil(reader);
  // The end is minus infinity before the first closing.
  if (closedUntil !== null)
    for await (const period of periods(reader, closedUntil)) {
      await add(period.from, period.until);
      yield [];
    }
  const closed = await readClosedDays(reader);
  // Days that were closed during this check. Their movements no longer change either.
  if (closed.until !== null && (closedUntil === null || closed.until > closedUntil))
    await add(closedUntil, closed.until);
  const stored = new Map(closed.days.map((day) => [nameOf(day), day]));
  // Movements of closed days no longer change, so both sides are of one state, though read one after the other.
  yield [...new Set([...sums.keys(), ...stored.keys()])]
    .map((name) => ({
      check: 'account-days',
      subject: name,
      expected: textOf(sums.get(name)),
      actual: textOf(stored.get(name)),
    }))
    .filter(({ expected, actual }) => expected !== actual)
    .slice(0, DIFFERENCES_MAX);
}

const nameOf = ({ account, siteDay, kind }: DaySum): string => `${account} ${siteDay} ${kind}`;

const textOf = (sum: DaySum | undefined): string =>
  sum === undefined ? 'none' : `movements ${sum.movementCount} amount ${sum.amount} digest ${sum.digest}`;

const wallets = byMembers('wallets', readMembersEnd, (reader, from, until) =>
  readChangedWallets(reader, from, until ?? LAST_MEMBER, DIFFERENCES_MAX),
);
const bookChecks: readonly BooksCheck[] = [
  wallets,
  { name: 'account-days', pieces: accountDays },
  inOnePiece('account-days-end', readWrongEnds),
  inOnePiece('trial-balance', readUnbalanced),
];

/** The names of movements, which lead from a movement to the row of a feature that caused it. */
const keys: BooksCheck = {
  name: 'keys',
  async *pieces(reader) {
    const { now } = await readTimeStart(reader);
    for await (const { from, until } of periods(reader, now))
      yield await readTwice(() => readStrangeKeys(reader, from, until, now, DIFFERENCES_MAX));
    yield await readTwice(() => readStrangeKeys(reader, now, null, now, DIFFERENCES_MAX));
  },
};

/** The checks of the ledger for the audit of a whole site. */
export const ledgerChecks: readonly BooksCheck[] = [...bookChecks, keys];

/**
 * Checks balances, counts, totals and day sums of wallets; numbers without gaps; each balance after a movement; the
 * rules of each kind; sums of house accounts; the trial balance. Returns the differences, none if all agree.
 */
export const auditBooks = (reader: Reader): Promise<BooksDifference[]> => runChecks(reader, bookChecks);

/** Runs checks without a pause, and returns all differences. */
export async function runChecks(reader: Reader, checks: readonly BooksCheck[]): Promise<BooksDifference[]> {
  const differences: BooksDifference[] = [];
  for (const { pieces } of checks)
    for await (const found of pieces(reader)) if (Array.isArray(found)) differences.push(...found);
  return differences;
}
