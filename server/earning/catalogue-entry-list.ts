import type { readEntries } from '#contract/earning-catalogue-entries.ts';
import { sql } from '#platform/database.ts';
import type { ListSql } from '#platform/http/operator-list.ts';
import { entryColumns, entryPicture, stateOf } from './catalogue-entry-queries.ts';

/** The operators' list of the catalogue, where the walls of these providers can be opened. */
export const catalogueEntryList = (usable: readonly string[]): ListSql<typeof readEntries> => ({
  table: sql`earning.catalogue`,
  alias: sql`c`,
  key: sql`c.id`,
  withId: ({ rowId }) => sql`c.id = ${rowId}::bigint`,
  where: sql`c.deleted_at is null`,
  columns: entryColumns(usable),
  joins: entryPicture,
  sorts: {
    position: [sql`c.position`, sql`date_trunc('milliseconds', c.created_at)`, sql`c.id`],
    createdAt: [sql`date_trunc('milliseconds', c.created_at)`, sql`c.id`],
    reward: [sql`c.points`, sql`c.id`],
    minutes: [sql`c.minutes`, sql`c.id`],
  },
  filters: {
    kind: (kind) => sql`c.kind = ${kind}`,
    category: (category) => sql`c.category = ${category}`,
    provider: (provider) => sql`c.provider = ${provider}`,
    state: (state) => sql`${stateOf(usable)} = ${state}`,
  },
  search: ({ lowerCase, rowId }) => sql`
    select id from earning.catalogue
    where id = ${rowId}::bigint or strpos(lower(title), ${lowerCase}) > 0 or strpos(lower(title_ko), ${lowerCase}) > 0
      or strpos(lower(description), ${lowerCase}) > 0 or strpos(lower(url), ${lowerCase}) > 0`,
});
