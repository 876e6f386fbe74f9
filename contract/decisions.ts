import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Decisions about a member, which are suspensions and bans from the chat, and the appeals against them. */

export const decisionKinds = [
  'earnings_blocked',
  'withdrawal_blocked',
  'full_suspension',
  'chat_ban',
] as const;
export type DecisionKind = (typeof decisionKinds)[number];

export const appealStatuses = ['open', 'upheld', 'overturned'] as const;
export type AppealStatus = (typeof appealStatuses)[number];

/** What a decision is, and its number there: `suspension-12`, `ban-7`. */
export const decisionId = z.string().regex(/^(suspension|ban)-[1-9]\d{0,17}$/);

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

export const decision = z.object({
  id: z.string(),
  kind: z.enum(decisionKinds),
  /** The operator's words. */
  reason: z.string(),
  createdAt: time,
  /** Null: until it is lifted. */
  expiresAt: time.nullable(),
  /** When it was lifted; null if nobody did. */
  liftedAt: time.nullable(),
  isActive: z.boolean(),
  /** It began with the member's word that an act was not theirs, and ends 24 hours after a new password. */
  isOwnWord: z.boolean(),
  canAppeal: z.boolean(),
  appeal: appeal.nullable(),
});
export type Decision = z.infer<typeof decision>;

export const readDecisions = endpoint({
  method: 'GET',
  path: '/api/user/decisions',
  summary: 'The suspensions and bans of the member with their appeals, newest first, at most 200',
  access: 'member',
  topic: 'decisions',
  reply: z.array(decision),
  whileSuspended: true,
});

export const appealDecision = endpoint({
  method: 'POST',
  path: '/api/user/decisions/:id/appeal',
  summary: 'Appeal against a decision that is active, once',
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
  searches: ['id', 'userId', 'userEmail'],
});

export const answerAppeal = endpoint({
  method: 'POST',
  path: '/api/admin/decisions/:id/appeal-decision',
  summary:
    'Uphold or overturn a decision; overturning ends it at once. Another operator than who made it answers',
  access: 'operator',
  act: 'decision.answer-appeal',
  refreshes: ['appeals', 'suspensions', 'chat-bans', 'members'],
  params: z.object({ id: decisionId }),
  body: z.strictObject({ uphold: z.boolean(), reason: text(500, 'Reason is required') }),
  reply: listedAppeal,
  refusals: ['not-found', 'already-decided', 'own-request'],
});
