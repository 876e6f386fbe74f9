import { randomBytes } from 'node:crypto';
import { readClock } from '#platform/clock.ts';
import { type Reader, sql } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { addKnownProviders, changeProviderSettings, secretOf } from '../earning/provider-settings.ts';
import { fitsWallAddress } from '../earning/providers/provider.ts';
import { providers } from '../earning/providers/registry.ts';
import { findProviderRow } from '../earning/queries.ts';
import { MEMBER_EMAIL } from './demo-accounts.ts';
import type { ProviderAccount } from './wall-calls.ts';
import { walls } from './wall-registry.ts';
import { WALL_PATH } from './walls.ts';

/** The site's accounts at the simulated companies. They are set up once. Later changes by operators are kept. */
type Access = Pick<Platform, 'database' | 'secrets'>;

/** Reads the provider's current settings, for its simulated company. */
export async function readAccount(
  access: Access,
  providerId: string,
): Promise<ProviderAccount & { apiKey: string }> {
  const row = await findProviderRow(access.database, providerId);
  if (row === undefined) throw refuse('unknown-provider');
  const token = row.settings.pathToken ? `/${row.settings.pathToken}` : '';
  return {
    secret: secretOf(access, row),
    postbackPath: `/api/webhooks/postback/${providerId}${token}`,
    apiKey: row.apiKey,
  };
}

/** Sets up missing accounts, and updates the port in the URLs of simulated walls. */
export async function prepareProviders(platform: Platform, wallOrigin: string): Promise<void> {
  await addKnownProviders(platform);
  for (const { id, apiKey } of walls.values()) {
    const row = await findProviderRow(platform.database, id);
    const url = `${wallOrigin}${WALL_PATH}/${id}`;
    const isNew = row === undefined || (row.apiKey === '' && row.sealedSecret === null && row.url === '');
    if (isNew) {
      const secret = randomBytes(16).toString('hex');
      await changeProviderSettings(platform, id, { url, apiKey, secret, isEnabled: true });
    } else if (row.url !== url && row.url.endsWith(`${WALL_PATH}/${id}`)) {
      await changeProviderSettings(platform, id, { url });
    }
  }
}

/** The demo member's signed wall URLs. */
export async function readWallLinks(
  access: Access,
  wallOrigin: string,
): Promise<{ name: string; url: string }[]> {
  const memberRef = await readDemoMember(access.database);
  if (memberRef === undefined) return [];
  const { siteDay } = await readClock(access.database);
  const brand = (await readSettings(access.database, 'sandbox')).brand.name;
  const links: { name: string; url: string }[] = [];
  for (const provider of providers.values()) {
    const { apiKey, secret } = await readAccount(access, provider.id);
    if (!fitsWallAddress(provider, apiKey) || secret === '') continue;
    const url = `${wallOrigin}${WALL_PATH}/${provider.id}`;
    links.push({
      name: provider.name,
      url: provider.wallUrl({ url, apiKey, secret, memberRef, brand, siteDay }),
    });
  }
  return links;
}

async function readDemoMember(reader: Reader): Promise<string | undefined> {
  const row = await reader.row<{ id: string }>(
    sql`select id::text as id from members.profiles where email = ${MEMBER_EMAIL}`,
  );
  return row?.id;
}
