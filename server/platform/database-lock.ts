/** A lock that several processes agree on, held by a database connection of its own. */
import { createHash } from 'node:crypto';
import pg from 'pg';

export type DatabaseLock = {
  /** False once the connection was lost, and with it the lock: stop before the next irrevocable act. */
  isHeld(): boolean;
  release(): Promise<void>;
};

/**
 * Takes the named lock, or answers undefined when another connection has it. The lock outlives any
 * transaction and ends with `release`, with the connection, or with the process.
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

/** The 64-bit number by which PostgreSQL knows the lock of this name. */
export function lockNumber(name: string): bigint {
  return createHash('sha256').update(name).digest().readBigInt64BE(0);
}
