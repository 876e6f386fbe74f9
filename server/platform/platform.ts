import type { FastifyInstance } from 'fastify';
import type { Bus } from './bus.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import type { Health } from './health.ts';
import type { Authenticate } from './http/caller.ts';
import type { Limits } from './http/limits.ts';
import type { BoundEndpoint } from './http/openapi.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Networks } from './networks.ts';
import type { Presence } from './presence.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';

/** The shared parts that `app.ts` passes to every feature. None of them depends on a feature. */
export type Platform = {
  app: FastifyInstance;
  config: Config;
  database: Database;
  bus: Bus;
  /** Who is online. */
  presence: Presence;
  limits: Limits;
  secrets: Secrets;
  /** What the site's owner sets. */
  settings: Settings;
  log: Log;
  metrics: Metrics;
  /** Of which country and kind an address is. */
  networks: Networks;
  health: Health;
  authenticate: Authenticate;
  /** The endpoints bound so far, for the OpenAPI document. */
  endpoints: BoundEndpoint[];
};
