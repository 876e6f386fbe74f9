import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, text, time, uuid } from './fields.ts';
import { operatorWithdrawal, queuedWithdrawal, withdrawalFlag } from './withdrawals.ts';
import { possiblePayment } from './withdrawals-payouts.ts';
import { sourcePrice } from './withdrawals-rates.ts';

/** Operators' decisions on withdrawal requests, one by one and on all pending ones. */

const decisionParams = z.object({ id: uuid });
const bulkResult = z.object({
  processed: z.number(),
  failed: z.array(
    z.object({
      id: z.string(),
      reason: z.string(),
      userName: z.string(),
      amount: points,
      method: z.string(),
    }),
  ),
  /** Those of `failed` that were known to stay before the first decision, if there are any. */
  stayingIds: z.array(z.string()).optional(),
  /** Those whose first approval of two was recorded, if there are any. */
  firstApprovedIds: z.array(z.string()).optional(),
});

/** A cap of the day that an approval would pass: its sum, how much of it is approved, and when the day ends. */
const cap = z.object({ name: z.enum(['memberDay', 'methodDay']), points, usedPoints: points, endsAt: time });
export type Cap = z.infer<typeof cap>;

/** A pending withdrawal with what its approval would pay now. */
const examinedWithdrawal = queuedWithdrawal.extend({
  /** Null if it is decided, or can’t be approved now; then `trouble` says why. A held one has a quote. */
  quote: z
    .object({
      id: z.string(),
      rate: z.string(),
      coinAmount: z.string(),
      sources: z.array(sourcePrice),
      at: time,
    })
    .nullable(),
  trouble: z.string().nullable(),
  /** Until then an approval is refused, because of the address or a change of the account; null if it is not held. */
  holdUntil: time.nullable(),
  /** The operator whose approval was the first of two. */
  firstApprovedBy: z.string().nullable(),
  firstApproverEmail: z.string().nullable(),
  /** What stands against this operator's approval, by the code of its refusal; null if nothing does. */
  obstacle: z.object({ code: z.string(), cap: cap.nullable() }).nullable(),
  /** Whether this operator's approval would be recorded as the first of two. */
  isFirstOfTwo: z.boolean(),
  /** The payments of `possibleTxIds`, as they were listed. */
  possiblePayments: z.array(possiblePayment),
});
export type ExaminedWithdrawal = z.infer<typeof examinedWithdrawal>;

export const examineWithdrawal = endpoint({
  method: 'GET',
  path: '/api/admin/withdrawals/:id',
  summary: 'One withdrawal; if it is pending, with a quote of what an approval pays',
  access: 'operator',
  topic: 'queue',
  params: decisionParams,
  reply: examinedWithdrawal,
  refusals: ['not-found'],
});

export const approveWithdrawal = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/:id/approve',
  summary: 'Approve a withdrawal: fixes amount and rate and queues the payout',
  access: 'operator',
  act: 'withdrawal.approve',
  refreshes: ['queue'],
  params: decisionParams,
  /** With a quote, the amount that the operator saw is paid. Without one, the current rate decides. */
  body: z.strictObject({ quoteId: uuid.optional() }).optional(),
  reply: operatorWithdrawal,
  // In the order in which they are asked; `withdrawals.obstacle` and `approve` in SQL have the same.
  refusals: [
    'not-found',
    'already-decided',
    'payout-unavailable',
    'rate-unavailable',
    'quote-moved',
    'withdrawal-disowned',
    'withdrawals-suspended',
    'member-in-debt',
    'address-on-hold',
    'own-request',
    'withdrawal-in-check',
    'second-operator-needed',
    'payout-capped',
  ],
});

export const undoApproval = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/:id/undo',
  summary:
    'Take an approval back before its payment is prepared; 409 payout-halted says that this waits for the rail',
  access: 'operator',
  act: 'withdrawal.undo',
  refreshes: ['queue'],
  params: decisionParams,
  reply: operatorWithdrawal,
  refusals: ['not-found', 'already-decided', 'already-sent', 'own-request', 'payout-halted'],
});

export const rejectWithdrawal = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/:id/reject',
  summary: 'Reject a withdrawal with a reason; returns its points',
  access: 'operator',
  act: 'withdrawal.reject',
  refreshes: ['queue'],
  params: decisionParams,
  body: z.strictObject({ reason: text(500, 'Reason is required') }),
  reply: operatorWithdrawal,
  refusals: ['not-found', 'already-decided', 'own-request', 'withdrawal-in-check'],
});

/** Why a pending request stays: what stands against the decision, or that nothing can pay it or price it now. */
const stayReason = z.enum([...withdrawalFlag.exclude(['two-people']).options, 'no-rail', 'no-rate']);
export type StayReason = z.infer<typeof stayReason>;

const planned = z.object({
  /** Of the requests that would be decided; a first approval of two counts too. */
  count: z.number(),
  points,
  /** How many of them would get the first approval of two. */
  firstCount: z.number(),
  /** How many would stay, by reason, the most first. */
  staying: z.array(z.object({ reason: stayReason, count: z.number() })),
});
export type PlannedDecisions = z.infer<typeof planned>;

export const readPlannedDecisions = endpoint({
  method: 'GET',
  path: '/api/admin/withdrawals/planned',
  summary:
    'What the calls on all pending requests would decide now for this operator, and why the others stay',
  access: 'operator',
  topic: 'queue',
  reply: z.object({ approval: planned, rejection: planned }),
});

/**
 * The totals of the requests that would be decided, as the operator saw them. If one of them differs, the call decides
 * nothing, so that no request is decided unseen.
 */
const expectedTotals = z.strictObject({
  expectedCount: z.number().int().min(0).optional(),
  expectedPoints: z
    .string()
    .regex(/^(0|[1-9]\d{0,18})$/, 'Invalid amount')
    .optional(),
});
export type ExpectedTotals = z.infer<typeof expectedTotals>;

export const approveAllWithdrawals = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/approve-all',
  summary: 'Approve all pending withdrawals one by one; lists those that failed or stay',
  access: 'operator',
  act: 'withdrawal.approve',
  refreshes: ['queue'],
  body: expectedTotals.optional(),
  reply: bulkResult,
  refusals: ['totals-changed'],
});

export const rejectAllWithdrawals = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/reject-all',
  summary: 'Reject all pending withdrawals one by one; lists those that failed or stay',
  access: 'operator',
  act: 'withdrawal.reject',
  refreshes: ['queue'],
  body: expectedTotals.extend({ reason: text(500, 'Reason is required') }),
  reply: bulkResult,
  refusals: ['totals-changed'],
});

export const syncWithdrawal = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/:id/sync',
  summary: 'Check a payout now',
  access: 'operator',
  act: 'payout.check',
  refreshes: ['queue'],
  params: decisionParams,
  reply: operatorWithdrawal,
  refusals: ['not-found'],
});
