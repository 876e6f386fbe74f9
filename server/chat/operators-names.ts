import type { Platform } from '#platform/platform.ts';

/** The names under which operators appear, so that nobody learns who of them wrote. */

export const OPERATORS_NAME_IN_TICKETS = 'Admin';

/** The name in the general channel, and among those who are online. */
export const readOperatorsName = async ({ settings }: Pick<Platform, 'settings'>): Promise<string> =>
  `${(await settings.read()).brand.name} Bot`;
