import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Config, ConfigFault } from './platform/config.ts';
import { clusterFolderOf } from './platform/data-folders.ts';
import { type Database, openDatabase } from './platform/database.ts';
import { type DatabaseUrls, prepareDatabase, prepareEmbeddedDatabase } from './platform/database-roles.ts';
import { startEmbeddedPostgres } from './platform/embedded-postgres.ts';

/** Two checks at a time use two cores. */
export const CONNECTIONS_OF_AUDIT = 2;

/** What a command works with. `close` ends it. */
export type Opened = {
  config: Config;
  app: Database;
  owner: Database;
  urls: DatabaseUrls;
  close(): Promise<void>;
};

/** Opens the database of a site, and starts the embedded one if no server runs. @throws ConfigFault if there is none */
export async function open(config: Config): Promise<Opened> {
  // In a shell without the site's environment a command would make an empty database and change nothing of the site.
  if (config.databaseUrl === null && !existsSync(join(clusterFolderOf(config.dataDir), 'PG_VERSION')))
    throw new ConfigFault([
      `DATA_DIR: ${config.dataDir} has no database of a site; run this with the environment of the site`,
    ]);
  const postgres =
    config.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: config.dataDir }) : undefined;
  const urls =
    postgres === undefined
      ? await prepareDatabase({ ownerUrl: config.databaseOwnerUrl ?? '', appUrl: config.databaseUrl ?? '' })
      : await prepareEmbeddedDatabase({ superuserUrl: postgres.superuserUrl, dataDir: config.dataDir });
  const app = openDatabase({ url: urls.appUrl, connectionsMax: 1 });
  const owner = openDatabase({ url: urls.ownerUrl, connectionsMax: CONNECTIONS_OF_AUDIT });
  return {
    config,
    app,
    owner,
    urls,
    close: async () => {
      await Promise.all([app.close(), owner.close()]);
      // An adopted cluster belongs to a running server.
      if (postgres !== undefined && !postgres.isAdopted) await postgres.close();
    },
  };
}
