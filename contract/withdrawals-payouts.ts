import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { atMost, points, reason, text, time, uuid } from './fields.ts';
import { operatorList } from './operator-list.ts';
import { pause } from './pause.ts';
import { method, operatorWithdrawal, payoutState } from './withdrawals.ts';

/** Payouts for operators: their state, what is wrong with one, and what an operator can do about it. */

const state = payoutState.exclude(['none']);

/** A listed payment that may have paid a payout or a request already. What was not noted of it is null. */
export const possiblePayment = z.object({
  txId: z.string(),
  coinAmount: z.string().nullable(),
  /** When it was made, by the outside party. */
  at: time.nullable(),
  /** Where it went; null if the outside party does not say. */
  address: z.string().nullable(),
  isSameAddress: z.boolean().nullable(),
});
export type PossiblePayment = z.infer<typeof possiblePayment>;

export const payout = z.object({
  withdrawalId: z.string(),
  method,
  state,
  /** The reason why it is not done, without its time; null for a finished one. */
  trouble: z.string().nullable(),
  /** When it is prepared, or since when the process that the reason names has its turn; else null. */
  troubleAt: time.nullable(),
  /** Whether the reason is a fault or somebody’s stop. Else it goes on by itself in the ordinary course. */
  isTroubled: z.boolean(),
  /** Whether a pause of all payouts stops it, so that nothing happens at `dueAt`. */
  isPaused: z.boolean(),
  dueAt: time,
  txId: z.string().nullable(),
  /** Payments that may have paid it already. */
  possibleTxIds: z.array(z.string()),
  possiblePayments: z.array(possiblePayment),
  coinAmount: z.string(),
  /** Seconds since the approval; of a finished one until its end. */
  ageSeconds: z.number(),
});
export type Payout = z.infer<typeof payout>;

/** What an operator can do about a payout. `check` looks at it now, `undo` takes its approval back. */
export const payoutActs = ['check', 'undo', 'retry', 'settle', 'fail'] as const;
export type PayoutAct = (typeof payoutActs)[number];

/** A payout with its member, and what the operator who reads can do about it. */
export const listedPayout = payout.extend({
  /** The withdrawal’s. */
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  userFirstName: z.string(),
  userLastName: z.string().nullable(),
  /** The points of the request, with its fee. */
  amount: points,
  address: z.string(),
  /** When it was approved. */
  queuedAt: time,
  /** When it was paid or given up; null for an unfinished one. */
  finishedAt: time.nullable(),
  /** Why it was given up; null for one that was not. */
  failReason: z.string().nullable(),
  /** Until then its approval can be taken back; null if it can’t. */
  undoUntil: time.nullable(),
  /** The process that has the turn at the unfinished payouts of the method now, and since when. */
  holder: z.object({ host: z.string(), pid: z.number(), since: time }).nullable(),
  /** Nobody decides on a payout to themselves, and nothing is done about a finished one. */
  acts: z.array(z.enum(payoutActs)),
});
export type ListedPayout = z.infer<typeof listedPayout>;

export const readPayouts = operatorList({
  path: '/api/admin/payouts',
  summary: 'Payouts with the reason why one is not done, newest first',
  topic: 'queue',
  row: listedPayout,
  // Only the screen needs the parts of the name, the acts, and who has the turn.
  csvRow: listedPayout.omit({
    id: true,
    isPaused: true,
    userFirstName: true,
    userLastName: true,
    undoUntil: true,
    holder: true,
    acts: true,
    possiblePayments: true,
  }),
  rows: 'payouts',
  sorts: ['queuedAt'],
  defaultSort: '-queuedAt',
  filters: {
    state: { kind: 'choice', choices: ['unfinished', ...state.options] },
    method: { kind: 'id' },
    trouble: { kind: 'choice', choices: ['troubled', 'paused'] },
    olderThanHours: { kind: 'hours' },
  },
  searches: ['withdrawalId', 'userId', 'userName', 'userEmail', 'address', 'txId'],
});

export const readPayoutTotals = endpoint({
  method: 'GET',
  path: '/api/admin/payouts/totals',
  summary: 'How many payouts are in each state, and their points, by payment method',
  access: 'operator',
  topic: 'queue',
  /** Without the states of a method that have no payout. */
  reply: z.array(z.object({ method, state, count: z.number(), points })),
});
export type PayoutTotals = z.infer<typeof readPayoutTotals.reply>;

/**
 * Whose points a payment paid that no payout accounts for. `unknown`: nobody knows. `checked`: nobody knows, but a
 * request or payout is checked for it. `other-person`: somebody whom this database does not have. `held`: its request
 * holds them. `free`: they are in the balance. `paid-twice`: its request was paid by another payment, and a list has
 * this one too. `maybe-made` and `maybe-twice`: as `free` and `paid-twice`, but no list has this one.
 */
const paymentAdvice = z.enum([
  'unknown',
  'checked',
  'other-person',
  'held',
  'free',
  'maybe-made',
  'paid-twice',
  'maybe-twice',
]);
export type PaymentAdvice = z.infer<typeof paymentAdvice>;

