import type { readGrants } from '#contract/grants.ts';
import { sql } from '#platform/database.ts';
import type { ListSql } from '#platform/http/operator-list.ts';
import { grantColumns, grantJoins, readTotals } from './queries.ts';

/** The operators' list of grants, ordered by their numbers. */
export const grantList: ListSql<typeof readGrants> = {
  table: sql`grants.grants`,
  alias: sql`g`,
  key: sql`g.id`,
  withId: ({ rowId }) => sql`g.id = ${rowId}::bigint`,
  columns: grantColumns,
  joins: grantJoins,
  sorts: { createdAt: [sql`g.id`], amount: [sql`g.amount_points`, sql`g.id`] },
  points: sql`g.amount_points`,
  filters: {
    status: (status) => sql`g.state = ${status}`,
    minAmount: (points) => sql`g.amount_points >= ${points}::bigint`,
    maxAmount: (points) => sql`g.amount_points <= ${points}::bigint`,
  },
  search: ({ lowerCasePrefix, memberId, rowId, name }) => sql`
    select id from grants.grants where id = ${rowId}::bigint
    union all select id from grants.grants where member_id = ${memberId}::integer
    union all select found.id from members.profiles m join grants.grants found on found.member_id = m.id
      where m.email like ${lowerCasePrefix}
    union all select found.id from members.named(${name}) m join grants.grants found on found.member_id = m.id
    union all select found.id from members.profiles o join grants.grants found on found.granted_by = o.id
      where o.email like ${lowerCasePrefix} and o.role = 'admin'`,
  findTotal: async (reader, { q, status, minAmount, maxAmount }) => {
    if (q || minAmount || maxAmount) return undefined;
    const totals = await readTotals(reader);
    return status === 'pending'
      ? totals.pendingCount
      : status === 'completed'
        ? totals.completedCount
        : undefined;
  },
};
