import type { SiteConfig } from '#contract/members.ts';
import type { Config } from '#platform/config.ts';

/** What the site calls itself, on its pages and in its mails. */
export const brandOf = (config: Pick<Config, 'publicUrl'>): SiteConfig['brand'] => ({
  name: 'Earnest',
  supportEmail: `support@${new URL(config.publicUrl).hostname}`,
  logoUrl: null,
  colors: { primary: null, cover: null },
});
