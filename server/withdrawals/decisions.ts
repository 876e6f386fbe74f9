import assert from 'node:assert/strict';
import { sentence } from '#contract/operator-sentences.ts';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { type ActorOrId, operatorIdOf, recordActs } from '#platform/audit-trail.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { readSettings } from '#platform/settings.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { announceNotices, type NoticeParts } from '../notices/notices.ts';
import { boundsOf } from './approval-bounds.ts';
import * as queries from './decision-queries.ts';
import { alreadyDecided, refusalOf } from './decision-refusals.ts';
import { failpoint } from './failpoint.ts';
import { announceWithdrawal } from './news.ts';
import { amountText } from './payout-amount.ts';
import type { OperatorRow } from './queries.ts';
import { type Quote, type QuoteParts, quoteToApprove } from './quotes.ts';
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
 * `withdrawal-in-check`, `points-in-check`, `second-operator-needed`, `payout-capped`; the first of them, in this order
 */
export async function approveWithdrawal(
  platform: PayoutParts,
  operatorId: number,
  id: string,
  quoteId?: string,
): Promise<OperatorWithdrawal> {
  await recordApproval(platform, operatorId, id, quoteId);
  await announceWithdrawal(platform, id);
  return readWithdrawal(platform.database, id);
}

/** Approves as `approveWithdrawal` does, also for the command line, and announces nothing. */
export async function recordApproval(
  platform: QuoteParts,
  actor: ActorOrId,
  id: string,
  quoteId?: string,
): Promise<void> {
  const priced = await priceRequest(platform, id, quoteId);
  const decided = await platform.database.transaction((tx) => approveIn(tx, platform, actor, priced));
  failpoint('after_approve');
  if (decided.status !== 'approved') throw refusalOf(decided, decided);
}

/** A request with what its approval pays. */
type Priced = { row: OperatorRow; quote: Quote };

/**
 * Reads what an approval would pay. A withdrawal's amount, fee and method never change, so they are read before the
 * transaction.
 * @throws Refusal `not-found`, `already-decided`, and those of `quoteToApprove`
 */
export async function priceRequest(platform: QuoteParts, id: string, quoteId?: string): Promise<Priced> {
  const row = await readWithdrawalRow(platform.database, id);
  if (row.state !== 'pending') throw alreadyDecided(row.state);
  return { row, quote: await quoteToApprove(platform, row, quoteId) };
}

/** Approves in a transaction, with its sweep and its act. A refusal changes nothing, but for a first approval. */
export async function approveIn(
  tx: Tx,
  { config }: Pick<Platform, 'config'>,
  actor: ActorOrId,
  { row: { id, memberId }, quote }: Priced,
): Promise<Awaited<ReturnType<typeof queries.approve>>> {
  const settings = await readSettings(tx, config.mode);
  const decision = await queries.approve(tx, id, operatorIdOf(actor), {
    rate: quote.rate,
    amountUnits: quote.amountUnits,
    delaySeconds: settings.payoutDelaySeconds,
    ...boundsOf(settings),
  });
  const paid = { rate: quote.rate, amount: amountText(quote.amountUnits) };
  const recorded = {
    actor,
    target: { kind: 'withdrawal', id, memberId },
    before: { status: 'pending' },
  } as const;
  if (decision.status === 'approved') {
    await enqueueSweep(tx);
    const after = { status: 'approved', ...paid };
    await recordActs(tx, [{ ...recorded, act: 'withdrawal.approve', after }]);
  }
  if (decision.isRecorded) {
    const after = { firstApprovedBy: String(actor), ...paid };
    await recordActs(tx, [{ ...recorded, act: 'withdrawal.approve-first', after }]);
  }
  return decision;
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
  await announceReturn(platform, id, await recordRejection(platform, operatorId, id, reason));
  return readWithdrawal(platform.database, id);
}

/** Rejects as `rejectWithdrawal` does, also for the command line, and announces nothing. */
export async function recordRejection(
  { database }: Pick<Platform, 'database'>,
  actor: ActorOrId,
  id: string,
  reason: string,
): Promise<queries.Returned> {
  const decided = await database.transaction((tx) => rejectIn(tx, actor, id, reason));
  if (decided.status !== 'rejected') throw refusalOf(decided);
  return decided;
}

/** Rejects in a transaction, with its act. A refusal changes nothing. */
export async function rejectIn(
  tx: Tx,
  actor: ActorOrId,
  id: string,
  reason: string,
): Promise<queries.Decided & queries.Returned> {
  const decision = await queries.reject(tx, id, operatorIdOf(actor), reason);
  const changed = { before: { status: 'pending' }, after: { status: 'rejected' } };
  if (decision.status === 'rejected') {
    assert(decision.memberId !== null, 'a rejection names the member');
    const target = { kind: 'withdrawal', id, memberId: decision.memberId } as const;
    await recordActs(tx, [{ actor, act: 'withdrawal.reject', target, reason, ...changed }]);
  }
  return decision;
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
