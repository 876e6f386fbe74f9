import { z } from 'zod';

/** The rules that look for abuse, and their modes, a setting of the site. */

export const riskRules = [
  'shared-payout-address',
  'shared-device',
  'same-mailbox',
  'invited-accounts',
  'linked-chain',
  'reversal-rate',
  'earning-pace',
  'quick-surveys',
  'farmed-referrals',
  'provider-burst',
] as const;
export type RiskRule = (typeof riskRules)[number];
export const riskLevels = ['critical', 'high', 'medium', 'low'] as const;
export type RiskLevel = (typeof riskLevels)[number];

/** In `shadow` a rule records activities, marked as such, and no detections. `off` it does nothing. */
export const ruleModes = ['on', 'shadow', 'off'] as const;
export type RuleMode = (typeof ruleModes)[number];

export const ruleMode = z.enum(ruleModes);
/** The modes of all rules, a setting of the site. */
export const riskRuleModes = z.object(
  Object.fromEntries(riskRules.map((rule) => [rule, ruleMode])) as Record<RiskRule, typeof ruleMode>,
);
