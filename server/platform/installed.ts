/** What is installed in the database: the migrations that were applied, and the releases that were started on it. */
import { type Reader, sql } from './database.ts';
import { migrationNames } from './database-migrations.ts';

type Migration = { name: string; appliedAt: Date | null };

/** The migrations of this release and those that the database has, in order. One that is missing has no time. */
export async function readMigrations(reader: Reader): Promise<Migration[]> {
  const applied = await reader.rows<{ name: string; appliedAt: Date }>(
    sql`select name, applied_at as "appliedAt" from platform.migrations`,
  );
  const times = new Map(applied.map(({ name, appliedAt }) => [name, appliedAt]));
  const names = [...new Set([...migrationNames(), ...times.keys()])].sort();
  return names.map((name) => ({ name, appliedAt: times.get(name) ?? null }));
}

/** The releases, in the order of their first start. */
export const readReleases = (reader: Reader) =>
  reader.rows<{ version: string; firstStartedAt: Date }>(sql`
    select version, first_started_at as "firstStartedAt" from platform.releases order by first_started_at`);
