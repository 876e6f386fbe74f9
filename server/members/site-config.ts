import { LOGO_PATH } from '#contract/brand.ts';
import { colorsOf } from '#contract/brand-colors.ts';
import type { SiteConfig } from '#contract/members.ts';
import { POINTS_PER_USD } from '#contract/points.ts';
import type { SiteSettings } from '#contract/site.ts';
import type { Config } from '#platform/config.ts';
import type { Reader } from '#platform/database.ts';
import { readSettings } from '#platform/settings.ts';

/** The version of the terms that a new member accepts. */
export const TERMS_VERSION = '2026-11-01';

type Site = Pick<Config, 'publicUrl'>;

/** The brand, for pages and mails. */
export function brandOf({ publicUrl }: Site, { brand }: Pick<SiteSettings, 'brand'>): SiteConfig['brand'] {
  const { name, supportEmail, logo, lightColor, darkColor } = brand;
  return {
    name,
    supportEmail: supportEmail ?? `support@${new URL(publicUrl).hostname}`,
    logoUrl: logo === null ? null : `${LOGO_PATH}${logo}`,
    colors: colorsOf({ light: lightColor, dark: darkColor }),
  };
}

/** Reads the brand of now, in the transaction of what it is for. */
export const readBrand = async (reader: Reader, config: Site & Pick<Config, 'mode'>) =>
  brandOf(config, await readSettings(reader, config.mode));

/** The site's public configuration. */
export const siteConfigOf = (
  config: Config,
  { brand, processingTime, bonusSchedule }: SiteSettings,
): Omit<SiteConfig, 'providers' | 'payoutMethods'> => ({
  mode: config.mode,
  brand: brandOf(config, { brand }),
  hcaptchaSitekey: config.hcaptcha.sitekey,
  googleEnabled: config.google !== null,
  siteTimezone: config.siteTimezone,
  processingTime,
  bonusSchedule,
  pointsPerUsd: Number(POINTS_PER_USD),
  measurementId: config.measurementId,
  termsVersion: TERMS_VERSION,
});
