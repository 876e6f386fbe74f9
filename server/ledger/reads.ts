/** What a member reads of the books, in the shapes of the contract; one statement each. */
import assert from 'node:assert/strict';
import type { HistoryEntry, Stats } from '#contract/ledger.ts';
import type { Reader } from '#platform/database.ts';
import * as queries from './queries.ts';

type HistoryPage = {
  data: HistoryEntry[];
  pagination: { page: number; totalPages: number; totalCount: number; limit: number };
};

/** Balance (never below zero), what is owed instead, totals, and what was earned on this site day. */
export async function readStats(on: Reader, memberId: number): Promise<Stats> {
  const wallet = await queries.findWallet(on, memberId);
  assert(wallet, `Member ${memberId} has no wallet`);
  const isInDebt = wallet.balance < 0n;
  return {
    balance: String(isInDebt ? 0n : wallet.balance),
    debt: String(isInDebt ? -wallet.balance : 0n),
    totalEarned: String(wallet.earnedTotal),
    todayEarned: String(wallet.earnedToday),
    completedTasks: wallet.tasksCompleted,
  };
}

/** Any page of all movements, newest first; `page` from 1. A page beyond the last is empty. */
export async function readHistory(
  on: Reader,
  memberId: number,
  { page, limit }: { page: number; limit: number },
): Promise<HistoryPage> {
  const rows = await queries.listMovements(on, memberId, page, limit);
  assert(rows[0], `Member ${memberId} has no wallet`);
  const totalCount = Number(rows[0].count);
  const data = rows.flatMap((row) =>
    row.seq === null
      ? []
      : [
          {
            id: String(row.seq),
            amount: String(row.amount),
            description: row.description,
            createdAt: row.postedAt.toISOString(),
            kind: row.kind,
            provider: row.provider,
            txId: row.transactionId,
          },
        ],
  );
  const totalPages = Math.max(1, Math.ceil(totalCount / limit));
  return { data, pagination: { page, totalPages, totalCount, limit } };
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
