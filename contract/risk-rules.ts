import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { riskLevels, riskRules, ruleMode } from './rule-modes.ts';

/** The rules that look for abuse, as operators switch them. */

export const riskRule = z.object({
  rule: z.enum(riskRules),
  /** The level of what it finds at its bound, with one kind of evidence. */
  severity: z.enum(riskLevels),
  mode: ruleMode,
});
export type RiskRuleState = z.infer<typeof riskRule>;

export const readRiskRules = endpoint({
  method: 'GET',
  path: '/api/admin/fraud/rules',
  summary: 'The rules that look for abuse, each with its severity and its mode',
  access: 'operator',
  topic: 'settings',
  reply: z.array(riskRule),
});

export const switchRiskRule = endpoint({
  method: 'PATCH',
  path: '/api/admin/fraud/rules/:rule',
  summary: 'Switch a rule on, off, or to shadow, in which it records activities and no detections',
  access: 'operator',
  act: 'site.change',
  refreshes: ['settings'],
  params: z.object({ rule: z.enum(riskRules) }),
  body: z.strictObject({ mode: ruleMode }),
  reply: riskRule,
});
