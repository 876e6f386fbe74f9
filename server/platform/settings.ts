/**
 * The settings of the site: one typed shape (`contract/site.ts`) with defaults for live and sandbox mode. The database
 * keeps only what an operator changed, in one row, so that a default of a later version reaches every site that did not
 * change it.
 *
 * A node keeps the settings for a second. Decisions about money read them in their own transaction (`readSettings`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type RiskRule, type RuleMode, riskRules } from '#contract/rule-modes.ts';
import { type SiteSettings, type SiteSettingsChange, siteSettings } from '#contract/site.ts';
import type { Config } from './config.ts';
import { type Database, type Reader, sql } from './database.ts';
import type { Log } from './log.ts';

const KEPT_MS = 1_000;
/** A page waits this long for the database. */
const PAGE_MS_MAX = 250;

const sandboxDefaults: SiteSettings = {
  brand: { name: 'Earnest', supportEmail: null, logo: null, lightColor: null, darkColor: null },
  processingTime: '1–3 business days',
  bonusSchedule: ['5', '10', '15', '20', '25', '30', '50'],
  payoutDelaySeconds: 3,
  payoutsPaused: false,
  caps: { memberDay: null, methodDay: null, secondPersonFrom: null },
  rateBounds: { differencePercent: 2, jumpPercent: 15 },
  providerCeilingTimes: null,
  switches: { addressHold: false },
  postbackDays: 400,
  chat: { slowModeSeconds: 0, linksNeedEarnings: false, keptDays: 365 },
  riskRules: Object.fromEntries(riskRules.map((rule) => [rule, 'on'])) as Record<RiskRule, RuleMode>,
};

export const defaultSettings: Record<Config['mode'], SiteSettings> = {
  sandbox: sandboxDefaults,
  live: {
    ...sandboxDefaults,
    payoutDelaySeconds: 30,
    caps: { memberDay: '100000', methodDay: '500000', secondPersonFrom: '50000' },
    providerCeilingTimes: 10,
    switches: { addressHold: true },
  },
};

export type Settings = {
  /** Reads the settings as they were at most a second ago. */
  read(): Promise<SiteSettings>;
  /** The settings that this node read last. Reads them again in the background if they are older. */
  latest(): SiteSettings;
  /** As `read`, for pages: while the database is slow or silent, the settings that this node read last. */
  readForPage(): Promise<SiteSettings>;
  /** Makes this node read them again, because it has changed them. */
  forget(): void;
};

type SettingsParts = { database: Database; mode: Config['mode']; log: Log; now?: () => number };

/** Keeps the settings in the process for a second at a time. The defaults stand until the first read. */
export function createSettings({
  database,
  mode,
  log,
  now = () => performance.now(),
}: SettingsParts): Settings {
  let known = defaultSettings[mode];
  let readAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<SiteSettings> | undefined;
  /** Whether the last read failed. An outage is logged once. */
  let isSilent = false;
  /** Counts the changes of this node. A read that began before one is not kept. */
  let changes = 0;
  const readAgain = async () => {
    const [startedAt, changesBefore] = [now(), changes];
    const found = await readSettings(database, mode);
    isSilent = false;
    if (changesBefore !== changes) return found;
    known = found;
    readAt = startedAt;
    return known;
  };
  const read = async (): Promise<SiteSettings> => {
    if (now() - readAt < KEPT_MS) return known;
    reading ??= readAgain().finally(() => {
      reading = undefined;
    });
    return reading;
  };
  /** An outage of the database is logged, and the settings that are known stand. */
  const readQuietly = () =>
    read().catch((error) => {
      if (!isSilent) log.warn({ error }, 'the settings of the site could not be read');
      isSilent = true;
      return known;
    });
  return {
    read,
    latest: () => {
      void readQuietly();
      return known;
    },
    readForPage: () =>
      Promise.race([readQuietly(), sleep(PAGE_MS_MAX, undefined, { ref: false }).then(() => known)]),
    forget: () => {
      changes += 1;
      readAt = Number.NEGATIVE_INFINITY;
      reading = undefined;
    },
  };
}

/** Reads the current settings from the database. */
export async function readSettings(reader: Reader, mode: Config['mode']): Promise<SiteSettings> {
  const row = await reader.row<{ value: SiteSettingsChange }>(
    sql`select value from platform.settings where key = 'site'`,
  );
  return withChange(defaultSettings[mode], row?.value ?? {});
}

/** The settings with a change, whose objects are changed field by field. */
export function withChange(settings: SiteSettings, change: SiteSettingsChange): SiteSettings {
  const { brand, caps, rateBounds, switches, chat, riskRules, ...whole } = change;
  return siteSettings.parse({
    ...settings,
    ...whole,
    brand: { ...settings.brand, ...brand },
    caps: { ...settings.caps, ...caps },
    rateBounds: { ...settings.rateBounds, ...rateBounds },
    switches: { ...settings.switches, ...switches },
    chat: { ...settings.chat, ...chat },
    riskRules: { ...settings.riskRules, ...riskRules },
  });
}
