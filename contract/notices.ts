import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { memberPageQuery, pagination, points, rowId, time } from './fields.ts';
import type { NoticeKind } from './notice-kinds.ts';

/** Notices: what a member must know. Their facts have the shape of their kind; the web makes the sentences. */

const withdrawalFacts = { withdrawalId: z.string(), method: z.string(), amount: points };
const earningFacts = {
  provider: z.string(),
  amount: points,
  /** The offer's name. May be empty. */
  subject: z.string(),
};

/** What changed the security of an account. */
export const securityChanges = [
  'password',
  'password-google-unlinked',
  'phone',
  'first-phone',
  'google-linked',
  'google-linked-password-removed',
  'address',
  'denied',
] as const;
export type SecurityChange = (typeof securityChanges)[number];

/** What was done about a reported message. */
export const reportOutcomes = ['leave', 'delete', 'warn', 'ban'] as const;

const factsByKind = {
  /** A withdrawal was paid. */
  paid: z.object({
    ...withdrawalFacts,
    /** In the currency of the method, with the payment's id there. */
    paidAmount: z.string(),
    reference: z.string().nullable(),
  }),
  /** A withdrawal, or an earning that was held, was rejected. */
  rejected: z.discriminatedUnion('about', [
    z.object({
      about: z.literal('withdrawal'),
      ...withdrawalFacts,
      /** Whether an operator rejected the request, or the payment of an approved one failed. */
      code: z.enum(['operator', 'failed']),
      reason: z.string(),
    }),
    z.object({ about: z.literal('earning'), ...earningFacts, reason: z.string().nullable() }),
  ]),
  /** A provider or an operator took points back. The amount is negative. */
  chargeback: z.object({
    /** `manual` for an operator's. */
    provider: z.string(),
    amount: points,
    /** The reason of a provider may be empty. */
    reason: z.string(),
  }),
  /** A credit waits for an operator. */
  held: z.object(earningFacts),
  /** A credit that waited was booked. */
  approved: z.object(earningFacts),
  /** An operator gave points. */
  granted: z.object({ amount: points, reason: z.string() }),
  /** An operator decided about the member, or about a message that the member reported. */
  decision: z.discriminatedUnion('decision', [
    z.object({
      decision: z.enum(['suspended', 'lifted']),
      suspensionType: z.enum(['earnings_blocked', 'withdrawal_blocked', 'full_suspension']),
      reason: z.string(),
      /** Null: until it is lifted. */
      expiresAt: time.nullable(),
    }),
    z.object({
      decision: z.literal('chat-banned'),
      reason: z.string(),
      /** Null: until it is lifted. */
      expiresAt: time.nullable(),
    }),
    z.object({
      decision: z.literal('appeal-answered'),
      outcome: z.enum(['upheld', 'overturned']),
      about: z.enum([
        'earnings_blocked',
        'withdrawal_blocked',
        'full_suspension',
        'chat_ban',
        'earning_rejected',
      ]),
      reason: z.string(),
    }),
    /** Nobody decided yet: the member was away for three months. */
    z.object({ decision: z.literal('inactive'), since: time }),
    z.object({ decision: z.literal('chat-unbanned') }),
    z.object({ decision: z.literal('chat-warned'), reason: z.string() }),
    // Names nobody: neither the writer nor the others who reported.
    z.object({ decision: z.literal('report-decided'), outcome: z.enum(reportOutcomes) }),
  ]),
  /** What became of a claim that a credit did not arrive. Booked points have a notice of their own, `granted`. */
  ticket: z.discriminatedUnion('change', [
    z.object({ change: z.literal('claim-asked'), provider: z.string(), answerBy: time }),
    z.object({ change: z.literal('claim-refused'), provider: z.string(), reason: z.string() }),
  ]),
  /** An operator wrote to the member. */
  message: z.object({ text: z.string() }),
  /** Somebody signed in with a browser that was not known. */
  'sign-in': z.object({ userAgent: z.string(), address: z.string() }),
  security: z.object({
    change: z.enum(securityChanges),
    /** Of a withdrawal that waits, because its address or the account's security is new. */
    withdrawalId: z.string().nullable(),
    method: z.string().nullable(),
    amount: points.nullable(),
    address: z.string().nullable(),
    /** It is paid no sooner. */
    holdUntil: time.nullable(),
  }),
} satisfies Record<NoticeKind, z.ZodType>;

export type NoticeFacts<Kind extends NoticeKind = NoticeKind> = z.infer<(typeof factsByKind)[Kind]>;

const noticeOf = <Kind extends NoticeKind>(kind: Kind) =>
  z.object({
    id: z.string(),
    kind: z.literal(kind),
    facts: factsByKind[kind],
    createdAt: time,
    readAt: time.nullable(),
  });

export const notice = z.discriminatedUnion('kind', [
  noticeOf('paid'),
  noticeOf('rejected'),
  noticeOf('chargeback'),
  noticeOf('held'),
  noticeOf('approved'),
  noticeOf('granted'),
  noticeOf('decision'),
  noticeOf('ticket'),
  noticeOf('message'),
  noticeOf('sign-in'),
  noticeOf('security'),
]);
export type Notice = z.infer<typeof notice>;

export const readNotices = endpoint({
  method: 'GET',
  path: '/api/notices',
  summary: 'The member’s notices, newest first, and the number of unread ones',
  access: 'member',
  topic: 'notices',
  query: memberPageQuery,
  reply: z.object({ data: z.array(notice), pagination, unreadCount: z.number() }),
});

export const markNoticesRead = endpoint({
  method: 'POST',
  path: '/api/notices/read',
  summary: 'Mark the notices up to this one as read',
  access: 'member',
  refreshes: ['notices'],
  body: z.strictObject({ upTo: rowId }),
  status: 204,
  reply: nothing,
});
