/**
 * A model of the ledger for property tests: sequential calls on plain maps, without a database. The tests check that
 * the results of concurrent calls equal the model's in some order of the calls.
 */
import type { Movement, Posting } from './ledger.ts';

export type Call =
  | { act: 'post'; movement: Movement }
  | { act: 'post-all'; movements: Movement[] }
  | { act: 'close'; memberId: number };

type Wallet = { balance: bigint; movements: Posted[]; isClosed: boolean; earned: bigint; tasks: number };
type Posted = Movement & { seq: bigint; balanceAfter: bigint };

export type Books = { wallets: ReadonlyMap<number, Wallet>; keys: ReadonlyMap<string, Posted> };

export function emptyBooks(memberIds: readonly number[]): Books {
  const wallet = (): Wallet => ({ balance: 0n, movements: [], isClosed: false, earned: 0n, tasks: 0 });
  return { wallets: new Map(memberIds.map((id) => [id, wallet()])), keys: new Map() };
}

/** The books after the call, and its results. */
export function carryOut(books: Books, call: Call): { books: Books; postings: Posting[] } {
  if (call.act === 'close') return { books: closed(books, call.memberId), postings: [] };
  if (call.act === 'post') {
    const { books: after, posting } = postOne(books, call.movement);
    return { books: after, postings: [posting] };
  }
  return postInOrder(books, call.movements);
}

/** Finds an order of the calls in which the model gives the same results. Returns the books after it. */
export function explain(
  books: Books,
  results: readonly { call: Call; postings: Posting[] }[],
): Books | undefined {
  if (results.length === 0) return books;
  for (const [index, { call, postings }] of results.entries()) {
    const outcome = carryOut(books, call);
    if (!isSame(outcome.postings, postings)) continue;
    const explained = explain(outcome.books, results.toSpliced(index, 1));
    if (explained) return explained;
  }
  return undefined;
}

function isSame(one: Posting[], other: Posting[]): boolean {
  return (
    one.length === other.length &&
    one.every((posting, index) => {
      const { status, seq, balancePoints } = other[index] as Posting;
      return posting.status === status && posting.seq === seq && posting.balancePoints === balancePoints;
    })
  );
}

function closed(books: Books, memberId: number): Books {
  const wallet = books.wallets.get(memberId);
  if (!wallet) return books;
  return { ...books, wallets: new Map(books.wallets).set(memberId, { ...wallet, isClosed: true }) };
}

function postInOrder(before: Books, movements: Movement[]): { books: Books; postings: Posting[] } {
  let books = before;
  const postings: Posting[] = [];
  for (let start = 0; start < movements.length; ) {
    const group = groupFrom(movements, start);
    let after = books;
    const verdicts = group.map((movement, offset) => {
      const repeated = movements.slice(0, start + offset).findIndex(({ key }) => key === movement.key);
      const first = postings[repeated];
      // The first one's refusal is repeated, even if the balance would now suffice.
      if (first && isRefusal(first) && !books.keys.has(movement.key))
        return refusedAgain(movements[repeated], movement, first);
      const outcome = postOne(after, movement);
      after = outcome.books;
      return outcome.posting;
    });
    const refusal = refusalOfGroup(verdicts);
    if (movements[start]?.link !== undefined && refusal) {
      postings.push(...group.map(() => ({ status: refusal, seq: null, balancePoints: null })));
    } else {
      postings.push(...verdicts);
      books = after;
    }
    start += group.length;
  }
  return { books, postings };
}

function isRefusal({ status }: Posting): boolean {
  return status !== 'posted' && status !== 'exists';
}

function refusedAgain(first: Movement | undefined, movement: Movement, posting: Posting): Posting {
  const isRepeated = first !== undefined && isSameMovement(first, movement);
  return isRepeated ? posting : { status: 'exists_different', seq: null, balancePoints: null };
}

function groupFrom(movements: Movement[], start: number): Movement[] {
  const link = movements[start]?.link;
  if (link === undefined) return movements.slice(start, start + 1);
  const end = movements.findIndex((movement, index) => index > start && movement.link !== link);
  return movements.slice(start, end === -1 ? undefined : end);
}

/** The verdict for all movements of a linked group if one is refused or only some exist. */
function refusalOfGroup(verdicts: Posting[]): Posting['status'] | undefined {
  for (const [index, posting] of verdicts.entries()) {
    if (isRefusal(posting)) return posting.status;
    if (index > 0 && posting.status !== verdicts[0]?.status) return 'exists_different';
  }
  return undefined;
}

function isSameMovement(one: Movement, other: Movement): boolean {
  return (
    one.memberId === other.memberId &&
    one.kind === other.kind &&
    one.amountPoints === other.amountPoints &&
    one.account === other.account
  );
}

function postOne(books: Books, movement: Movement): { books: Books; posting: Posting } {
  const refuse = (status: Posting['status'], balancePoints: bigint | null = null) => ({
    books,
    posting: { status, seq: null, balancePoints },
  });
  const known = books.keys.get(movement.key);
  if (known) {
    if (!isSameMovement(known, movement)) return refuse('exists_different');
    return { books, posting: { status: 'exists', seq: known.seq, balancePoints: known.balanceAfter } };
  }
  const wallet = books.wallets.get(movement.memberId);
  if (!wallet) return refuse('unknown_member');
  const { kind, amountPoints } = movement;
  if (wallet.isClosed && kind !== 'reversal' && kind !== 'withdrawal-return') return refuse('closed');
  const balance = wallet.balance + amountPoints;
  if (amountPoints < 0n && balance < 0n && kind !== 'reversal') return refuse('insufficient', wallet.balance);
  const seq = BigInt(wallet.movements.length) + 1n;
  const posted = { ...movement, seq, balanceAfter: balance };
  const isEarned = kind === 'earning' || kind === 'bonus' || kind === 'referral' || kind === 'grant';
  const changed: Wallet = {
    ...wallet,
    balance,
    movements: [...wallet.movements, posted],
    earned: wallet.earned + (isEarned ? amountPoints : 0n),
    tasks: wallet.tasks + (kind === 'earning' && movement.isTask ? 1 : 0),
  };
  return {
    books: {
      wallets: new Map(books.wallets).set(movement.memberId, changed),
      keys: new Map(books.keys).set(movement.key, posted),
    },
    posting: { status: 'posted', seq, balancePoints: balance },
  };
}
