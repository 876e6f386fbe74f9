import { z } from 'zod';
import { blockKinds, toldRules } from './decisions-blocks.ts';
import { endpoint } from './endpoint.ts';
import { points, reason, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/**
 * Decisions: suspensions, bans from the chat, credits and withdrawals that wait or were rejected, and those without a
 * member, which are refused registrations and blocks. And the appeals of members.
 */

export const decisionKinds = [
  ...blockKinds,
  'earning_held',
  'earning_rejected',
  'withdrawal_held',
  'withdrawal_rejected',
] as const;
export type DecisionKind = (typeof decisionKinds)[number];

export const appealStatuses = ['open', 'upheld', 'overturned'] as const;
export type AppealStatus = (typeof appealStatuses)[number];

/** Decisions without a member. */
const siteDecisionKinds = ['registration_refused', 'address_blocked', 'domain_blocked'] as const;

/** Where decisions are made. */
export const decisionSources = [
  'suspension',
  'ban',
  'earning',
  'withdrawal',
  'registration',
  'block',
] as const;
export type DecisionSource = (typeof decisionSources)[number];

/** What a decision is, and its number there: `suspension-12`, `earning-7`. */
export const decisionId = z
  .string()
  .regex(/^(suspension|ban|earning|withdrawal|registration|block)-[1-9]\d{0,17}$/);

export const APPEAL_CHARACTERS_MAX = 2_000;

const appeal = z.object({
  text: z.string(),
  status: z.enum(appealStatuses),
  createdAt: time,
  /** When an operator answers at the latest. */
  answerBy: time,
  /** Whether this time has passed without an answer, by the site's clock. */
  isLate: z.boolean(),
  answer: z.string().nullable(),
  answeredAt: time.nullable(),
});

/** What was held or rejected: the points, the offer's name, and the id of the provider or the payment method. */
const subject = z.object({ amount: points, name: z.string().nullable(), place: z.string() });

export const decision = z.object({
  id: z.string(),
  kind: z.enum(decisionKinds),
  /** The operator's words. Empty for what waits. */
  reason: z.string(),
  /** Why it waits, as far as a member is told; null for what does not. */
  rule: z.enum([...toldRules, 'other']).nullable(),
  subject: subject.nullable(),
  createdAt: time,
  /** Null: until it is lifted. */
  expiresAt: time.nullable(),
  /** When it was lifted; null if nobody did. */
  liftedAt: time.nullable(),
  isActive: z.boolean(),
  /** It began with the member's word that an act was not theirs, and ends 24 hours after a new password. */
  isOwnWord: z.boolean(),
  canAppeal: z.boolean(),
  /** The end of the time for an appeal against a rejected credit; null for others. */
  appealUntil: time.nullable(),
  appeal: appeal.nullable(),
});
export type Decision = z.infer<typeof decision>;

export const readDecisions = endpoint({
  method: 'GET',
  path: '/api/user/decisions',
  summary: 'The decisions about the member with their appeals: blocks first, newest first, at most 200',
  access: 'member',
  topic: 'decisions',
  reply: z.array(decision),
  whileSuspended: true,
});

export const appealDecision = endpoint({
  method: 'POST',
  path: '/api/user/decisions/:id/appeal',
  summary: 'Appeal against a block that is active, or a credit that was rejected in the last 30 days, once',
  access: 'member',
  refreshes: ['decisions'],
  params: z.object({ id: decisionId }),
  body: z.strictObject({ text: text(APPEAL_CHARACTERS_MAX, 'Text is required') }),
  status: 201,
  reply: decision,
  refusals: ['not-found', 'already-exists', 'already-decided', 'forbidden'],
  whileSuspended: true,
});

export const listedAppeal = z.object({
  /** The decision's. */
  id: z.string(),
  userId: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  kind: z.enum(decisionKinds),
  reason: z.string(),
  decidedAt: time,
  /** Null for a decision of the command line. */
  decidedByEmail: z.string().nullable(),
  /** Null: until it is lifted. */
  expiresAt: time.nullable(),
  isActive: z.boolean(),
  /** The member's words. */
  text: z.string(),
  createdAt: time,
  answerBy: time,
  isLate: z.boolean(),
  status: z.enum(appealStatuses),
  answer: z.string().nullable(),
  answeredAt: time.nullable(),
  answeredByEmail: z.string().nullable(),
});
export type ListedAppeal = z.infer<typeof listedAppeal>;

export const readAppeals = operatorList({
  path: '/api/admin/decisions',
  summary: 'Appeals of all members, open ones first, those due soonest on top',
  topic: 'appeals',
  row: listedAppeal,
  sorts: ['answerBy', 'createdAt'],
  defaultSort: 'answerBy',
  filters: { status: { kind: 'choice', choices: appealStatuses } },
  searches: ['id', 'userId', 'userName', 'userEmail'],
});

export const listedDecision = z.object({
  id: z.string(),
  kind: z.enum([...decisionKinds, ...siteDecisionKinds]),
  /** Null for a decision without a member. */
  userId: z.string().nullable(),
  userName: z.string().nullable(),
  /** The member's e-mail address, that of a registration, or the blocked address or domain. */
  about: z.string(),
  rule: z.string().nullable(),
  reason: z.string(),
  subject: subject.nullable(),
  createdAt: time,
  /** Null for what the site or the command line did. */
  decidedByEmail: z.string().nullable(),
  /** Null: it does not end by itself. */
  expiresAt: time.nullable(),
  liftedAt: time.nullable(),
  isActive: z.boolean(),
  /** It began with the member's word that an act was not theirs. */
  isOwnWord: z.boolean(),
});
export type ListedDecision = z.infer<typeof listedDecision>;

export const readMadeDecisions = operatorList({
  path: '/api/admin/decisions/made',
  summary: 'All decisions, newest first: of one source all, without a source the newest 500 of each',
  topic: 'appeals',
  row: listedDecision,
  csvRow: listedDecision.omit({ subject: true }),
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: { source: { kind: 'choice', choices: decisionSources } },
  searches: ['id', 'userId', 'userName', 'about'],
});

export const absence = z.object({
  /** The member's. */
  id: z.string(),
  userName: z.string(),
  userEmail: z.string(),
  balance: points,
  lastSignInAt: time,
  notifiedAt: time,
});
export type Absence = z.infer<typeof absence>;

export const readAbsences = operatorList({
  path: '/api/admin/decisions/absences',
  summary: 'Members who have not signed in for three months and were told, the last told first',
  topic: 'appeals',
  row: absence,
  sorts: ['notifiedAt'],
  defaultSort: '-notifiedAt',
  filters: { points: { kind: 'choice', choices: ['some', 'none'] } },
  searches: ['id', 'userName', 'userEmail'],
});

export const answerAppeal = endpoint({
  method: 'POST',
  path: '/api/admin/decisions/:id/appeal-decision',
  summary:
    'Uphold or overturn a decision; overturning ends it at once. Another operator than who made it answers',
  access: 'operator',
  act: 'decision.answer-appeal',
  refreshes: ['appeals', 'suspensions', 'chat-bans', 'members', 'approvals'],
  params: z.object({ id: decisionId }),
  body: z.strictObject({ uphold: z.boolean(), reason }),
  reply: listedAppeal,
  refusals: ['not-found', 'already-decided', 'own-request'],
});
