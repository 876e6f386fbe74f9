import { type Reader, sql } from './database.ts';

/**
 * Reads the name under which the nodes of this database meet outside it, for example on Redis. A copy of the database
 * that was restored beside it has the same id, and another object number on the same server.
 */
export async function readSiteName(database: Reader): Promise<string> {
  const { name } = await database.one<{ name: string }>(sql`
    select site_id || '-' || (select oid from pg_database where datname = current_database()) as name
    from platform.identity`);
  return name;
}
