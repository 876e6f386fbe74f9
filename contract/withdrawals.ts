import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import {
  atMost,
  memberPageQuery,
  optionalText,
  pageOf,
  points,
  positivePoints,
  text,
  time,
  uuid,
  whenNoRecord,
} from './fields.ts';
import { operatorList } from './operator-list.ts';
import { sourcePrice } from './withdrawals-rates.ts';
import { waitsFor } from './withdrawals-restrictions.ts';

/** Withdrawal requests, operators' decisions, and payment methods. */

/** The id of a registered rail. The server has the list. */
export const method = z.string().regex(/^[a-z]{2,20}$/);
export type Method = z.infer<typeof method>;

export const withdrawalStatus = z.enum(['pending', 'approved', 'rejected']);
export const payoutState = z.enum(['none', 'queued', 'signed', 'broadcast', 'confirmed', 'parked', 'failed']);
export type PayoutState = z.infer<typeof payoutState>;

export const readMethods = endpoint({
  method: 'GET',
  path: '/api/withdrawal/methods',
  summary: 'The enabled payment methods, with their limits in points',
  access: 'member',
  reply: z.array(
    z.object({
      method,
      name: z.string(),
      minimumAmount: z.number(),
      maximumAmount: z.number(),
      processingFee: z.number(),
    }),
  ),
});

export const readRails = endpoint({
  method: 'GET',
  path: '/api/withdrawal/rails',
  summary: 'All registered payment methods: currency and form of the destination',
  access: 'member',
  reply: z.array(
    z.object({
      method,
      name: z.string(),
      currency: z.string(),
      /** Whether the amount depends on an exchange rate. */
      isRated: z.boolean(),
      /** A `code` has no spaces and is shown in groups of four. `pattern` is a regular expression for a hint. */
      destination: z.object({ kind: z.enum(['email', 'code']), pattern: z.string() }).nullable(),
    }),
  ),
});

export const readCoinRates = endpoint({
  method: 'GET',
  path: '/api/withdrawal/rates',
  summary: 'US dollars per coin, of the coins with a fresh rate; the approval fixes the rate of a payout',
  access: 'member',
  reply: z.array(z.object({ method, usd: z.string(), at: time })),
});

export const withdrawal = z.object({
  id: z.string(),
  method,
  status: withdrawalStatus,
  amount: points,
  createdAt: time,
  processedAt: time.nullable(),
});

export const requestWithdrawal = endpoint({
  method: 'POST',
  path: '/api/withdrawal',
  summary: 'Request a withdrawal; the points leave the balance at once',
  access: 'member',
  refreshes: ['balance', 'history', 'withdrawals'],
  idempotent: true,
  body: z.strictObject({
    amountPoints: positivePoints,
    method,
    /** In the shape of the method's rail; `{ address }` for rails with a single field. */
    recipientInfo: atMost(
      10,
      z.record(z.string().regex(/^[a-zA-Z]{1,40}$/), optionalText(254), whenNoRecord),
    ),
  }),
  status: 201,
  reply: withdrawal,
  refusals: [
    'withdrawals-suspended',
    'method-disabled',
    'below-minimum',
    'above-maximum',
    'invalid-address',
    'phone-not-verified',
    'withdrawal-limit-reached',
    'insufficient-balance',
    'idempotency-mismatch',
    'in-progress',
  ],
});

export const withdrawalEntry = withdrawal.extend({
  address: z.string(),
  txId: z.string().nullable(),
  payoutState,
  /** The payment is final. */
  isConfirmed: z.boolean(),
  rejectionReason: z.string().nullable(),
  /** Who turned it down: an operator, the member, or the outside party that pays. */
  rejectionCode: z.enum(['operator', 'cancelled', 'failed']).nullable(),
  waitsFor: waitsFor.nullable(),
  /** Until then it is on hold; null if it waits for something else, or for nothing. */
  holdUntil: time.nullable(),
});

export const readWithdrawals = endpoint({
  method: 'GET',
  path: '/api/withdrawal/history',
  summary: 'The member’s withdrawals, newest first',
  access: 'member',
  topic: 'withdrawals',
  query: memberPageQuery,
  reply: pageOf(withdrawalEntry),
});

export const cancelWithdrawal = endpoint({
  method: 'POST',
  path: '/api/withdrawal/:id/cancel',
  summary: 'Cancel an own pending withdrawal; its points return',
  access: 'member',
  refreshes: ['balance', 'history', 'withdrawals'],
  params: z.object({ id: uuid }),
  reply: withdrawalEntry,
  refusals: ['not-found', 'already-decided', 'withdrawal-in-check'],
});

export const operatorWithdrawal = z.object({
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  method,
  status: withdrawalStatus,
  amount: points,
  address: z.string(),
  coinAmount: z.string().nullable(),
  rate: z.string().nullable(),
  payoutState,
  txId: z.string().nullable(),
  rejectionReason: z.string().nullable(),
  createdAt: time,
  processedAt: time.nullable(),
  userFirstName: z.string(),
  userLastName: z.string().nullable(),
  /** Until then an approval can be taken back; null if it can’t. */
  undoUntil: time.nullable(),
  /** Payments that may have paid a pending request already. While there are any, it can’t be decided. */
  possibleTxIds: z.array(z.string()),
});
export type OperatorWithdrawal = z.infer<typeof operatorWithdrawal>;

export const readWithdrawalQueue = operatorList({
  path: '/api/admin/withdrawals-data',
  summary: 'All members’ withdrawals, newest first',
  topic: 'queue',
  row: operatorWithdrawal,
  // Only the initials of the screen need the parts of the name. `userName` is the whole name.
  csvRow: operatorWithdrawal.omit({
    userFirstName: true,
    userLastName: true,
    undoUntil: true,
    possibleTxIds: true,
  }),
  rows: 'withdrawals',
  sorts: ['createdAt', 'amount'],
  defaultSort: '-createdAt',
  filters: {
    status: { kind: 'choice', choices: withdrawalStatus.options },
    method: { kind: 'id' },
    minAmount: { kind: 'points' },
    maxAmount: { kind: 'points' },
    olderThanHours: { kind: 'hours' },
  },
  searches: ['id', 'userId', 'userEmail', 'address', 'txId'],
});

export const readWithdrawalStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  summary: 'Count and points of pending withdrawals, and the count of all',
  access: 'operator',
  topic: 'queue',
  reply: z.object({ pendingWithdrawals: z.number(), pendingAmount: points, totalWithdrawals: z.number() }),
});

const decisionParams = z.object({ id: uuid });
const bulkResult = z.object({
  processed: z.number(),
  failed: z.array(z.object({ id: z.string(), reason: z.string() })),
});

/** A pending withdrawal with what its approval would pay now. */
const examinedWithdrawal = operatorWithdrawal.extend({
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
    'withdrawals-suspended',
    'withdrawal-disowned',
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

/**
 * The totals of the pending requests that the operator saw. If one of them differs, the call decides nothing, so that
 * no request is decided unseen.
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
  summary: 'Approve all pending withdrawals one by one; lists those that failed',
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
  summary: 'Reject all pending withdrawals one by one; lists those that failed',
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
