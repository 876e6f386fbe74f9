/** What a member reads of the books, in the shapes of the contract. */
import assert from 'node:assert/strict';
import type { HistoryEntry, Stats } from '#contract/ledger.ts';
import { coalesce, READS } from '#platform/coalesce.ts';
import type { Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './queries.ts';

type HistoryPage = {
  data: HistoryEntry[];
  pagination: { page: number; totalPages: number; totalCount: number; limit: number };
};

/** What a reader of histories keeps: about 2 kB each. */
const KEPT_PAGES_MAX = 1_000;
const KEPT_ENTRIES_MAX = 10;

type Page = { page: number; limit: number };

/** Reads what members' screens ask for again and again. It keeps pages and collects calls, so make one for all. */
export type BookReader = {
  /** Balance (never below zero), what is owed instead, totals, and what was earned on this site day. */
  readStats(memberId: number): Promise<Stats>;
  /**
   * Any page of all movements, newest first, as the JSON text of the contract's shape; `page` from 1, and one beyond
   * the last is empty.
   */
  readHistoryText(memberId: number, page: Page): Promise<string>;
};

export function bookReader(on: Reader): BookReader {
  const findWallet = coalesce<number, queries.WalletRow | undefined>({
    ...READS,
    run: async (memberIds) => {
      const found = new Map<number, queries.WalletRow>();
      for (const wallet of await queries.findWallets(on, memberIds)) found.set(wallet.memberId, wallet);
      return memberIds.map((memberId) => found.get(memberId));
    },
  });
  const readWallet = async (memberId: number) => {
    const wallet = await findWallet(memberId);
    assert(wallet, `Member ${memberId} has no wallet`);
    return wallet;
  };
  return {
    readStats: async (memberId) => statsOf(await readWallet(memberId)),
    readHistoryText: historyReader(on, async (memberId) => (await readWallet(memberId)).movementCount),
  };
}

function statsOf(wallet: queries.WalletRow): Stats {
  const isInDebt = wallet.balance < 0n;
  return {
    balance: String(isInDebt ? 0n : wallet.balance),
    debt: String(isInDebt ? -wallet.balance : 0n),
    totalEarned: String(wallet.earnedTotal),
    todayEarned: String(wallet.earnedToday),
    completedTasks: wallet.tasksCompleted,
  };
}

export const readStats = (on: Reader, memberId: number): Promise<Stats> => bookReader(on).readStats(memberId);

/**
 * Movements are numbered without gaps and never change, so the newest page is a function of the member's count of
 * movements: the pages that were read last are kept, and one is sent again while the count stands.
 */
function historyReader(on: Reader, countMovements: (memberId: number) => Promise<bigint>) {
  const newest = new Map<string, queries.HistoryRow>();
  const keep = (place: string, found: queries.HistoryRow) => {
    // The one read last moves to the end; the first is the one that nobody asked for longest.
    newest.delete(place);
    newest.set(place, found);
    if (newest.size > KEPT_PAGES_MAX) newest.delete(newest.keys().next().value as string);
  };
  return async (memberId: number, { page, limit }: Page): Promise<string> => {
    const place = page === 1 && limit <= KEPT_ENTRIES_MAX ? `${memberId}:${limit}` : null;
    const known = place === null ? undefined : newest.get(place);
    const stands = known !== undefined && known.count === (await countMovements(memberId));
    const found = stands ? known : await queries.findHistoryPage(on, memberId, { page, limit });
    assert(found, `Member ${memberId} has no wallet`);
    if (place !== null) keep(place, found);
    const totalCount = Number(found.count);
    const totalPages = Math.max(1, Math.ceil(totalCount / limit));
    return `{"data":${found.entries},"pagination":${JSON.stringify({ page, totalPages, totalCount, limit })}}`;
  };
}

/** Any page of all movements, newest first; `page` from 1. A page beyond the last is empty. */
export async function readHistory(on: Reader, memberId: number, page: Page): Promise<HistoryPage> {
  return JSON.parse(await bookReader(on).readHistoryText(memberId, page));
}

const entryOf = (row: queries.MovementRow): HistoryEntry => ({
  id: String(row.seq),
  amount: String(row.amount),
  description: row.description,
  createdAt: row.postedAt.toISOString(),
  kind: row.kind,
  provider: row.provider,
  txId: row.transactionId,
});

const EXPORT_ROWS = 1_000;

/**
 * Every movement from the newest to the first, piece by piece. It goes down by their numbers, so what is posted
 * meanwhile neither repeats a row nor leaves one out.
 */
export async function* readWholeHistory(on: Reader, memberId: number): AsyncGenerator<HistoryEntry[]> {
  let before: bigint | null = null;
  for (;;) {
    const rows: queries.MovementRow[] = await queries.listMovementsBefore(on, memberId, before, EXPORT_ROWS);
    if (rows.length > 0) yield rows.map(entryOf);
    if (rows.length < EXPORT_ROWS) return;
    before = rows.at(-1)?.seq ?? null;
  }
}

/** One movement with the balance after it, which like every balance is never below zero. @throws Refusal `not-found` */
export async function readHistoryEntry(
  on: Reader,
  memberId: number,
  id: string,
): Promise<HistoryEntry & { balanceAfter: string; debtAfter: string }> {
  const found = await queries.findMovement(on, memberId, BigInt(id));
  if (found === undefined) throw refuse('not-found');
  const { balanceAfter } = found;
  return {
    ...entryOf(found),
    balanceAfter: String(balanceAfter < 0n ? 0n : balanceAfter),
    debtAfter: String(balanceAfter < 0n ? -balanceAfter : 0n),
  };
}

/** Points earned on each of the last seven site days, oldest first. */
export async function readEarningsChart(
  on: Reader,
  memberId: number,
): Promise<{ date: string; amount: string }[]> {
  const days = await queries.listDays(on, memberId);
  assert(days.length === 7, `Member ${memberId} has no wallet`);
  return days.map(({ date, amount }) => ({ date, amount: String(amount) }));
}
