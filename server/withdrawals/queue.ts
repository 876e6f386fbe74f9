import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/withdrawals.ts';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { Database } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import { refuse } from '#platform/refusal.ts';
import { shownDestination } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import * as queries from './queries.ts';
import { paginationOf, shownName } from './shown.ts';

/** The operators' list of withdrawals, and one withdrawal as they see it. */
type QueueQuery = {
  page: number;
  limit: number;
  q?: string | undefined;
  sort?: string | undefined;
  status?: queries.WithdrawalState | undefined;
};

/** A page of every member's withdrawals. A search looks at no more than 10,001 matches. */
export async function readQueue(
  database: Database,
  query: QueueQuery,
): Promise<ReplyOf<typeof contract.readWithdrawalQueue>> {
  const state = query.status ?? null;
  const page = {
    state,
    order: orderOf(query.sort),
    offset: (query.page - 1) * query.limit,
    limit: query.limit,
  };
  const [rows, total] = query.q
    ? await Promise.all([
        queries.searchQueue(database, query.q, page),
        queries.countMatches(database, query.q, state).then(({ count }) => count),
      ])
    : await Promise.all([queries.readQueuePage(database, page), countOf(database, state)]);
  return {
    withdrawals: rows.map(shown),
    pagination: paginationOf(query.page, query.limit, Number(total)),
  };
}

function orderOf(sort: string | undefined): queries.QueueOrder {
  switch (sort) {
    case undefined:
      return '-createdAt';
    case 'createdAt':
    case '-createdAt':
    case 'amount':
    case '-amount':
      return sort;
    default:
      throw new InvalidRequest([
        { path: 'sort', message: 'Must be createdAt or amount, with or without a minus' },
      ]);
  }
}

async function countOf(database: Database, state: queries.WithdrawalState | null): Promise<bigint> {
  const totals = await queries.readTotals(database);
  if (state !== null) return totals[`${state}_count`];
  return totals.pending_count + totals.approved_count + totals.rejected_count;
}

function shown(row: queries.OperatorRow): OperatorWithdrawal {
  return {
    id: row.id,
    userId: String(row.member_id),
    userName: shownName(row.first_name, row.last_name),
    userEmail: row.email,
    method: row.method,
    status: row.state,
    amount: String(row.amount_points),
    address: shownDestination(row.method, row.destination),
    coinAmount: row.amount_units === null ? null : amountText(row.amount_units),
    rate: row.rate,
    payoutState: row.payout_state ?? 'none',
    txId: row.reference,
    rejectionReason: row.state === 'rejected' ? row.reason : null,
    createdAt: row.created_at.toISOString(),
    processedAt: row.decided_at?.toISOString() ?? null,
  };
}

/** @throws Refusal `not-found` */
export async function readOne(database: Database, id: string): Promise<OperatorWithdrawal> {
  return shown(await readRow(database, id));
}

/** @throws Refusal `not-found` */
export async function readRow(database: Database, id: string): Promise<queries.OperatorRow> {
  const row = await queries.findWithdrawal(database, id);
  if (!row) throw refuse('not-found');
  return row;
}
