import type { RiskRuleState } from '#contract/risk-rules.ts';
import type { RiskRule, RuleMode } from '#contract/rule-modes.ts';
import type { SiteSettings } from '#contract/site.ts';
import type { Platform } from '#platform/platform.ts';
import { readSettings } from '#platform/settings.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { rules } from './rules/registry.ts';
import type { Rule } from './rules/rule.ts';

/** The rules as operators see and switch them. The modes are a setting of the site. */

type Parts = Pick<Platform, 'database' | 'config'> & { settings: Pick<Platform['settings'], 'forget'> };

const stateOf = ({ name, severity }: Rule, { riskRules }: SiteSettings): RiskRuleState => ({
  rule: name,
  severity,
  mode: riskRules[name],
});

export async function listRules({
  database,
  config,
}: Pick<Parts, 'database' | 'config'>): Promise<RiskRuleState[]> {
  const settings = await readSettings(database, config.mode);
  return rules.map((rule) => stateOf(rule, settings));
}

/** Switches a rule. It holds from the next turn on; what was found before stays. */
export async function switchRule(
  { database, config, settings }: Parts,
  operatorId: number,
  name: RiskRule,
  mode: RuleMode,
): Promise<RiskRuleState> {
  const changed = await changeSettings(database, config.mode, { riskRules: { [name]: mode } }, operatorId);
  settings.forget();
  const rule = rules.find((one) => one.name === name);
  if (rule === undefined) throw new Error(`No rule is called ${name}`);
  return stateOf(rule, changed);
}
