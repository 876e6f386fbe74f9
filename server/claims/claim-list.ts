import type { readClaimQueue } from '#contract/claims.ts';
import { sql } from '#platform/database.ts';
import type { ListSql } from '#platform/http/operator-list.ts';
import { operatorColumns, operatorJoins } from './queries.ts';

/** The operators' list of claims in SQL. Ids ascend with the time of filing. */
export const claimList: ListSql<typeof readClaimQueue> = {
  table: sql`claims.claims`,
  alias: sql`c`,
  key: sql`c.id`,
  withId: ({ rowId }) => sql`c.id = ${rowId}::bigint`,
  columns: operatorColumns,
  joins: operatorJoins,
  sorts: { dueAt: [sql`c.due_at`, sql`c.id`], filedAt: [sql`c.id`] },
  filters: {
    state: (state) => (state === 'open' ? sql`c.state in ('filed', 'asked')` : sql`c.state = ${state}`),
    provider: (provider) => sql`c.provider = ${provider}`,
  },
  search: ({ rowId, memberId, lowerCasePrefix, name }) => sql`
    select id from claims.claims where id = ${rowId}::bigint
    union all select id from claims.claims where member_id = ${memberId}::integer
    union all select found.id from members.profiles m join claims.claims found on found.member_id = m.id
      where m.email like ${lowerCasePrefix}
    union all select found.id from members.named(${name}) m join claims.claims found on found.member_id = m.id`,
};
