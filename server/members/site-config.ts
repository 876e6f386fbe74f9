import type { SiteConfig } from '#contract/members.ts';
import type { Config } from '#platform/config.ts';
import type { Platform } from '#platform/platform.ts';

/** What the site tells everybody about itself, and which terms a new member accepts. */
export const TERMS_VERSION = '2026-11-01';

/** What the site calls itself, on its pages and in its mails. */
export const brandOf = (config: Pick<Config, 'publicUrl'>): SiteConfig['brand'] => ({
  name: 'Earnest',
  supportEmail: `support@${new URL(config.publicUrl).hostname}`,
  logoUrl: null,
  colors: { primary: null, cover: null },
});

/** What the site tells everybody about itself. */
export const siteConfigOf = ({ config }: Pick<Platform, 'config'>): Omit<SiteConfig, 'providers'> => ({
  mode: config.mode,
  brand: brandOf(config),
  hcaptchaSitekey: config.hcaptcha.sitekey,
  googleEnabled: config.google !== null,
  siteTimezone: config.siteTimezone,
  processingTime: '1–3 business days',
  pointsPerUsd: 1000,
  measurementId: config.measurementId,
  termsVersion: TERMS_VERSION,
});
