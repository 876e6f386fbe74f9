import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { rowId, time } from './fields.ts';
import { operatorList } from './operator-list.ts';
import { type RiskRule, riskLevels, riskRules } from './rule-modes.ts';

/** What rules found for operators to look at: suspicious activities, and accounts that may be one person's. */

export const confidences = ['high', 'medium', 'low'] as const;
export type Confidence = (typeof confidences)[number];
export const evidenceKinds = ['payout-address', 'mailbox', 'device'] as const;
export type EvidenceKind = (typeof evidenceKinds)[number];
export const detectionStatuses = ['open', 'confirmed', 'dismissed'] as const;
export type DetectionStatus = (typeof detectionStatuses)[number];
/** The rules that find several accounts. */
export const detectionMethods = [
  'shared-payout-address',
  'shared-device',
  'same-mailbox',
  'invited-accounts',
  'linked-chain',
] as const satisfies readonly RiskRule[];
export type DetectionMethod = (typeof detectionMethods)[number];

export const fraudStats = z.object({
  /** Activities of the last 24 hours, without those found in shadow. No figure counts beyond 10,000. */
  suspiciousActivities: z.number(),
  /** Members who are suspended permanently and fully. */
  blockedUsers: z.number(),
  /** Valid sessions with a risk score of 50 or more. */
  highRiskSessions: z.number(),
  /** Open detections of one browser, and of one payout address. */
  deviceDuplicates: z.number(),
  duplicateWallets: z.number(),
});
export type FraudStats = z.infer<typeof fraudStats>;

export const readFraudStats = endpoint({
  method: 'GET',
  path: '/api/admin/fraud/stats',
  summary: 'Five figures about fraud, each counted up to 10,000',
  access: 'operator',
  topic: 'detections',
  reply: fraudStats,
});

const linkedMember = z.object({ id: z.string(), name: z.string() });

export const activity = z.object({
  id: z.string(),
  /** Whom it is about first; null for what is about a provider. */
  userId: z.string().nullable(),
  riskLevel: z.enum(riskLevels),
  activityType: z.enum(riskRules),
  /** The version of the rule that found it. */
  ruleVersion: z.number(),
  details: z.string(),
  /** Found by a rule in shadow: it counts nowhere. */
  isShadow: z.boolean(),
  ipAddress: z.string().nullable(),
  evidence: z.object({
    /** What the rule found it by. */
    subject: z.string(),
    kinds: z.array(z.enum(evidenceKinds)),
    members: z.array(linkedMember),
    memberCount: z.number(),
    /** What was counted, and of how many or beside what is usual; null for linked members. */
    count: z.number().nullable(),
    total: z.number().nullable(),
  }),
  createdAt: time,
});
export type Activity = z.infer<typeof activity>;

export const readActivities = operatorList({
  path: '/api/admin/suspicious-activities',
  summary: 'Suspicious activities that rules found, newest first',
  topic: 'detections',
  row: activity,
  csvRow: activity.omit({ evidence: true }),
  sorts: ['createdAt'],
  defaultSort: '-createdAt',
  filters: {
    level: { kind: 'choice', choices: riskLevels },
    rule: { kind: 'choice', choices: riskRules },
  },
  searches: ['id', 'userId'],
});

export const detection = z.object({
  id: z.string(),
  primaryUserId: z.string(),
  relatedUserIds: z.array(z.string()),
  detectionMethod: z.enum(detectionMethods),
  /** The version of the rule that found it. */
  ruleVersion: z.number(),
  sharedIdentifier: z.string(),
  riskScore: z.number(),
  /** High only with two kinds of evidence that are independent of each other, and never within one household. */
  confidence: z.enum(confidences),
  status: z.enum(detectionStatuses),
  createdAt: time,
  kinds: z.array(z.enum(evidenceKinds)),
  /** Whether all its members said that they share a connection. */
  isHousehold: z.boolean(),
  primaryName: z.string(),
  members: z.array(linkedMember),
  decidedAt: time.nullable(),
  /** The name of the operator who decided; null while it is open, and if the account is gone. */
  decidedBy: z.string().nullable(),
});
export type Detection = z.infer<typeof detection>;

export const readDetections = operatorList({
  path: '/api/admin/multi-account-detections',
  summary: 'Accounts that may be one person’s, the highest score first',
  topic: 'detections',
  row: detection,
  csvRow: detection.omit({
    kinds: true,
    isHousehold: true,
    members: true,
    primaryName: true,
    decidedAt: true,
    decidedBy: true,
  }),
  sorts: ['riskScore', 'createdAt'],
  defaultSort: '-riskScore',
  filters: {
    status: { kind: 'choice', choices: detectionStatuses },
    method: { kind: 'choice', choices: detectionMethods },
    confidence: { kind: 'choice', choices: confidences },
  },
  searches: ['id', 'primaryUserId'],
});

export const readDetectionHolds = endpoint({
  method: 'GET',
  path: '/api/admin/multi-account-detections/:id/held-credits',
  summary: 'How many credits of its members wait for an operator because of a detection, counted up to 1,000',
  access: 'operator',
  topic: 'detections',
  params: z.object({ id: rowId }),
  reply: z.object({ count: z.number() }),
  refusals: ['not-found'],
});

/** A network address is shown beside the evidence, and is none. */
export const linkKinds = [...evidenceKinds, 'network'] as const;
export type LinkKind = (typeof linkKinds)[number];

const detectionLink = z.object({
  kind: z.enum(linkKinds),
  /** The address, the mailbox, or the beginning of the browser's fingerprint. */
  value: z.string(),
  /** The members of the detection who have it, two or more. */
  memberIds: z.array(z.string()),
});
export type DetectionLink = z.infer<typeof detectionLink>;

export const readDetectionLinks = endpoint({
  method: 'GET',
  path: '/api/admin/multi-account-detections/:id/links',
  summary:
    'What the members of a detection have in common now, the strongest evidence first; at most 8 things',
  access: 'operator',
  topic: 'detections',
  params: z.object({ id: rowId }),
  reply: z.object({ links: z.array(detectionLink) }),
  refusals: ['not-found'],
});

export const decideDetection = endpoint({
  method: 'PATCH',
  path: '/api/admin/multi-account-detections/:id',
  summary: 'Confirm or dismiss a detection. It suspends nobody. Credits that wait stay held earnings',
  access: 'operator',
  act: 'risk.decide-detection',
  refreshes: ['detections'],
  params: z.object({ id: rowId }),
  body: z.strictObject({ status: z.enum(['confirmed', 'dismissed'] satisfies DetectionStatus[]) }),
  reply: detection,
  refusals: ['not-found', 'already-decided'],
});
