import { createBus } from '#platform/bus.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { createLog } from '#platform/log.ts';
import { createSecrets } from '#platform/secrets.ts';
import type { PayoutParts } from '../server/withdrawals/decisions.ts';

/** The parts of the platform that withdrawals use, on a database: of a test, and of a process that a test starts. */
export async function partsOn(database: Database, environment: Record<string, string>): Promise<PayoutParts> {
  const config = readConfig(environment);
  const log = createLog(process.env.LOG_LEVEL ?? 'silent');
  const secrets = createSecrets(config.appSecret);
  return { database, config, log, health: createHealth(log), secrets, bus: await createBus(null, log) };
}
