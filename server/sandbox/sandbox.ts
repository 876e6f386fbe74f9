import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import type { Platform } from '#platform/platform.ts';
import { secretsOf } from '#platform/secrets.ts';
import { startCoins } from './coins.ts';
import { type Accounts, prepareAccounts } from './demo-accounts.ts';
import { prepareCatalogue } from './demo-catalogue.ts';
import { makeDemoWorld } from './demo-world.ts';
import { startMailServer } from './mail-server.ts';
import { prepareProviders, readAccount, readWallLinks } from './providers.ts';
import { registerSandboxRoutes } from './routes.ts';
import { reachableHost, startSimulatedServices, withSimulatedServices } from './simulated-services.ts';
import { makeTables } from './tables.ts';
import type { WallSite } from './wall-calls.ts';

/**
 * Simulates all external services, so that the site runs without any account: walls that send signed postbacks, the
 * captcha's check, text messages, mail, coin nodes and exchange rates. It also makes the demo world. Invariants:
 * - The site runs the same code as in live mode. Only `node.ts` loads this folder, in sandbox mode.
 * - The site trusts nothing from here without the proof that live mode needs.
 * - Its tables are in a separate schema, which no migration makes.
 */
export type Sandbox = {
  /** The configuration with the simulated services, except those that the environment sets. */
  config: Config;
  /** The origin of the simulated walls, for browsers. */
  wallOrigin: string;
  registerRoutes(platform: Platform): void;
  /** Sets up what a new site lacks: providers, payout rails, accounts, demo world. Idempotent. */
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
  const secrets = secretsOf(given);
  let app: FastifyInstance | undefined;
  const site: WallSite = {
    database,
    publicUrl: given.publicUrl,
    address: () => siteAddress(given, app),
    readAccount: (wall) => readAccount({ database, secrets }, wall),
  };
  const services = await startSimulatedServices({ config: given, database, log, site });
  const mail = await startMailServer(database, log);
  const coins = await startCoins(given, database, log);
  const config = withSimulatedServices(given, services, mail.url);
  const wallOrigin = `http://${new URL(given.publicUrl).hostname}:${services.port}`;

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
      await Promise.all([services.close(), mail.close(), coins.close()]);
    },
  };
}

/** The site's local address. With PORT=0 the port is known only while the site listens. */
function siteAddress(config: Config, app: FastifyInstance | undefined): { host: string; port: number } {
  const bound = app?.server.address() as AddressInfo | string | null | undefined;
  const port = typeof bound === 'object' && bound !== null ? bound.port : config.port;
  return { host: reachableHost(config.host).replaceAll(/[[\]]/g, ''), port };
}
