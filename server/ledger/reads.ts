/** Members' reads of the books, in the contract's shapes. */
import assert from 'node:assert/strict';
import { LRUCache } from 'lru-cache';
import { type DownloadedEntry, downloadedEntry, type HistoryEntry, type Stats } from '#contract/ledger.ts';
import { paginationOf } from '#contract/pages.ts';
import { coalesce, READS } from '#platform/coalesce.ts';
import type { Reader } from '#platform/database.ts';
import { readInPages } from '#platform/pages.ts';
import { refuse } from '#platform/refusal.ts';
import { describeMovement, type Names, type ReadNames, sourceNameOf } from './descriptions.ts';
import * as queries from './queries.ts';
import { shownBalance, shownDebt } from './shown-balance.ts';

/** The number of cached pages, about 2 kB each. */
const KEPT_PAGES_MAX = 1_000;
const KEPT_ENTRIES_MAX = 10;

type Page = { page: number; limit: number };

/** Frequent reads of members' screens. The reader caches pages and batches calls, so all routes share one. */
export type BookReader = {
  /** Reads the balance (at least 0), the debt, totals, and the points earned on this site day. */
  readStats(memberId: number): Promise<Stats>;
  /**
   * Reads a page of movements, newest first, as JSON text in the contract's shape. `page` counts from 1; a page beyond
   * the last one is empty.
   */
  readHistoryText(memberId: number, page: Page): Promise<string>;
};

/** Makes the reader. `readNames` is called for each history, so it should be cached (`keepNames`). */
export function bookReader(reader: Reader, readNames: ReadNames): BookReader {
  const findWallet = coalesce<number, queries.WalletRow | undefined>({
    ...READS,
    run: async (memberIds) => {
      const found = new Map<number, queries.WalletRow>();
      for (const wallet of await queries.findWallets(reader, memberIds)) found.set(wallet.memberId, wallet);
      return memberIds.map((memberId) => found.get(memberId));
    },
  });
  const readWallet = async (memberId: number) => {
    const wallet = await findWallet(memberId);
    assert(wallet, `Member ${memberId} has no wallet`);
    return wallet;
  };
  const countMovements = async (memberId: number) => (await readWallet(memberId)).movementCount;
  return {
    readStats: async (memberId) => statsOf(await readWallet(memberId)),
    readHistoryText: historyReader(reader, { readNames, countMovements }),
  };
}

function statsOf(wallet: queries.WalletRow): Stats {
  return {
    balance: shownBalance(wallet.balance),
    debt: shownDebt(wallet.balance),
    totalEarned: String(wallet.earnedTotal),
    todayEarned: String(wallet.earnedToday),
    completedTasks: wallet.tasksCompleted,
  };
}

/** Reads the balance and totals of one member, without a batch. */
export async function readStats(reader: Reader, memberId: number): Promise<Stats> {
  const [wallet] = await queries.findWallets(reader, [memberId]);
  assert(wallet, `Member ${memberId} has no wallet`);
  return statsOf(wallet);
}

type Kept = { count: bigint; names: Names; text: string };

/**
 * Reads pages, and caches each member's newest page. Movements are numbered without gaps and never change, so that page
 * depends only on the count of movements and the names of providers and methods. It is sent while both are unchanged.
 */
function historyReader(
  reader: Reader,
  {
    readNames,
    countMovements,
  }: { readNames: ReadNames; countMovements: (memberId: number) => Promise<bigint> },
) {
  const newest = new LRUCache<string, Kept>({ max: KEPT_PAGES_MAX });
  return async (memberId: number, { page, limit }: Page): Promise<string> => {
    const names = await readNames();
    const place = page === 1 && limit <= KEPT_ENTRIES_MAX ? `${memberId}:${limit}` : null;
    const known = place === null ? undefined : newest.get(place);
    if (known?.names === names && known.count === (await countMovements(memberId))) return known.text;
    const { count, ...read } = await readPage(reader, { memberId, page, limit, names });
    const text = JSON.stringify(read);
    if (place !== null) newest.set(place, { count, names, text });
    return text;
  };
}

function entryOf(row: queries.EntryRow, names: Names): HistoryEntry {
  const sourceName = sourceNameOf(row, names);
  return { ...row, description: describeMovement(row, sourceName), sourceName };
}

async function readPage(
  reader: Reader,
  { memberId, page, limit, names }: Page & { memberId: number; names: Names },
) {
  const found = await queries.findHistoryPage(reader, memberId, { page, limit });
  assert(found, `Member ${memberId} has no wallet`);
  return {
    count: found.count,
    data: found.entries.map((row) => entryOf(row, names)),
    pagination: paginationOf({ page, limit }, Number(found.count)),
  };
}

/** Reads a page of movements, newest first, as values. `page` counts from 1; a page beyond the last one is empty. */
export async function readHistoryPage(reader: Reader, readNames: ReadNames, memberId: number, page: Page) {
  const names = await readNames();
  const { data, pagination } = await readPage(reader, { memberId, ...page, names });
  return { data, pagination };
}

const EXPORT_ROWS = 1_000;

/**
 * Reads all movements, newest first, in chunks. It descends by number, so a movement that is posted during the read
 * neither repeats nor hides a row.
 */
export async function* readWholeHistory(
  reader: Reader,
  readNames: ReadNames,
  memberId: number,
): AsyncGenerator<HistoryEntry[]> {
  const readBefore = (last: queries.EntryRow | undefined, limit: number) =>
    queries.listMovementsBefore(reader, memberId, last === undefined ? null : BigInt(last.id), limit);
  for await (const rows of readInPages(readBefore, EXPORT_ROWS)) {
    const names = await readNames();
    yield rows.map((row) => entryOf(row, names));
  }
}

/** Exports all movements of a member, oldest first, each with the balance after it. */
export async function* exportMovements(
  reader: Reader,
  readNames: ReadNames,
  memberId: number,
): AsyncGenerator<DownloadedEntry & { balanceAfter: string }> {
  const readAfter = (last: queries.EntryRow | undefined, limit: number) =>
    queries.listMovementsAfter(reader, memberId, BigInt(last?.id ?? 0), limit);
  for await (const rows of readInPages(readAfter, EXPORT_ROWS)) {
    const names = await readNames();
    for (const row of rows)
      yield { ...downloadedEntry.parse(entryOf(row, names)), balanceAfter: String(row.balanceAfter) };
  }
}

/** Reads one movement with the balance (at least 0) and debt after it. @throws Refusal `not-found` */
export async function readHistoryEntry(
  reader: Reader,
  readNames: ReadNames,
  memberId: number,
  id: string,
): Promise<HistoryEntry & { balanceAfter: string; debtAfter: string }> {
  const found = await queries.findMovement(reader, memberId, BigInt(id));
  if (found === undefined) throw refuse('not-found');
  const { balanceAfter } = found;
  return {
    ...entryOf(found, await readNames()),
    balanceAfter: shownBalance(balanceAfter),
    debtAfter: shownDebt(balanceAfter),
  };
}

/** Reads the points earned on each of the last seven site days, oldest first. */
export async function readEarningsChart(
  reader: Reader,
  memberId: number,
): Promise<{ date: string; amount: string }[]> {
  const days = await queries.listDays(reader, memberId);
  assert(days.length === 7, `Member ${memberId} has no wallet`);
  return days.map(({ date, amount }) => ({ date, amount: String(amount) }));
}
