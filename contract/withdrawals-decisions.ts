import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, reason, time, uuid } from './fields.ts';
import { operatorWithdrawal, queuedWithdrawal } from './withdrawals.ts';
import { background } from './withdrawals-background.ts';
import { possiblePayment } from './withdrawals-payouts.ts';
import { sourcePrice } from './withdrawals-rates.ts';

/** Operators' decisions on withdrawal requests, one by one. */

const decisionParams = z.object({ id: uuid });

/** A cap of the day that an approval would pass: its sum, how much of it is approved, and when the day ends. */
const cap = z.object({ name: z.enum(['memberDay', 'methodDay']), points, usedPoints: points, endsAt: time });
export type Cap = z.infer<typeof cap>;

/** A pending withdrawal with what its approval would pay now. */
const quotedWithdrawal = queuedWithdrawal.extend({
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
export type QuotedWithdrawal = z.infer<typeof quotedWithdrawal>;

const examinedWithdrawal = quotedWithdrawal.extend(background.shape);
export type ExaminedWithdrawal = z.infer<typeof examinedWithdrawal>;

export const examineWithdrawal = endpoint({
  method: 'GET',
  path: '/api/admin/withdrawals/:id',
  summary:
    'One withdrawal with all that is known before a decision; a pending one with a quote of what an approval pays',
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
  // In the order in which they are asked; `withdrawals.obstacles_of` and `approve` in SQL have the same.
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
    'points-in-check',
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
  body: z.strictObject({ reason }),
  reply: operatorWithdrawal,
  refusals: ['not-found', 'already-decided', 'own-request', 'withdrawal-in-check'],
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
