import type { readQuarantine } from '#contract/earning-quarantine.ts';
import { sql } from '#platform/database.ts';
import type { ListSql } from '#platform/http/operator-list.ts';
import { quarantineColumns } from './quarantine-queries.ts';

/** The operators' list of calls in quarantine that nobody has resolved. */
export const quarantineList: ListSql<typeof readQuarantine> = {
  table: sql`earning.quarantine`,
  alias: sql`q`,
  key: sql`q.id`,
  withId: ({ rowId }) => sql`q.id = ${rowId}::bigint`,
  where: sql`q.state in ('open', 'held')`,
  columns: quarantineColumns,
  sorts: { at: [sql`q.id`] },
  filters: {
    kind: (kind) => sql`q.kind = ${kind}`,
    provider: (provider) => sql`q.provider = ${provider}`,
  },
  search: ({ text, rowId }) => sql`
    select id from earning.quarantine
    where state in ('open', 'held') and (id = ${rowId}::bigint or transaction_id = ${text} or member_ref = ${text})`,
};
