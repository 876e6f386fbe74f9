import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { time } from './fields.ts';
import { network } from './network.ts';

/** Sessions that look as if somebody else, or one person with several accounts, uses them. */

/** From this score on a session is of high risk. */
export const HIGH_RISK_SCORE = 50;

/** What a score is made of. */
export const sessionReasons = [
  'detection',
  'hidden-network',
  'other-country',
  'new-device',
  'account-changed',
  'device-of-several',
] as const;
export type SessionReason = (typeof sessionReasons)[number];

export const scoreParts = z.array(z.object({ reason: z.enum(sessionReasons), points: z.number() }));
export type ScorePart = z.infer<typeof scoreParts>[number];

export const riskySession = z.object({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  /** From 50 to 100: the sum of the reasons' points, at most 100. */
  score: z.number(),
  reasons: scoreParts,
  ipAddress: z.string(),
  network: network.nullable(),
  userAgent: z.string(),
  createdAt: time,
});
export type RiskySession = z.infer<typeof riskySession>;

export const readRiskySessions = endpoint({
  method: 'GET',
  path: '/api/admin/fraud/sessions',
  summary: 'The 100 valid sessions with the highest risk scores, from 50 on',
  access: 'operator',
  topic: 'detections',
  reply: z.object({ sessions: z.array(riskySession) }),
});
