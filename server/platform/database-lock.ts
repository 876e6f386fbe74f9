/** A lock between processes, held by a separate database connection. */
import { createHash } from 'node:crypto';
import pg from 'pg';

export type DatabaseLock = {
  /** False after the connection, and with it the lock, was lost. Check it before each irrevocable act. */
  isHeld(): boolean;
  release(): Promise<void>;
};

/**
 * Takes the named lock; returns undefined if another connection holds it. The lock lasts until `release`, the end of
 * the connection or the end of the process.
 */
export async function tryLock(url: string, name: string): Promise<DatabaseLock | undefined> {
  const client = new pg.Client({
    connectionString: url,
    application_name: `earnest lock ${name}`.slice(0, 63),
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  let isConnected = true;
  client.on('error', () => {
    isConnected = false;
  });
  client.on('end', () => {
    isConnected = false;
  });
  await client.connect();
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [lockNumber(name)]);
  if (rows[0]?.taken !== true) {
    await client.end();
    return undefined;
  }
  return { isHeld: () => isConnected, release: () => client.end() };
}

/** The 64-bit number of the advisory lock of this name. */
export function lockNumber(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE(0);
}
