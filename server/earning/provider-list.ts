import type { readProviders } from '#contract/earning-providers.ts';
import { sql } from '#platform/database.ts';
import type { ListSql } from '#platform/http/operator-list.ts';
import { providerColumns } from './queries.ts';

/** The operators' list of providers. */
export const providerList: ListSql<typeof readProviders> = {
  table: sql`earning.providers`,
  alias: sql`p`,
  key: sql`p.id`,
  withId: ({ text }) => sql`p.id = ${text}`,
  columns: providerColumns,
  sorts: { name: [sql`p.name`, sql`p.id`] },
  filters: { type: (type) => sql`p.type = ${type}` },
  search: ({ text, lowerCase }) => sql`
    select id from earning.providers where id = ${text} or strpos(lower(name), ${lowerCase}) > 0`,
};
