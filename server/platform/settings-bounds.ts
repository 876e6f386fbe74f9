import type { SettingName, SettingValue, SiteSettings, SiteSettingsChange } from '#contract/site.ts';

/**
 * The bounds among the settings of the site, and the one rule that says which change loosens one. A setting is named by
 * its path, as `caps.memberDay`.
 */

type Rule = (from: SettingValue, to: SettingValue) => boolean;

/** No bound is the loosest one. */
const isHigher: Rule = (from, to) => from !== null && (to === null || BigInt(to) > BigInt(from));
const isLower: Rule = (from, to) => Number(to) < Number(from);
const isOff: Rule = (from, to) => from === true && to === false;
const never: Rule = () => false;

/** Whether a change of a setting loosens a bound. A pause of payouts is no bound: it is lifted as fast as it is set. */
const loosens: Record<SettingName, Rule> = {
  processingTime: never,
  payoutDelaySeconds: isLower,
  payoutsPaused: never,
  'caps.memberDay': isHigher,
  'caps.methodDay': isHigher,
  'caps.secondPersonFrom': isHigher,
  'rateBounds.differencePercent': isHigher,
  'rateBounds.jumpPercent': isHigher,
  providerCeilingTimes: isHigher,
  'switches.addressHold': isOff,
  postbackDays: never,
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
    return from === undefined || to === undefined || from === to ? [] : [{ setting, from, to }];
  });

const isLoosening = ({ setting, from, to }: Step): boolean => loosens[setting](from, to);

/** The parts of a change that loosen a bound. */
export const loosening = (settings: SiteSettings, change: SiteSettingsChange): Step[] =>
  stepsOf(settings, change).filter(isLoosening);
