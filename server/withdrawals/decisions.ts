import assert from 'node:assert/strict';
import type { ReplyOf } from '#contract/endpoint.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { sentence } from '#contract/operator-sentences.ts';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import type * as contract from '#contract/withdrawals-decisions.ts';
import type { ExpectedTotals } from '#contract/withdrawals-decisions.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { announceNotices, type NoticeParts } from '../notices/notices.ts';
import { boundsOf } from './approval-bounds.ts';
import * as queries from './decision-queries.ts';
import { alreadyDecided, refusalOf } from './decision-refusals.ts';
import { failpoint } from './failpoint.ts';
import { announceWithdrawal } from './news.ts';
import { amountText } from './payout-amount.ts';
import { readPending } from './queries.ts';
import { quoteToApprove } from './quotes.ts';
import { enqueueSweep } from './sweep-job.ts';
import { readWithdrawal, readWithdrawalRow } from './withdrawal-list.ts';

/**
 * Operators' decisions on withdrawals. A decision is a conditional update, so that of several calls one decides and the
 * others are refused with the decision. An approval fixes rate and amount by the rail's quote and queues the payment.
 * It sends nothing.
 */
/** What decisions and payouts need of the platform. */
export type PayoutParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'health' | 'bus'>;

/**
 * Approves a pending withdrawal within the site's bounds: fixes rate and amount and queues the payment, in one
 * transaction. With a quote, the amount is the one that the operator saw. A request that needs two operators records
 * the first approval and is refused.
 * @throws Refusal `not-found`, `already-decided`, `payout-unavailable`, `rate-unavailable`, `quote-moved`,
 * `withdrawal-disowned`, `withdrawals-suspended`, `member-in-debt`, `address-on-hold`, `own-request`,
 * `withdrawal-in-check`, `second-operator-needed`, `payout-capped`; the first of them, in this order
 */
export async function approveWithdrawal(
  platform: PayoutParts,
  operatorId: number,
  id: string,
  quoteId?: string,
): Promise<OperatorWithdrawal> {
  const { database, config } = platform;
  // A withdrawal's amount, fee and method never change, so they are read before the transaction.
  const row = await readWithdrawalRow(database, id);
  if (row.state !== 'pending') throw alreadyDecided(row.state);
  const quote = await quoteToApprove(platform, row, quoteId);
  const decided = await database.transaction(async (tx) => {
    const settings = await readSettings(tx, config.mode);
    const decision = await queries.approve(tx, id, operatorId, {
      rate: quote.rate,
      amountUnits: quote.amountUnits,
      delaySeconds: settings.payoutDelaySeconds,
      ...boundsOf(settings),
    });
    const paid = { rate: quote.rate, amount: amountText(quote.amountUnits) };
    const target = { kind: 'withdrawal', id, memberId: row.memberId } as const;
    const recorded = { actor: operatorId, target, before: { status: 'pending' } };
    if (decision.status === 'approved') {
      await enqueueSweep(tx);
      const after = { status: 'approved', ...paid };
      await recordActs(tx, [{ ...recorded, act: 'withdrawal.approve', after }]);
    }
    if (decision.isRecorded) {
      const after = { firstApprovedBy: String(operatorId), ...paid };
      await recordActs(tx, [{ ...recorded, act: 'withdrawal.approve-first', after }]);
    }
    return decision;
  });
  failpoint('after_approve');
  if (decided.status !== 'approved') throw refusalOf(decided, decided);
  await announceWithdrawal(platform, id);
  return readWithdrawal(database, id);
}

/**
 * Rejects a pending withdrawal and returns its points.
 * @throws Refusal `not-found`, `already-decided`, `own-request`, `withdrawal-in-check`
 */
export async function rejectWithdrawal(
  platform: PayoutParts,
  operatorId: number,
  id: string,
  reason: string,
): Promise<OperatorWithdrawal> {
  const { database } = platform;
  const decided = await database.transaction(async (tx) => {
    const decision = await queries.reject(tx, id, operatorId, reason);
    const changed = { before: { status: 'pending' }, after: { status: 'rejected' } };
    if (decision.status === 'rejected') {
      assert(decision.memberId !== null, 'a rejection names the member');
      const target = { kind: 'withdrawal', id, memberId: decision.memberId } as const;
      await recordActs(tx, [{ actor: operatorId, act: 'withdrawal.reject', target, reason, ...changed }]);
    }
    return decision;
  });
  if (decided.status !== 'rejected') throw refusalOf(decided);
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

/** What operators read instead of an error that no rule expects. */
export const OUR_FAULT = sentence('our-fault');

type BulkResult = ReplyOf<typeof contract.approveAllWithdrawals>;

/**
 * Decides all withdrawals that are pending at the call, one by one, oldest first. A refusal or a failure of one, such
 * as a balance that somebody else keeps locked, is listed and does not stop the others. All are read in one snapshot,
 * so that none is decided that the expected totals leave out.
 * @throws Refusal `totals-changed`
 */
async function decideAll(
  { database, log }: PayoutParts,
  { expectedCount, expectedPoints }: ExpectedTotals,
  decide: (id: string) => Promise<unknown>,
): Promise<BulkResult> {
  const result: BulkResult = { processed: 0, failed: [] };
  const pending = await readPending(database);
  const points = pending.reduce((sum, { amountPoints }) => sum + amountPoints, 0n);
  if (pending.length !== (expectedCount ?? pending.length)) throw refuse('totals-changed');
  if (points !== BigInt(expectedPoints ?? points)) throw refuse('totals-changed');
  for (const { id, amountPoints, method, ...name } of pending) {
    try {
      await decide(id);
      result.processed += 1;
    } catch (error) {
      if (isFirstApproval(error)) {
        result.firstApprovedIds = [...(result.firstApprovedIds ?? []), id];
        continue;
      }
      if (!(error instanceof Refusal))
        log.error({ error, withdrawal: id }, 'a withdrawal could not be decided');
      const reason = error instanceof Refusal ? error.message : OUR_FAULT;
      result.failed.push({ id, reason, userName: fullNameOf(name), amount: String(amountPoints), method });
    }
  }
  return result;
}

/** Whether an approval was refused because it was recorded as the first of two. */
const isFirstApproval = (error: unknown): boolean =>
  error instanceof Refusal && error.extensions.isRecorded === true;

/**
 * Approves all pending withdrawals. Those that need two operators get their first approval and are listed apart.
 * @throws Refusal `totals-changed`
 */
export function approveAllWithdrawals(
  platform: PayoutParts,
  operatorId: number,
  expected: ExpectedTotals = {},
): Promise<BulkResult> {
  return decideAll(platform, expected, (id) => approveWithdrawal(platform, operatorId, id));
}

/**
 * Rejects all pending withdrawals with one reason.
 * @throws Refusal `totals-changed`
 */
export function rejectAllWithdrawals(
  platform: PayoutParts,
  operatorId: number,
  reason: string,
  expected: ExpectedTotals = {},
): Promise<BulkResult> {
  return decideAll(platform, expected, (id) => rejectWithdrawal(platform, operatorId, id, reason));
}
