import { z } from 'zod';
import { addressFaultNames } from './address-faults.ts';
import { endpoint } from './endpoint.ts';
import {
  atMost,
  memberPageQuery,
  optionalText,
  pageOf,
  points,
  positivePoints,
  time,
  uuid,
  whenNoRecord,
} from './fields.ts';
import { operatorList } from './operator-list.ts';
import { waitsFor } from './withdrawals-restrictions.ts';

/** Withdrawal requests, and the operators' list of them. */

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

const addressVersions = z.object({ bech32: z.string(), pubKeyHash: z.number(), scriptHash: z.number() });
const codeFacts = z.object({
  versions: addressVersions,
  foreignVersions: z.array(addressVersions).readonly(),
  beginnings: z.array(z.string()).readonly(),
  unpayable: z.array(z.object({ form: z.string(), fault: z.enum(addressFaultNames) })).readonly(),
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
      destination: z
        .object({
          kind: z.enum(['email', 'code']),
          pattern: z.string(),
          /** How an address of a coin is checked; null for other destinations. */
          code: codeFacts.nullable(),
        })
        .nullable(),
      /** The public page of a payment, with `{reference}` in place of `txId`; null where there is none. */
      explorer: z.string().nullable(),
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
  /** Whether the member can cancel it now. */
  isCancellable: z.boolean(),
  /** Kept of its points by the site. */
  fee: points,
  /** What is paid, and its rate in US dollars; null before the approval. */
  coinAmount: z.string().nullable(),
  rate: z.string().nullable(),
});

export const readWithdrawals = endpoint({
  method: 'GET',
  path: '/api/withdrawal/history',
  summary: 'The member’s withdrawals, newest first',
  access: 'member',
  topic: 'withdrawals',
  query: memberPageQuery.extend({
    /** Reads the page with this withdrawal of the member instead of `page`. Without effect if there is none. */
    containing: uuid.optional(),
  }),
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
  /** Whether something is wrong with its unfinished payout, or a pause of all payouts stops it. */
  payoutObstacle: z.enum(['troubled', 'paused']).nullable(),
});
export type OperatorWithdrawal = z.infer<typeof operatorWithdrawal>;

/** What an operator should look at before a decision, though nothing stands against it. */
export const lookFlag = z.enum(['shared-address', 'shared-device', 'reversals']);
/** What an operator should know of a request, and what keeps it out of no act on many. */
export const knowFlag = z.enum(['new-address', 'first-payout']);

/**
 * What an operator must know of a pending request before a decision: what stands against it now, `two-people`, that
 * this operator’s approval would be the first of two, or what should be looked at or known.
 */
export const withdrawalFlag = z.enum([
  'suspended',
  'disowned',
  'debt',
  'on-hold',
  'own-account',
  'in-check',
  'points-in-check',
  'first-approved',
  'over-cap',
  'two-people',
  ...lookFlag.options,
  ...knowFlag.options,
]);
export type WithdrawalFlag = z.infer<typeof withdrawalFlag>;

/**
 * With these flags a request is left out of an approval of many, unless the order says `withFlagged`. Then it is left
 * out only by what stands against its approval.
 */
export const leavingOutFlags: readonly WithdrawalFlag[] = [
  ...lookFlag.options,
  'debt',
  'over-cap',
  'own-account',
];

/** A flag, or a kind of requests: with nothing to look at, with such a flag, or with what stands against approving. */
const flagFilters = ['clean', 'look', 'blocked', ...withdrawalFlag.options] as const;
export type FlagFilter = (typeof flagFilters)[number];

/** A flag's reversals in number are counted up to this. */
export const FLAG_REVERSALS_MAX = 20;

export const queuedWithdrawal = operatorWithdrawal.extend({
  flags: z.array(withdrawalFlag),
  /**
   * Figures of some of the flags: of `reversals` how many (at most FLAG_REVERSALS_MAX), of `debt` the points below
   * zero, of `over-cap` the points of the cap.
   */
  flagFigures: z.array(
    z.object({ flag: withdrawalFlag, kind: z.enum(['points', 'count']), value: z.string() }),
  ),
  /** Why this operator can’t approve it now; null if nothing stands against it, and for one that is decided. */
  approvalObstacle: withdrawalFlag.nullable(),
  /** Why this operator can’t reject it now. Such a request can’t be approved either. */
  rejectionObstacle: withdrawalFlag.nullable(),
});
export type QueuedWithdrawal = z.infer<typeof queuedWithdrawal>;

export const readWithdrawalQueue = operatorList({
  path: '/api/admin/withdrawals-data',
  summary: 'All members’ withdrawals, newest first',
  topic: 'queue',
  row: queuedWithdrawal,
  // Only the initials of the screen need the parts of the name. `userName` is the whole name.
  csvRow: queuedWithdrawal.omit({
    userFirstName: true,
    userLastName: true,
    undoUntil: true,
    possibleTxIds: true,
    payoutObstacle: true,
    flagFigures: true,
    approvalObstacle: true,
    rejectionObstacle: true,
  }),
  rows: 'withdrawals',
  sorts: ['createdAt', 'amount'],
  defaultSort: '-createdAt',
  filters: {
    status: { kind: 'choice', choices: withdrawalStatus.options },
    method: { kind: 'id' },
    /** Of pending requests. */
    flag: { kind: 'choice', choices: flagFilters },
    minAmount: { kind: 'points' },
    maxAmount: { kind: 'points' },
    olderThanHours: { kind: 'hours' },
  },
  searches: ['id', 'userId', 'userName', 'userEmail', 'address', 'txId'],
});

export const freeBalance = z.object({ method, points });
export type FreeBalance = z.infer<typeof freeBalance>;

export const readWithdrawalStats = endpoint({
  method: 'GET',
  path: '/api/admin/stats',
  summary:
    'Count and points of pending withdrawals, their count by kind, the count of all, and free balances',
  access: 'operator',
  topic: 'queue',
  reply: z.object({
    pendingWithdrawals: z.number(),
    pendingAmount: points,
    totalWithdrawals: z.number(),
    /** How many pending requests are of each kind of the filter `flag`; null if more than 1,000 wait. */
    kinds: z.object({ clean: z.number(), look: z.number(), blocked: z.number() }).nullable(),
    /** What each account held at its last look, less what is approved or was sent since. None without a known rate. */
    balances: z.array(freeBalance),
  }),
});