export const readRestoreState = endpoint({
  method: 'GET',
  path: '/api/admin/payouts/restore',
  summary:
    'What is held after an older copy of the database was found, and payments that no payout accounts for',
  access: 'operator',
  topic: 'queue',
  reply: z.object({
    pending: z.array(z.object({ method, reason: z.string(), since: time, trouble: z.string().nullable() })),
    /** At most 100, the newest first. */
    unaccounted: z.array(
      z.object({
        method,
        txId: z.string(),
        address: z.string(),
        coinAmount: z.string(),
        at: time,
        /** Whose it is, as the node that sent it knows; all null while none does. */
        withdrawalId: z.string().nullable(),
        /** Null also if this database does not have that person. */
        memberId: z.string().nullable(),
        points: points.nullable(),
        advice: paymentAdvice,
        /** The payment that paid its request, if that is another one. */
        paidBy: z.string().nullable(),
        /** The command that takes its points back, without its reason. Null where nobody may take them back for it. */
        revocation: z.string().nullable(),
        /** The command, without its reason, that takes note of it where nothing is to be taken back. */
        notOwed: z.string().nullable(),
        /** The command, without its reason, that says that it was never made. Null where it can’t be said. */
        neverMade: z.string().nullable(),
      }),
    ),
    /** All payments that no payout accounts for, and of which no operator took note. */
    unaccountedCount: z.number(),
    /** Pending requests that may be paid already. */
    checkedCount: z.number(),
    /** Payouts that the copy has approved and that wait for an operator. */
    approvedCount: z.number(),
    /** What showed that the database is another one, also after the comparison. */
    reasons: z.array(z.string()),
    /** Payouts that wait for all this, and pending requests that can’t be approved because of it. At most 1,000. */
    waitingPayoutCount: z.number(),
    waitingRequestCount: z.number(),
  }),
});

const params = z.object({ id: uuid });

/** `pause` is null while payouts are not paused. */
const pauseState = z.object({ payoutsPaused: z.boolean(), pause: pause.nullable() });
export type PauseState = z.infer<typeof pauseState>;

export const pausePayouts = endpoint({
  method: 'POST',
  path: '/api/admin/payouts/pause',
  summary: 'Pause all payouts of the site; another reason takes the place of the one of a pause that lasts',
  access: 'operator',
  act: 'payouts.pause',
  refreshes: ['settings', 'queue'],
  body: z.strictObject({ reason }),
  reply: pauseState,
});

export const resumePayouts = endpoint({
  method: 'POST',
  path: '/api/admin/payouts/resume',
  summary: 'End the pause of all payouts; nothing changes if there is none',
  access: 'operator',
  act: 'payouts.resume',
  refreshes: ['settings', 'queue'],
  body: z.strictObject({ reason: reason.optional() }).optional(),
  reply: pauseState,
});
/** What every act on a payout may be refused with. */
const actRefusals = [
  'not-found',
  'own-request',
  'payout-busy',
  'payout-finished',
  'payout-unavailable',
] as const;

const txIds = atMost(100, z.array(text(128, 'Transaction id is required'))).optional();

export const retryPayout = endpoint({
  method: 'POST',
  path: '/api/admin/payouts/:id/retry',
  summary:
    'Try a payout again that nothing stops; says of one that may be paid already that the listed payments are others',
  access: 'operator',
  act: 'payout.retry',
  refreshes: ['queue'],
  params,
  /**
   * `txIds` are the listed payments that the operator was shown and calls others'. Without them, none is. If the rail
   * lists another one that may have paid it, the call is refused with all of them.
   */
  body: z.strictObject({ reason, txIds }),
  reply: payout,
  /** One of the last four names what stops the payout. */
  refusals: [
    ...actRefusals,
    'payout-unclear',
    'points-in-check',
    'withdrawals-suspended',
    'withdrawal-disowned',
    'member-in-debt',
  ],
});

export const failPayout = endpoint({
  method: 'POST',
  path: '/api/admin/payouts/:id/fail',
  summary: 'Give a payout up and return its points; 409 payout-halted says that this waits for the rail',
  access: 'operator',
  act: 'payout.fail',
  refreshes: ['queue'],
  params,
  /** `txIds` are listed payments that are others', as the operator says. Without them, none is. */
  body: z.strictObject({ reason, txIds }),
  reply: payout,
  refusals: [...actRefusals, 'payout-unclear', 'payout-halted'],
});

export const settlePayout = endpoint({
  method: 'POST',
  path: '/api/admin/payouts/:id/settle',
  summary: 'Name the transaction that paid a payout, or one that may have paid a pending request already',
  access: 'operator',
  act: 'payout.settle',
  refreshes: ['queue'],
  params,
  /**
   * `acceptedAmount`: what the transaction paid, stated to accept an amount that is far from what a pending request was
   * worth when it was paid, or that no stored rate of that time can be compared with, or that is not the amount of a
   * parked payout without a payment. `payment-mismatch` names the amount that can be accepted as `acceptableAmount`.
   */
  body: z.strictObject({
    reason,
    txId: text(128, 'Transaction id is required'),
    acceptedAmount: z
      .string()
      .trim()
      .regex(/^\d{1,12}(\.\d{1,8})?$/, 'At most eight decimals')
      .optional(),
  }),
  reply: payout,
  refusals: [...actRefusals, 'already-decided', 'payout-unclear', 'payment-mismatch'],
});

export const clearRequest = endpoint({
  method: 'POST',
  path: '/api/admin/withdrawals/:id/clear',
  summary: 'Say that the payments that may have paid a pending request are others; it can be decided then',
  access: 'operator',
  act: 'withdrawal.clear',
  refreshes: ['queue'],
  params,
  /** `txIds` are the payments that the operator was shown and calls others'. Without them, none is. */
  body: z.strictObject({ reason, txIds }),
  reply: operatorWithdrawal,
  refusals: [
    'not-found',
    'already-decided',
    'own-request',
    'payout-busy',
    'payout-unavailable',
    'payout-unclear',
  ],
});
