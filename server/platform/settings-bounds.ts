import { isDeepStrictEqual } from 'node:util';
import { type RiskRule, riskRules } from '#contract/rule-modes.ts';
import type { SettingName, SettingValue, SiteSettings, SiteSettingsChange } from '#contract/site.ts';

/**
 * The bounds among the settings of the site, and the one rule that says which change loosens one. A setting is named by
 * its path, as `caps.memberDay`.
 */

type RulePath = `riskRules.${RiskRule}`;
type Rule = (from: SettingValue, to: SettingValue) => boolean;

/** No bound is the loosest one. */
const isHigher: Rule = (from, to) =>
  from !== null && (to === null || BigInt(String(to)) > BigInt(String(from)));
const isLower: Rule = (from, to) => Number(to) < Number(from);
const isOff: Rule = (from, to) => from === true && to === false;
/** Whether a schedule pays more on any day. Its last entry is for all later days. */
const paysMore: Rule = (from, to) => {
  if (!Array.isArray(from) || !Array.isArray(to)) return true;
  const pointsOn = (schedule: readonly string[], day: number) =>
    BigInt(schedule[Math.min(day, schedule.length - 1)] ?? 0);
  return Array.from({ length: Math.max(from.length, to.length) }).some(
    (_, day) => pointsOn(to, day) > pointsOn(from, day),
  );
};
const never: Rule = () => false;

/** Whether a change of a setting loosens a bound. A pause of payouts is no bound: it is lifted as fast as it is set. */
const loosens: Record<SettingName, Rule> = {
  'brand.name': never,
  'brand.supportEmail': never,
  'brand.logo': never,
  'brand.lightColor': never,
  'brand.darkColor': never,
  processingTime: never,
  bonusSchedule: paysMore,
  payoutDelaySeconds: isLower,
  payoutsPaused: never,
  'caps.memberDay': isHigher,
  'caps.methodDay': isHigher,
  'caps.secondPersonFrom': isHigher,
  'rateBounds.differencePercent': isHigher,
  'rateBounds.jumpPercent': isHigher,
  providerCeilingTimes: isHigher,
  'switches.addressHold': isOff,
  // Fewer days remove the evidence of the days between at the next removal, which nobody can undo.
  postbackDays: isLower,
  'chat.slowModeSeconds': never,
  'chat.linksNeedEarnings': never,
  'chat.keptDays': isLower,
  // A rule only tells.
  ...(Object.fromEntries(riskRules.map((rule) => [`riskRules.${rule}`, never])) as Record<RulePath, Rule>),
};

/** All settings, in the order of the operators' screen. */
export const settingNames = Object.keys(loosens) as SettingName[];

/** The value of one setting; undefined if a change does not have it. */
export function settingOf(settings: SiteSettings | SiteSettingsChange, name: SettingName) {
  const [group = '', field] = name.split('.');
  const value = (settings as Record<string, unknown>)[group];
  return (field === undefined ? value : (value as Record<string, unknown> | undefined)?.[field]) as
    | SettingValue
    | undefined;
}

/** The change of one setting. The contract's shape is checked where it is applied. */
export function changeOf(name: SettingName, value: unknown): SiteSettingsChange {
  const [group = '', field] = name.split('.');
  return { [group]: field === undefined ? value : { [field]: value } };
}

export type Step = { setting: SettingName; from: SettingValue; to: SettingValue };

/** The parts of a change that differ from the settings. */
export const stepsOf = (settings: SiteSettings, change: SiteSettingsChange): Step[] =>
  settingNames.flatMap((setting) => {
    const [from, to] = [settingOf(settings, setting), settingOf(change, setting)];
    return from === undefined || to === undefined || isDeepStrictEqual(from, to)
      ? []
      : [{ setting, from, to }];
  });

const isLoosening = ({ setting, from, to }: Step): boolean => loosens[setting](from, to);

/** The parts of a change that loosen a bound. */
export const loosening = (settings: SiteSettings, change: SiteSettingsChange): Step[] =>
  stepsOf(settings, change).filter(isLoosening);
