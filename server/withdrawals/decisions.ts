import assert from 'node:assert/strict';
import type { ReplyOf } from '#contract/endpoint.ts';
import type * as contract from '#contract/withdrawals.ts';
import type { ExpectedTotals, OperatorWithdrawal } from '#contract/withdrawals.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { announceNotices, type NoticeParts } from '../notices/notices.ts';
import { failpoint } from './failpoint.ts';
import { announceWithdrawal } from './news.ts';
import { setUpRail } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import * as queries from './queries.ts';
import { freshRate } from './rates.ts';
import { enqueueSweep } from './sweep-job.ts';
import { readWithdrawal, readWithdrawalRow } from './withdrawal-list.ts';

/**
 * Operators' decisions on withdrawals. A decision is a conditional update, so that of several calls one decides and the
 * others are refused with the decision. An approval fixes rate and amount by the rail's quote and queues the payment.
 * It sends nothing.
 */
export type DecisionParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'health' | 'bus'>;

/**
 * Approves a pending withdrawal: fixes rate and amount and queues the payment, in one transaction.
 * @throws Refusal `not-found`, `already-decided`, `payout-unavailable`, `rate-unavailable`
 */
export async function approveWithdrawal(
  platform: DecisionParts,
  operatorId: number,
  id: string,
): Promise<OperatorWithdrawal> {
  const { database } = platform;
  // A withdrawal's amount, fee and method never change, so they are read before the transaction.
  const row = await readWithdrawalRow(database, id);
  if (row.state !== 'pending') throw alreadyDecided(row.state);
  const setup = await setUpRail(platform, row.method);
  if (setup.kind === 'unusable') throw refuse('payout-unavailable', setup.reason);
  const request = { amountPoints: row.amountPoints, feePoints: row.feePoints };
  const quote = await setup.rail.quote(request, async (currencyId) => {
    const { usd } = await freshRate(platform, currencyId);
    return usd;
  });
  if (quote.kind === 'refused') throw refuse('payout-unavailable', quote.reason);
  const approval = {
    operatorId,
    act: 'withdrawal.approve' as const,
    target: id,
    before: { status: 'pending' },
  };
  const decided = await database.transaction(async (tx) => {
    const decision = await queries.approve(tx, id, operatorId, quote.rate, quote.amountUnits);
    if (decision.status === 'approved') {
      await enqueueSweep(tx);
      const after = { status: 'approved', rate: quote.rate, amount: amountText(quote.amountUnits) };
      await recordActs(tx, [{ ...approval, after }]);
    }
    return decision;
  });
  failpoint('after_approve');
  requireDecided(decided, 'approved');
  await announceWithdrawal(platform, id);
  return readWithdrawal(database, id);
}

/**
 * Rejects a pending withdrawal and returns its points.
 * @throws Refusal `not-found`, `already-decided`
 */
export async function rejectWithdrawal(
  platform: DecisionParts,
  operatorId: number,
  id: string,
  reason: string,
): Promise<OperatorWithdrawal> {
  const { database } = platform;
  const decided = await database.transaction(async (tx) => {
    const decision = await queries.reject(tx, id, operatorId, reason);
    const changed = { before: { status: 'pending' }, after: { status: 'rejected' } };
    if (decision.status === 'rejected')
      await recordActs(tx, [{ operatorId, act: 'withdrawal.reject', target: id, reason, ...changed }]);
    return decision;
  });
  requireDecided(decided, 'rejected');
  await announceReturn(platform, id, decided);
  return readWithdrawal(database, id);
}

/** Announces a withdrawal whose points were returned: the balance, the state and the notice. */
export async function announceReturn(
  platform: NoticeParts,
  id: string,
  returned: queries.Returned,
): Promise<void> {
  const { memberId, balance } = returned;
  assert(memberId !== null && balance !== null, 'a return names the member and the balance');
  announceBalance(platform, memberId, balance);
  await announceWithdrawal(platform, id);
  await announceNotices(platform, memberId);
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
 * Decides all withdrawals that are pending at the call, one by one, oldest first. A refusal of one is collected and
 * does not stop the others. All are read in one snapshot, so that none is decided that the expected totals leave out.
 * @throws Refusal `totals-changed`
 */
async function decideAll(
  database: Database,
  { expectedCount, expectedPoints }: ExpectedTotals,
  decide: (id: string) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { processed: 0, failed: [] };
  const pending = await queries.readPending(database);
  const points = pending.reduce((sum, { amountPoints }) => sum + amountPoints, 0n);
  if (pending.length !== (expectedCount ?? pending.length)) throw refuse('totals-changed');
  if (points !== BigInt(expectedPoints ?? points)) throw refuse('totals-changed');
  for (const { id } of pending) {
    try {
      await decide(id);
      result.processed += 1;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      result.failed.push({ id, reason: error.message });
    }
  }
  return result;
}

/**
 * Approves all pending withdrawals.
 * @throws Refusal `totals-changed`
 */
export function approveAllWithdrawals(
  platform: DecisionParts,
  operatorId: number,
  expected: ExpectedTotals = {},
): Promise<BulkResult> {
  return decideAll(platform.database, expected, (id) => approveWithdrawal(platform, operatorId, id));
}

/**
 * Rejects all pending withdrawals with one reason.
 * @throws Refusal `totals-changed`
 */
export function rejectAllWithdrawals(
  platform: DecisionParts,
  operatorId: number,
  reason: string,
  expected: ExpectedTotals = {},
): Promise<BulkResult> {
  return decideAll(platform.database, expected, (id) => rejectWithdrawal(platform, operatorId, id, reason));
}
