import type { SiteConfig } from '#contract/members.ts';
import { POINTS_PER_USD } from '#contract/points.ts';
import type { SiteSettings } from '#contract/site.ts';
import type { Config } from '#platform/config.ts';

/** The version of the terms that a new member accepts. */
export const TERMS_VERSION = '2026-11-01';

/** The brand, for pages and mails. */
export const brandOf = (config: Pick<Config, 'publicUrl'>): SiteConfig['brand'] => ({
  name: 'Earnest',
  supportEmail: `support@${new URL(config.publicUrl).hostname}`,
  logoUrl: null,
  colors: { primary: null, cover: null },
});

/** The site's public configuration. */
export const siteConfigOf = (
  config: Config,
  { processingTime }: SiteSettings,
): Omit<SiteConfig, 'providers'> => ({
  mode: config.mode,
  brand: brandOf(config),
  hcaptchaSitekey: config.hcaptcha.sitekey,
  googleEnabled: config.google !== null,
  siteTimezone: config.siteTimezone,
  processingTime,
  pointsPerUsd: Number(POINTS_PER_USD),
  measurementId: config.measurementId,
  termsVersion: TERMS_VERSION,
});
