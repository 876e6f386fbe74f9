import { ConfigFault } from '#platform/config.ts';
import { type Database, sql } from '#platform/database.ts';
import type { Secrets } from '#platform/secrets.ts';

const TEXT = 'the first start';
const PURPOSE = 'sandbox first start';

/**
 * Refuses another APP_SECRET than that of the first start, because the stored credentials of providers and payment
 * methods would not open. The first start stores a signature to compare with.
 * @throws ConfigFault
 */
export async function requireFirstSecret(database: Database, secrets: Secrets): Promise<void> {
  await database.rows(sql`
    insert into sandbox.first_secret (signature) values (${secrets.sign(TEXT, PURPOSE)})
    on conflict do nothing`);
  const { signature } = await database.one<{ signature: string }>(
    sql`select signature from sandbox.first_secret`,
  );
  if (secrets.isSigned(TEXT, signature, PURPOSE)) return;
  throw new ConfigFault([
    'APP_SECRET: is not the one of this database’s first start, so stored credentials do not open; set the first one ' +
      '(if none was set, it is in DATA_DIR/secrets/app-secret), or start with an empty database',
  ]);
}
