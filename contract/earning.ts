import { z } from 'zod';
import { endpoint, nothing } from './endpoint.ts';
import { optionalText, points, REASON_MAX, rowId, text, time } from './fields.ts';
import { operatorList } from './operator-list.ts';

/** Providers and their walls, postbacks, chargebacks, and earnings that are held for an operator. */

export const providerId = z.string().regex(/^[a-z][a-z0-9-]{1,39}$/);

const bothLanguages = z.object({ en: z.string(), ko: z.string() });

/** A provider's usual rewards and times, as shown to members. Null if unknown. */
const pays = z.object({
  rewardPointsMin: z.number().nullable(),
  rewardPointsMax: z.number().nullable(),
  minutesMin: z.number().nullable(),
  minutesMax: z.number().nullable(),
  /** The usual maximum time from the end of the task to the credit, in hours. */
  arrivesWithinHours: z.number().nullable(),
});

export const readOfferwalls = endpoint({
  method: 'GET',
  path: '/api/offerwalls',
  summary: 'The enabled providers, each with the signed URL of the member’s wall',
  access: 'member',
  reply: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      kind: z.enum(['survey', 'offerwall']),
      url: z.string(),
      pays,
      /** A title and a sentence about the provider, and its kinds of tasks if it has several. */
      words: z.object({ title: bothLanguages, text: bothLanguages, kinds: bothLanguages.nullable() }),
    }),
  ),
  refusals: ['earnings-suspended'],
});

export const readActivity = endpoint({
  method: 'GET',
  path: '/api/offerwalls/activity',
  summary: 'The walls that the member opened recently, each with its outcome, newest first',
  access: 'member',
  topic: 'earnings',
  reply: z.array(
    z.object({
      id: z.string(),
      provider: z.string(),
      state: z.enum(['opened', 'pending', 'credited', 'reversed']),
      amount: points,
      openedAt: time,
      updatedAt: time,
      /** From `pays` of the provider. */
      arrivesWithinHours: z.number().nullable(),
    }),
  ),
});

export const chargebackReasons = [
  'VPN Usage',
  'Fraudulent Activity',
  'Invalid Response',
  'Duplicate',
  'Admin Action',
  'Policy Violation',
] as const;

/** One reversal. Its `id` is that of its movement in the history. */
export const chargeback = z.object({
  id: z.string(),
  createdAt: time,
  amount: points,
  description: z.string(),
  provider: z.string(),
  reason: z.enum(chargebackReasons),
  txId: z.string().nullable(),
});
export type Chargeback = z.infer<typeof chargeback>;

export const readChargebacks = endpoint({
  method: 'GET',
  path: '/api/user/chargebacks',
  summary: 'The member’s chargebacks, newest first, at most 200',
  access: 'member',
  topic: 'earnings',
  reply: z.array(chargeback),
});

export const readReversedEarning = endpoint({
  method: 'GET',
  path: '/api/user/chargebacks/:id',
  summary: 'The earning that a chargeback reversed; null if the member has no such earning',
  access: 'member',
  params: z.object({ id: rowId }),
  reply: z.object({
    id: z.string(),
    earning: z
      .object({
        id: z.string(),
        amount: points,
        description: z.string(),
        createdAt: time,
        txId: z.string().nullable(),
        /** The provider's display name, the offer's name (may be empty), and whether it was a screen-out. */
        sourceName: z.string(),
        subject: z.string(),
        isScreenOut: z.boolean(),
      })
      .nullable(),
  }),
  refusals: ['not-found'],
});

export const openOfferwall = endpoint({
  method: 'POST',
  path: '/api/offerwalls/:id/open',
  summary: 'Record that the member opened a wall',
  access: 'member',
  refreshes: ['earnings'],
  params: z.object({ id: providerId }),
  status: 204,
  reply: nothing,
  refusals: ['not-found', 'earnings-suspended'],
});

const wallUrl = z.object({ url: z.string() });
const wallRefusals = ['unknown-provider', 'earnings-suspended'] as const;

export const generateCpxUrl = endpoint({
  method: 'POST',
  path: '/api/cpx/generate-url',
  summary: 'The signed URL of the member’s CPX Research wall',
  access: 'member',
  // The wall is always the caller's, for any `userId`.
  body: z.strictObject({ userId: z.unknown().optional() }).optional(),
  reply: wallUrl,
  refusals: wallRefusals,
});

export const generateTheoremreachUrl = endpoint({
  method: 'POST',
  path: '/api/theoremreach/generate-url',
  summary: 'The URL of the member’s TheoremReach wall',
  access: 'member',
  // The wall is always the caller's, for any `userId`.
  body: z.strictObject({ userId: z.unknown().optional() }).optional(),
  reply: wallUrl,
  refusals: wallRefusals,
});

export const readCpxUrl = endpoint({
  method: 'GET',
  path: '/api/cpx/url',
  summary: 'The signed URL of the member’s CPX Research wall',
  access: 'member',
  // The wall is always the caller's, for any `userId`.
  query: z.object({ userId: z.unknown().optional() }),
  reply: wallUrl,
  refusals: wallRefusals,
});

