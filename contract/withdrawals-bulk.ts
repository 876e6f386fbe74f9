import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { memberId, points, reason, time, uuid } from './fields.ts';
import { operatorList } from './operator-list.ts';
import { freeBalance, method, payoutState, withdrawalFlag, withdrawalStatus } from './withdrawals.ts';

/**
 * Operators' decisions on many withdrawal requests. A node makes them one by one, whether the page is open or not, and
 * the result of each request is kept for 30 days.
 */

/** Why a pending request stays: what stands against it or should be looked at, or that nothing can pay or price it. */
const stayReason = z.enum([...withdrawalFlag.exclude(['two-people']).options, 'no-rail', 'no-rate']);
export type StayReason = z.infer<typeof stayReason>;

const planned = z.object({
  /** Of the requests that would be decided; a first approval of two counts too. */
  count: z.number(),
  points,
  /** Names the requests that would be decided. Of other requests it is another one. */
  digest: z.string(),
  /** How many of them would get the first approval of two. */
  firstCount: z.number(),
  /** The same by method, the most points first. */
  methods: z.array(z.object({ method, count: z.number(), points })),
  /** How many would stay, by reason, the most first. */
  staying: z.array(z.object({ reason: stayReason, count: z.number() })),
});
export type PlannedDecisions = z.infer<typeof planned>;
export type MethodTotals = PlannedDecisions['methods'][number];

export const readPlannedDecisions = endpoint({
  method: 'GET',
  path: '/api/admin/withdrawals/planned',
  summary:
    'What the calls on all pending requests would decide now for this operator, and why the others stay',
  access: 'operator',
  topic: 'queue',
  /** Whether requests with a flag to look at would be approved too. */
  query: z.object({ withFlagged: z.enum(['true', 'false']).default('false') }),
  reply: z.object({
    approval: planned,
    rejection: planned,
    /** What each account held at its last look, less what is approved or was sent since; none without a rate. */
    balances: z.array(freeBalance),
  }),
});

/** How many requests can be named at once. */
export const CHOSEN_MAX = 1_000;

/**
 * Which requests are decided: all pending ones or these. With the totals as the operator saw them the call decides
 * nothing if one differs. Other requests may have the same totals; with the digest none is decided unseen.
 */
const order = z.strictObject({
  ids: z.array(uuid).min(1).max(CHOSEN_MAX).optional(),
  expectedCount: z.number().int().min(0).optional(),
  expectedPoints: z
    .string()
    .regex(/^(0|[1-9]\d{0,18})$/, 'Invalid amount')
    .optional(),
  expectedDigest: z.string().length(43).optional(),
  /** Also approves requests with a flag to look at. A call without a body does. */
  withFlagged: z.boolean().optional(),
  /** Answers before the first decision. The result is read by the id of the act. */
  answersAtOnce: z.boolean().optional(),
});
export type BulkOrder = z.infer<typeof order>;

const undecided = z.object({
  id: z.string(),
  /** `flagged` where a flag left it out; else the same as `detail`. */
  reason: z.string(),
  /** An English sentence. */
  detail: z.string(),
  flag: withdrawalFlag.nullable(),
  userName: z.string(),
  amount: points,
  method: z.string(),
});

const bulkResult = z.object({
  processed: z.number(),
  failed: z.array(undecided),
  /** Those of `failed` that were known to stay before the first decision, if there are any. */
  stayingIds: z.array(z.string()).optional(),
  /** Those whose first approval of two was recorded, if there are any. */
  firstApprovedIds: z.array(z.string()).optional(),
  /** The act, by which its progress and its result are read later. */
  actId: z.string(),
});

export const approveAllWithdrawals = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/approve-all',
  summary: 'Approve all pending withdrawals, or these, one by one; lists those that failed or stay',
  access: 'operator',
  act: 'withdrawal.approve',
  refreshes: ['queue'],
  body: order.optional(),
  reply: bulkResult,
  refusals: ['not-found', 'totals-changed'],
});

export const rejectAllWithdrawals = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/reject-all',
  summary: 'Reject all pending withdrawals, or these, one by one; lists those that failed or stay',
  access: 'operator',
  act: 'withdrawal.reject',
  refreshes: ['queue'],
  body: order.extend({ reason }),
  reply: bulkResult,
  refusals: ['not-found', 'totals-changed'],
});

const bulkAct = z.object({
  id: z.string(),
  operatorId: memberId,
  decision: z.enum(['approve', 'reject']),
  /** Of the requests that it decides, and how many of them have a result. */
  count: z.number(),
  points,
  endedCount: z.number(),
  createdAt: time,
  /** Null while it runs. */
  finishedAt: time.nullable(),
});
export type BulkActRow = z.infer<typeof bulkAct>;

export const readBulkActs = operatorList({
  path: '/api/admin/withdrawals/bulk-acts',
  summary: 'Decisions on many withdrawals of the last 30 days, newest first',
  topic: 'queue',
  row: bulkAct,
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {
    operatorId: { kind: 'member' },
    state: { kind: 'choice', choices: ['running', 'finished'] },
  },
  searches: ['id'],
});

const bulkRow = z.object({
  id: z.string(),
  userName: z.string(),
  amount: points,
  method,
  /** `first`: its first approval of two was given. `stayed`: it was known before to stay. */
  state: z.enum(['waiting', 'done', 'first', 'stayed', 'failed']),
  /** Why it stayed or failed. */
  reason: z.string().nullable(),
  /** The flag that says so, if one does. */
  flag: withdrawalFlag.nullable(),
  /** The request now, which may have changed since. */
  status: withdrawalStatus,
  payoutState,
  isUndoable: z.boolean(),
});
export type BulkRow = z.infer<typeof bulkRow>;

const bulkActResult = bulkAct.extend({ rows: z.array(bulkRow) });
export type BulkActResult = z.infer<typeof bulkActResult>;

export const readBulkAct = endpoint({
  method: 'GET',
  path: '/api/admin/withdrawals/bulk-acts/:id',
  summary: 'The progress of decisions on many withdrawals; once it is finished, the result of each request',
  access: 'operator',
  topic: 'queue',
  params: z.object({ id: uuid }),
  reply: bulkActResult,
  refusals: ['not-found'],
});

export const stopBulkAct = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/bulk-acts/:id/stop',
  summary: 'End decisions on many withdrawals before the next one; the requests that are left stay pending',
  access: 'operator',
  act: 'bulk-act.stop',
  refreshes: ['queue'],
  params: z.object({ id: uuid }),
  reply: bulkActResult,
  refusals: ['not-found'],
});
