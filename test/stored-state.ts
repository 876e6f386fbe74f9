import { type Reader, sql, sqlText } from '#platform/database.ts';

/**
 * A digest of each table, including those of the jobs and the sandbox. Two are equal if nothing was changed.
 * @param without the tables that are left out
 */
export async function storedState(owner: Reader, without: readonly string[] = []): Promise<string[]> {
  const tables = await owner.rows<{ name: string }>(sql`
    select format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const compared = tables.filter(({ name }) => !without.includes(name));
  const sums = compared.map(
    ({ name }) =>
      `select '${name} ' || coalesce(md5(string_agg(t::text, ';' order by t::text)), '') as sum from ${name} t`,
  );
  const rows = await owner.rows<{ sum: string }>(sqlText(sums.join(' union all ')));
  return rows.map(({ sum }) => sum).sort();
}
