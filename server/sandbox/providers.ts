import { randomBytes } from 'node:crypto';
import { type Reader, sql } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import {
  addKnownProviders,
  changeProviderSettings,
  findProviderRow,
  secretOf,
} from '../earning/provider-settings.ts';
import { MEMBER_EMAIL } from './demo-accounts.ts';
import type { ProviderAccount } from './wall-calls.ts';
import { type WallId, wallIds, walls } from './wall-offers.ts';
import { cpxWallHash } from './wall-postback.ts';
import { WALL_PATH } from './walls.ts';

/** The site's accounts at the simulated companies: opened once, and what operators change afterwards stays. */
type Access = Pick<Platform, 'database' | 'secrets'>;

const appKeys: Record<WallId, string> = {
  cpx: '20417',
  bitlabs: 'sandbox-app-token',
  theoremreach: 'sandbox-api-key',
  kiwiwall: 'sandboxwall',
  wannads: 'sandbox-wannads-key',
  adgem: '31744',
  ayetstudios: '9128',
};

/** The provider as it is set now, as its company would know it from its dashboard. */
export async function readAccount(
  access: Access,
  wall: WallId,
): Promise<ProviderAccount & { apiKey: string }> {
  const row = await findProviderRow(access.database, wall);
  if (row === undefined) throw refuse('unknown-provider');
  const token = row.settings.pathToken ? `/${row.settings.pathToken}` : '';
  return {
    secret: secretOf(access, row),
    postbackPath: `/api/webhooks/postback/${wall}${token}`,
    apiKey: row.api_key,
  };
}

/** Opens an account where there is none; a wall of ours follows the port that it stands on. */
export async function prepareProviders(platform: Platform, wallOrigin: string): Promise<void> {
  await addKnownProviders(platform);
  for (const wall of wallIds) {
    const row = await findProviderRow(platform.database, wall);
    const url = `${wallOrigin}${WALL_PATH}/${wall}`;
    const isNew = row === undefined || (row.api_key === '' && row.sealed_secret === null && row.url === '');
    if (isNew) {
      const secret = randomBytes(16).toString('hex');
      await changeProviderSettings(platform, wall, { url, apiKey: appKeys[wall], secret, isEnabled: true });
    } else if (row.url !== url && row.url.endsWith(`${WALL_PATH}/${wall}`)) {
      await changeProviderSettings(platform, wall, { url });
    }
  }
}

/** The demo member's walls, signed as the site signs them. */
export async function readWallLinks(
  access: Access,
  wallOrigin: string,
): Promise<{ name: string; url: string }[]> {
  const memberRef = await readDemoMember(access.database);
  if (memberRef === undefined) return [];
  return Promise.all(
    wallIds.map(async (wall) => {
      const { secret, apiKey } = await readAccount(access, wall);
      const digest = cpxWallHash(memberRef, secret);
      const ends: Record<WallId, string> = {
        cpx: `?${new URLSearchParams({ app_id: apiKey, ext_user_id: memberRef, secure_hash: digest })}`,
        bitlabs: `?${new URLSearchParams({ token: apiKey, uid: memberRef })}`,
        theoremreach: `?${new URLSearchParams({ api_key: apiKey, user_id: memberRef })}`,
        kiwiwall: `/${apiKey}/${memberRef}`,
        wannads: `?${new URLSearchParams({ apiKey, userId: memberRef })}`,
        adgem: `?${new URLSearchParams({ appid: apiKey, playerid: memberRef })}`,
        ayetstudios: `/${apiKey}?${new URLSearchParams({ external_identifier: memberRef })}`,
      };
      return { name: walls[wall].name, url: `${wallOrigin}${WALL_PATH}/${wall}${ends[wall]}` };
    }),
  );
}

async function readDemoMember(reader: Reader): Promise<string | undefined> {
  const row = await reader.row<{ id: string }>(
    sql`select id::text as id from members.members where email = ${MEMBER_EMAIL}`,
  );
  return row?.id;
}
