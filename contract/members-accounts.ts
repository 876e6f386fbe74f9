import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { memberId, points, REASON_MAX, text, time } from './fields.ts';
import { network } from './network.ts';
import { operatorList } from './operator-list.ts';
import { timelineLine, timelineParts } from './timeline.ts';

/** What operators see of the members' accounts, and the deletion of one. */

export const memberRoles = ['user', 'admin', 'banned'] as const;
/** Active: neither deleted nor banned. Blocked: a suspension blocks something now. */
export const accountStates = ['active', 'blocked', 'deleted'] as const;

export const account = z.object({
  id: z.string(),
  email: z.string(),
  firstName: z.string(),
  lastName: z.string().nullable(),
  role: z.enum(memberRoles),
  /** Negative while the member is in debt. */
  balance: points,
  totalEarned: points,
  createdAt: time,
  lastLoginAt: time.nullable(),
  /** Whether the account is neither deleted nor banned. */
  isActive: z.boolean(),
  /** Whether a suspension blocks earning, withdrawing or everything now. */
  isBlocked: z.boolean(),
  profileImageUrl: z.string().nullable(),
  /** The personal data is removed seven days later. */
  deletedAt: time.nullable(),
});
export type Account = z.infer<typeof account>;

export const readUsers = operatorList({
  path: '/api/admin/users',
  summary: 'All members, newest first',
  topic: 'members',
  row: account,
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {
    state: { kind: 'choice', choices: accountStates },
    role: { kind: 'choice', choices: memberRoles },
  },
  searches: ['id', 'email', 'firstName', 'lastName', 'phoneNumber', 'payoutAddress', 'transaction'],
});

export const readUserStats = endpoint({
  method: 'GET',
  path: '/api/admin/user-stats',
  summary: 'The number of members, of active ones and of today’s sign-ups, and the points paid out',
  access: 'operator',
  topic: 'members',
  reply: z.object({
    /** Without deleted accounts. */
    totalUsers: z.number(),
    /** Signed in within 30 days, and neither banned nor deleted. Counted again every minute. */
    activeUsers: z.number(),
    todaySignups: z.number(),
    totalPaidOut: points,
  }),
});

export const accountParams = z.object({ id: memberId });

export const deleteUser = endpoint({
  method: 'DELETE',
  path: '/api/admin/users/:id',
  summary: 'Delete an account: all sessions end at once; personal data is removed after 7 days',
  access: 'operator',
  act: 'member.delete',
  refreshes: ['members'],
  params: accountParams,
  body: z.strictObject({ reason: text(REASON_MAX).optional() }).optional(),
  status: 204,
  reply: nothing,
  refusals: ['not-found', 'already-decided', 'withdrawal-pending'],
});

const suspension = z.object({
  id: z.string(),
  suspensionType: z.enum(['earnings_blocked', 'withdrawal_blocked', 'full_suspension']),
  severity: z.enum(['warning', 'temporary', 'permanent']),
  reason: z.string(),
  createdAt: time,
  /** Null: until it is lifted. */
  expiresAt: time.nullable(),
});

/**
 * What two accounts have in common. A device counts together with its public address only. A household is what they
 * said themselves.
 */
export const linkReasons = ['mailbox', 'payout-address', 'device', 'household'] as const;

const linkedAccount = z.object({
  id: z.string(),
  firstName: z.string(),
  lastName: z.string().nullable(),
  email: z.string(),
  reasons: z.array(z.enum(linkReasons)),
  /** The points of its paid withdrawals. */
  paidOut: z.string(),
});
export type LinkedAccount = z.infer<typeof linkedAccount>;

export const accountRecord = account.extend({
  emailVerifiedAt: time.nullable(),
  phone: z.object({ number: z.string(), verifiedAt: time }).nullable(),
  hasPassword: z.boolean(),
  /** The sign-in providers of linked identities. */
  linkedLogins: z.array(z.string()),
  language: z.enum(['en', 'ko']),
  /** Null until the member chose one. */
  timezone: z.string().nullable(),
  termsVersion: z.string(),
  referrer: z.object({ id: z.string(), firstName: z.string(), lastName: z.string().nullable() }).nullable(),
  /** When password, phone, e-mail or linked login last changed. */
  securityChangedAt: time.nullable(),
  anonymisedAt: time.nullable(),
  /** The newest session, or the last sign-in, whose session is gone and has no browser. Null if there was none. */
  lastSeen: z.object({ at: time, userAgent: z.string() }).nullable(),
  /** The live sessions, the last seen first. */
  sessions: z.array(
    z.object({
      id: z.string(),
      createdAt: time,
      lastSeenAt: time,
      userAgent: z.string(),
      address: z.string(),
      network: network.nullable(),
    }),
  ),
  debt: points,
  todayEarned: points,
  completedTasks: z.number(),
  /** Requested and neither paid nor returned. */
  waiting: points,
  paidOut: points,
  paidCount: z.number(),
  /** Taken back by providers. */
  takenBack: points,
  takenBackCount: z.number(),
  /** What blocks something now, newest first. */
  suspensions: z.array(suspension),
  /** At most 20. */
  linkedAccounts: z.array(linkedAccount),
});
export type AccountRecord = z.infer<typeof accountRecord>;

export const readUser = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id',
  summary: 'One member: account, figures, what is blocked, linked accounts',
  access: 'operator',
  topic: 'members',
  params: accountParams,
  reply: accountRecord,
  refusals: ['not-found'],
});

export const readTimeline = endpoint({
  method: 'GET',
  path: '/api/admin/users/:id/timeline',
  summary: 'Everything that happened to a member, newest first, 50 at a time',
  access: 'operator',
  topic: 'members',
  params: accountParams,
  query: z.object({
    before: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,2000}$/, 'Must be the `next` of a line')
      .optional(),
    part: z.enum(timelineParts).optional(),
  }),
  reply: z.array(timelineLine),
  refusals: ['not-found'],
});
