import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { points, time, uuid } from './fields.ts';
import { movementKinds } from './movement-kinds.ts';
import { method, operatorWithdrawal, withdrawalEntry, withdrawalFlag } from './withdrawals.ts';

/** What an operator reads of a withdrawal before a decision: person, destination, checks, sources, history. */

/** The checks of a pending request, each with the flags that it raises. One flag at most is raised of each. */
export const checks = {
  owner: ['own-request'],
  suspension: ['suspended'],
  denial: ['disowned'],
  debt: ['in-debt'],
  payment: ['in-check'],
  points: ['points-in-check'],
  caps: ['capped'],
  hold: ['on-hold'],
  people: ['first-approved', 'two-people'],
  reversals: ['reversals'],
  sharing: ['shared-address'],
  devices: ['shared-device'],
  destination: ['new-address', 'first-payout'],
} as const satisfies Record<string, readonly z.infer<typeof withdrawalFlag>[]>;
export type Check = keyof typeof checks;

const person = z.object({
  memberSince: time,
  invitedBy: z.object({ id: z.string(), firstName: z.string(), lastName: z.string().nullable() }).nullable(),
  emailVerifiedAt: time.nullable(),
  /** The number by its calling code and its last four digits. */
  phone: z.object({ callingCode: z.string(), lastDigits: z.string(), verifiedAt: time }).nullable(),
  /** The zone that the member chose, or else the one that the latest device reported. */
  timezone: z.string().nullable(),
  /** The newest session. */
  lastSeen: z.object({ at: time, userAgent: z.string() }).nullable(),
  deviceCount: z.number(),
  /** Without the points of this request. Negative while the member is in debt. */
  balance: points,
  earned: points,
  completedTasks: z.number(),
  /** Taken back by providers and operators. */
  takenBack: points,
  takenBackCount: z.number(),
  /** What blocks something now, newest first. */
  suspensions: z.array(
    z.object({
      suspensionType: z.enum(['earnings_blocked', 'withdrawal_blocked', 'full_suspension']),
      severity: z.enum(['warning', 'temporary', 'permanent']),
      reason: z.string(),
      expiresAt: time.nullable(),
    }),
  ),
  formerSuspensionCount: z.number(),
});
export type BackgroundPerson = z.infer<typeof person>;

/** How many members of each kind are counted at most. */
export const SHARERS_MAX = 20;
/** How many of the newest reversals are read at most. */
export const REVERSALS_MAX = 50;

const cap = z.object({ points, usedPoints: points }).nullable();

/** Why the checks have their verdicts. */
const facts = z.object({
  /** Other members who used the destination, and who used one of the member's devices. At most SHARERS_MAX. */
  destinationSharerCount: z.number(),
  deviceSharerCount: z.number(),
  /** Of the last 30 days, at most REVERSALS_MAX. */
  reversalCount: z.number(),
  reversedPoints: points,
  /** The newest of them. */
  lastReversals: z.array(
    z.object({
      providerName: z.string(),
      reasonClass: z.enum(['vpn', 'fraud', 'invalid', 'duplicate', 'admin', 'policy']),
      points,
      at: time,
    }),
  ),
  /** Until when the request is held, and why; null if it is not. */
  hold: z.object({ until: time, reason: z.enum(['new_destination', 'security_change']) }).nullable(),
  /** What is approved today of each cap; null where there is none. */
  memberDay: cap,
  methodDay: cap,
});

const destination = z.object({
  /** Null of a withdrawal that is so old that the destination was removed. */
  firstUsedAt: time.nullable(),
  /** When the first payment to it was confirmed. */
  paidAt: time.nullable(),
  /** Of the member's other destinations that were paid, the newest by its first payment. */
  former: z.object({ method, destination: z.string(), paidAt: time }).nullable(),
});

const source = z.object({
  kind: z.enum(movementKinds),
  /** Of earnings. */
  provider: z.object({ id: z.string(), name: z.string() }).nullable(),
  points,
  /** What was taken back of these same credits. */
  takenPoints: points,
  /** What the provider gave to all members in the last 30 days and took back; null for other sources. */
  all: z.object({ earned: points, reversed: points }).nullable(),
});

const sources = z.object({
  /** The newest credits, at most CREDITS_MAX. */
  creditCount: z.number(),
  /** The time of the oldest of them. */
  since: time.nullable(),
  /** Whether these are all credits that the member ever got. */
  isWhole: z.boolean(),
  rows: z.array(source),
});
export const CREDITS_MAX = 200;

const formerWithdrawal = withdrawalEntry.pick({ rejectionCode: true }).extend(
  operatorWithdrawal.pick({
    id: true,
    method: true,
    amount: true,
    status: true,
    payoutState: true,
    createdAt: true,
  }).shape,
);

/** The other withdrawals of the member. */
const former = z.object({
  paidCount: z.number(),
  paidPoints: points,
  /** How many of the newest 100 there are, and how they ended where nothing was paid. */
  count: z.number(),
  rejectedCount: z.number(),
  cancelledCount: z.number(),
  failedCount: z.number(),
  /** The newest five. */
  rows: z.array(formerWithdrawal),
});

/** What happened to this request, oldest first. */
const step = z.object({
  at: time,
  /** `act` is one of an operator, of the command line or of the site. */
  kind: z.enum(['requested', 'act', 'approved', 'rejected', 'cancelled', 'failed', 'sent', 'confirmed']),
  /** The code of the act; null for another step. */
  act: z.string().nullable(),
  /** The operator's e-mail address, or `command-line`, or `site`; null where nobody is noted. */
  by: z.string().nullable(),
  reason: z.string().nullable(),
});

const background = z.object({
  feePoints: points,
  person,
  destination,
  /** Failed ones first. Empty for a withdrawal that is decided. */
  checks: z.array(
    z.object({
      check: z.enum(Object.keys(checks) as [Check, ...Check[]]),
      /** `look` stands against nothing, `waits` needs time or another person, `blocked` needs something else first. */
      verdict: z.enum(['passed', 'look', 'waits', 'blocked']),
      /** What is wrong; null if it passed. */
      flag: withdrawalFlag.nullable(),
    }),
  ),
  facts,
  sources,
  former,
  steps: z.array(step),
});
export type WithdrawalBackground = z.infer<typeof background>;

export const readBackground = endpoint({
  method: 'GET',
  path: '/api/admin/withdrawals/:id/background',
  summary: 'What to know before a decision: person, destination, checks, where the points came from, history',
  access: 'operator',
  topic: 'queue',
  params: z.object({ id: uuid }),
  reply: background,
  refusals: ['not-found'],
});