export const readKiwiwallUrl = endpoint({
  method: 'GET',
  path: '/api/kiwiwall/url',
  summary: 'The URL of the member’s KiwiWall',
  access: 'member',
  reply: wallUrl,
  refusals: wallRefusals,
});

const webhookRefusals = [
  'unknown-provider',
  'source-refused',
  'invalid-signature',
  'invalid-postback',
  'not-a-chargeback',
] as const;
const webhook = (method: 'GET' | 'POST', path: string, summary: string) =>
  endpoint({
    method,
    path,
    summary,
    access: 'webhook',
    params: z.object({ provider: z.string() }),
    body: z.unknown(),
    reply: z.string(),
    refusals: webhookRefusals,
  });

export const getPostback = webhook(
  'GET',
  '/api/webhooks/postback/:provider',
  'A provider says that a member earned something, or takes it back',
);
export const postPostback = webhook(
  'POST',
  '/api/webhooks/postback/:provider',
  'A provider says that a member earned something, or takes it back',
);
export const getChargeback = webhook(
  'GET',
  '/api/webhooks/chargeback/:provider',
  'A provider takes an earning back',
);
export const postChargeback = webhook(
  'POST',
  '/api/webhooks/chargeback/:provider',
  'A provider takes an earning back',
);

/**
 * Why a credit waits for an operator: its amount, its member's earnings are suspended, an open detection of high
 * confidence names its member, its call came from an address that is not the provider's, the provider's ceiling is
 * reached, its call was replayed by an operator who can't credit it alone, or somebody else of the member's household
 * was credited for the same offer.
 */
export const holdReasons = [
  'amount',
  'review',
  'detection',
  'source',
  'ceiling',
  'replay',
  'household',
] as const;
export const holdReason = z.enum(holdReasons);
export type HoldReason = z.infer<typeof holdReason>;

export const pendingEarning = z.object({
  id: z.string(),
  createdAt: time,
  userId: z.string(),
  userFirstName: z.string(),
  userEmail: z.string(),
  amount: points,
  source: z.string(),
  description: z.string(),
  holdReason,
  txId: z.string(),
  /** The operator who gave the first of two approvals; null if nobody did. */
  firstApprovedBy: z.string().nullable(),
});
export type PendingEarning = z.infer<typeof pendingEarning>;

export const readPendingEarnings = operatorList({
  path: '/api/admin/pending-earnings',
  summary: 'Held earnings, newest first',
  topic: 'approvals',
  row: pendingEarning,
  // Why it waits and its transaction are for the screen.
  csvRow: pendingEarning.omit({ holdReason: true, txId: true, firstApprovedBy: true }),
  sorts: ['createdAt', 'amount'],
  defaultSort: '-createdAt',
  filters: {
    minAmount: { kind: 'points' },
    maxAmount: { kind: 'points' },
    olderThanHours: { kind: 'hours' },
    holdReason: { kind: 'choice', choices: holdReasons },
  },
  searches: ['id', 'userId', 'userFirstName', 'userEmail', 'txId'],
});

export const readApprovalStats = endpoint({
  method: 'GET',
  path: '/api/admin/approval-stats',
  summary: 'Numbers of held, approved and rejected earnings',
  access: 'operator',
  topic: 'approvals',
  reply: z.object({
    pendingCount: z.number(),
    pendingAmount: points,
    approvedCount: z.number(),
    rejectedCount: z.number(),
    /** What the caller credited alone on this site day, and from which sum on two operators must; null for no sum. */
    creditedToday: points,
    secondPersonFrom: points.nullable(),
  }),
});

const decidedEarning = pendingEarning.extend({ status: z.enum(['approved', 'rejected']) });

/** What stands against booking a credit that waits for an operator, held or in quarantine. */
export const bookingRefusals = [
  'not-found',
  'already-decided',
  'own-request',
  'unknown-member',
  'second-operator-needed',
  'own-provider-change',
] as const;

export const approveEarning = endpoint({
  method: 'POST',
  path: '/api/admin/pending-earnings/:id/approve',
  summary: 'Approve a held earning, which credits it; from a set sum on it needs two operators',
  access: 'operator',
  act: 'earning.approve',
  refreshes: ['approvals'],
  params: z.object({ id: rowId }),
  body: z.strictObject({ reviewNote: optionalText(500).nullable().optional() }).optional(),
  reply: decidedEarning,
  refusals: bookingRefusals,
});

export const rejectEarning = endpoint({
  method: 'POST',
  path: '/api/admin/pending-earnings/:id/reject',
  summary: 'Reject a held earning',
  access: 'operator',
  act: 'earning.reject',
  refreshes: ['approvals'],
  params: z.object({ id: rowId }),
  body: z.strictObject({ reviewNote: text(REASON_MAX, 'Please provide a reason for rejection') }),
  reply: decidedEarning,
  refusals: ['not-found', 'already-decided', 'own-request'],
});
