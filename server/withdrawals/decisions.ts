import assert from 'node:assert/strict';
import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/withdrawals.ts';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type { Database } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { coinText, coinUnitsFor } from './coin-amount.ts';
import { failpoint } from './failpoint.ts';
import { isMethod, railOf } from './payment-methods.ts';
import * as queries from './queries.ts';
import { freshRate } from './rates.ts';
import { paginationOf, shownBalance, shownName } from './shown.ts';

/**
 * What operators see of withdrawals, and their decisions. A decision is a conditional update: of several
 * clicks one wins, the others hear how it was decided. Approving fixes rate and amount and queues the payment;
 * it never sends anything.
 */
export type DecisionParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'bus'>;

/** The task that a commit nudges; `payouts.ts` finds the same work by itself. */
const SWEEP = 'payouts.sweep';
const BULK_BATCH = 200;

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
  assert(isMethod(row.method));
  return {
    id: row.id,
    userId: String(row.member_id),
    userName: shownName(row.first_name, row.last_name),
    userEmail: row.email,
    method: row.method,
    status: row.state,
    amount: String(row.amount_points),
    address: row.address,
    coinAmount: row.coin_units === null ? null : coinText(row.coin_units),
    rate: row.rate,
    payoutState: row.payout_state ?? 'none',
    txId: row.transaction_id,
    rejectionReason: row.state === 'rejected' ? row.reason : null,
    createdAt: row.created_at.toISOString(),
    processedAt: row.decided_at?.toISOString() ?? null,
  };
}

/** @throws Refusal `not-found` */
export async function readOne(database: Database, id: string): Promise<OperatorWithdrawal> {
  return shown(await find(database, id));
}

async function find(database: Database, id: string): Promise<queries.OperatorRow> {
  const row = await queries.findWithdrawal(database, id);
  if (!row) throw refuse('not-found');
  return row;
}

/**
 * Approves a pending withdrawal: rate and amount are fixed and the payment queued, in one transaction.
 * @throws Refusal `not-found`, `already-decided`, `payout-unavailable`, `rate-unavailable`
 */
export async function approveWithdrawal(
  parts: DecisionParts,
  operatorId: number,
  id: string,
): Promise<OperatorWithdrawal> {
  const { database } = parts;
  // The amount, the fee and the method of a withdrawal never change, so they may be read before the decision.
  const row = await find(database, id);
  if (row.state !== 'pending') throw alreadyDecided(row.state);
  const method = await queries.findMethod(database, row.method);
  if (!method || !railOf(parts, method)) throw refuse('payout-unavailable');
  assert(row.method === 'litecoin' || row.method === 'dash', 'a rail pays in coin');
  const rate = await freshRate(parts, row.method);
  const coinUnits = coinUnitsFor(row.amount_points, row.fee_points, rate);
  if (coinUnits === 0n)
    throw refuse('payout-unavailable', 'The amount is too small to be paid in this coin.');
  const decided = await database.transaction(async (tx) => {
    const decision = await queries.approve(tx, id, operatorId, rate, coinUnits);
    if (decision.status === 'approved') await enqueue(tx, SWEEP, {}, SWEEP);
    return decision;
  });
  failpoint('after_approve');
  requireDecided(decided, 'approved');
  return readOne(database, id);
}

/**
 * Rejects a pending withdrawal; its points return.
 * @throws Refusal `not-found`, `already-decided`
 */
export async function rejectWithdrawal(
  parts: DecisionParts,
  operatorId: number,
  id: string,
  reason: string,
): Promise<OperatorWithdrawal> {
  const { database } = parts;
  const { method } = await find(database, id);
  const name = (await queries.findMethod(database, method))?.name ?? method;
  const decided = await database.transaction((tx) =>
    queries.reject(tx, id, operatorId, reason, `Withdrawal returned: ${name}`),
  );
  requireDecided(decided, 'rejected');
  announceReturn(parts, decided);
  return readOne(database, id);
}

/** Tells the member that points came back. */
export function announceReturn({ bus }: Pick<Platform, 'bus'>, returned: queries.Returned): void {
  const { member_id: memberId, balance } = returned;
  assert(memberId !== null && balance !== null, 'a return names the member and the balance');
  bus.announce({ memberId, event: { type: 'balance', balance: shownBalance(balance) } });
}

function requireDecided(decision: queries.Decided, wanted: 'approved' | 'rejected'): void {
  if (decision.status === wanted) return;
  throw decision.status === 'not_found' ? refuse('not-found') : alreadyDecided(decision.state);
}

function alreadyDecided(state: queries.WithdrawalState | null): Refusal {
  return refuse('already-decided', `This withdrawal was ${state} already.`);
}

type BulkResult = ReplyOf<typeof contract.approveAllWithdrawals>;

/**
 * Decides every withdrawal that is pending now, oldest first, one by one; a refusal of one stops none of the
 * others.
 */
async function decideAll(database: Database, decide: (id: string) => Promise<unknown>): Promise<BulkResult> {
  const result: BulkResult = { processed: 0, failed: [] };
  const upTo = (await queries.readNewestPending(database))?.queue_number ?? 0n;
  let after = 0n;
  for (;;) {
    const batch = await queries.readPendingAfter(database, after, upTo, BULK_BATCH);
    for (const { id } of batch) {
      try {
        await decide(id);
        result.processed += 1;
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        result.failed.push({ id, reason: error.message });
      }
    }
    const last = batch.at(-1);
    if (!last) return result;
    after = last.queue_number;
  }
}

export function approveAllWithdrawals(parts: DecisionParts, operatorId: number): Promise<BulkResult> {
  return decideAll(parts.database, (id) => approveWithdrawal(parts, operatorId, id));
}

export function rejectAllWithdrawals(
  parts: DecisionParts,
  operatorId: number,
  reason: string,
): Promise<BulkResult> {
  return decideAll(parts.database, (id) => rejectWithdrawal(parts, operatorId, id, reason));
}
