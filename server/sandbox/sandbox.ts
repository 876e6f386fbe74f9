import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import type { Platform } from '#platform/platform.ts';
import { createSecrets } from '#platform/secrets.ts';
import { startCoins } from './coins.ts';
import { type Accounts, prepareAccounts } from './demo-accounts.ts';
import { prepareCatalogue } from './demo-catalogue.ts';
import { makeDemoWorld } from './demo-world.ts';
import { reachableHost, startFarEnds, withFarEnds } from './far-ends.ts';
import { startMailServer } from './mail-server.ts';
import { prepareProviders, readAccount, readWallLinks } from './providers.ts';
import { registerSandboxRoutes } from './routes.ts';
import { makeTables } from './tables.ts';
import type { WallSite } from './wall-calls.ts';

/**
 * The far end of every wire, so that the site runs without an account anywhere: walls that send signed
 * postbacks, the captcha's check, text messages, mail, coin nodes, exchange rates; and a demo world to look
 * at. What holds:
 * - The site under test is the live one: it knows of this folder only that `main.ts` may load it, in sandbox
 *   mode.
 * - Nothing here decides anything for the site, and nothing here is believed by it without the proof that life
 *   asks for.
 * - Its tables are in a schema of their own, which no migration makes.
 */
export type Sandbox = {
  /** The configuration with each far end that the environment did not name. */
  config: Config;
  /** Where the simulated walls stand, as a browser reaches them. */
  wallOrigin: string;
  registerRoutes(platform: Platform): void;
  /** Sets up what a fresh site has not: providers, payout rails, accounts, a world. The same at each start. */
  prepare(platform: Platform): Promise<Accounts>;
  close(): Promise<void>;
};

export async function startSandbox(options: {
  config: Config;
  database: Database;
  ownerUrl: string;
  log: Log;
}): Promise<Sandbox> {
  const { config: given, database, ownerUrl, log } = options;
  await makeTables(ownerUrl, database);
  let app: FastifyInstance | undefined;
  const secrets = createSecrets(given.appSecret);
  const site: WallSite = {
    database,
    publicUrl: given.publicUrl,
    address: () => siteAddress(given, app),
    readAccount: (wall) => readAccount({ database, secrets }, wall),
  };
  const farEnds = await startFarEnds({ config: given, database, log, site });
  const mail = await startMailServer(database, log);
  const coins = await startCoins(given, database);
  const config = withFarEnds(given, farEnds, mail.url);
  const wallOrigin = `http://${new URL(given.publicUrl).hostname}:${farEnds.port}`;

  return {
    config,
    wallOrigin,
    registerRoutes(platform) {
      app = platform.app;
      registerSandboxRoutes(platform, {
        chain: coins.chain,
        readWallLinks: () => readWallLinks({ database, secrets }, wallOrigin),
      });
    },
    async prepare(platform) {
      await prepareProviders(platform, wallOrigin);
      await coins.prepare(platform);
      await makeDemoWorld(platform, ownerUrl);
      await prepareCatalogue(platform);
      return prepareAccounts(platform);
    },
    async close() {
      await Promise.all([farEnds.close(), mail.close(), coins.close()]);
    },
  };
}

/** Where the site listens; its port is known for sure only once it does. */
function siteAddress(config: Config, app: FastifyInstance | undefined): { host: string; port: number } {
  const bound = app?.server.address() as AddressInfo | string | null | undefined;
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port;
  return { host: reachableHost(config.host).replaceAll(/[[\]]/g, ''), port };
}
