import { type Reader, sql, sqlText } from '#platform/database.ts';

/** The tables of a database with a row that has this text anywhere in it. */
export async function tablesWith(owner: Reader, text: string): Promise<string[]> {
  const tables = await owner.rows<{ name: string }>(sql`
    select format('%I.%I', table_schema, table_name) as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema') order by 1`);
  const found: string[] = [];
  for (const { name } of tables) {
    const { has } = await owner.one<{ has: boolean }>(
      sql`select exists (select from ${sqlText(name)} t where strpos(t::text, ${text}) > 0) as has`,
    );
    if (has) found.push(name);
  }
  return found;
}
