import { z } from 'zod';
import { points, time } from './fields.ts';
import { movementKinds } from './movement-kinds.ts';
import { method, operatorWithdrawal, withdrawalEntry, withdrawalFlag } from './withdrawals.ts';
import { listedPayout } from './withdrawals-payouts.ts';

/** What an operator reads of a withdrawal before a decision: person, destination, checks, sources, history. */

/** The checks of a pending request, each with the flags that it raises. One flag at most is raised of each. */
export const checks = {
  owner: ['own-account'],
  suspension: ['suspended'],
  denial: ['disowned'],
  debt: ['debt'],
  payment: ['in-check'],
  points: ['points-in-check'],
  caps: ['over-cap'],
  hold: ['on-hold'],
  people: ['first-approved', 'two-people'],
  reversals: ['reversals'],
  sharing: ['shared-address'],
  devices: ['shared-device'],
  destination: ['new-address', 'first-payout'],
} as const satisfies Record<string, readonly z.infer<typeof withdrawalFlag>[]>;
export type Check = keyof typeof checks;

const member = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  createdAt: time,
  /** Without the points of this request. Negative while the member is in debt. */
  balance: points,
  /** How far the balance is below zero; `0` of most. */
  debt: points,
  emailVerified: z.boolean(),
  phoneVerified: z.boolean(),
  paidTotal: points,
  invitedBy: z.object({ id: z.string(), firstName: z.string(), lastName: z.string().nullable() }).nullable(),
  emailVerifiedAt: time.nullable(),
  /** The number by its calling code and its last four digits. */
  phone: z.object({ callingCode: z.string(), lastDigits: z.string(), verifiedAt: time }).nullable(),
  /** The zone that the member chose, or else the one that the latest device reported. */
  timezone: z.string().nullable(),
  /** As in the member's record. */
  lastSeen: z.object({ at: time, userAgent: z.string() }).nullable(),
  deviceCount: z.number(),
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
export type BackgroundMember = z.infer<typeof member>;

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
  /** Null of what is no earning. */
  provider: z.string().nullable(),
  providerName: z.string().nullable(),
  kind: z.enum(movementKinds),
  points,
  /** How many credits they are. */
  earnings: z.number(),
  /** What was taken back of these same credits. */
  reversedPoints: points,
  /** What the provider gave to all members in the last 30 days and took back; null for other sources. */
  all: z.object({ earned: points, reversed: points }).nullable(),
});

/** Of which credits the sources are told. */
const credits = z.object({
  /** The newest ones, at most CREDITS_MAX. */
  count: z.number(),
  /** The time of the oldest of them. */
  since: time.nullable(),
  /** Whether these are all credits that the member ever got. */
  areAll: z.boolean(),
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
    processedAt: true,
  }).shape,
);

/** How the other withdrawals of the member ended. */
const former = z.object({
  paidCount: z.number(),
  paidPoints: points,
  /** How many of the newest 100 there are, and how they ended where nothing was paid. */
  count: z.number(),
  rejectedCount: z.number(),
  cancelledCount: z.number(),
  failedCount: z.number(),
});

/** The member's tickets: how many, at most TICKETS_MAX, and the newest. */
const tickets = z.object({
  count: z.number(),
  newest: z
    .object({
      id: z.string(),
      status: z.enum(['open', 'in_progress', 'resolved', 'closed']),
      createdAt: time,
    })
    .nullable(),
});
export const TICKETS_MAX = 20;

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

const check = z.object({
  code: z.enum(Object.keys(checks) as [Check, ...Check[]]),
  /** `look` stands against nothing. A `block` needs something first: time, another person, or an act. */
  verdict: z.enum(['pass', 'look', 'block']),
  /** An English sentence. */
  text: z.string(),
  /** What is wrong; null if it passed. */
  flag: withdrawalFlag.nullable(),
  /** How much, how many or since when, where that says something. */
  figure: z.object({ kind: z.enum(['points', 'count', 'time']), value: z.string() }).nullable(),
  /** The operators' screen that shows more of it; null if none does, and if it passed. */
  link: z.string().nullable(),
});
export type CheckResult = z.infer<typeof check>;

export const background = z.object({
  feePoints: points,
  member,
  destination,
  /** Failed ones first. Empty for a withdrawal that is decided. */
  checks: z.array(check),
  facts,
  sources: z.array(source),
  credits,
  former,
  /** The newest five of the other withdrawals. */
  history: z.array(formerWithdrawal),
  tickets,
  steps: z.array(step),
  /** Of an approved one, also if it failed: its state, why it is not done, and the acts of the operator who reads. */
  payout: listedPayout.nullable(),
});
export type WithdrawalBackground = z.infer<typeof background>;
