import type { FastifyInstance } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import type { Bus } from './bus.ts';
import type { Config } from './config.ts';
import type { Database } from './database.ts';
import type { Authenticate } from './http/caller.ts';
import type { Limits } from './http/limits.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { Secrets } from './secrets.ts';

/** What every feature is given: the parts of the house that know no feature. */
export type Platform = {
  app: FastifyInstance;
  config: Config;
  database: Database;
  bus: Bus;
  limits: Limits;
  secrets: Secrets;
  log: Log;
  metrics: Metrics;
  authenticate: Authenticate;
  /** Every endpoint bound so far, for the OpenAPI document. */
  endpoints: Endpoint[];
};
