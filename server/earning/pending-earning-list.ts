import type { readPendingEarnings } from '#contract/earning.ts';
import { sql } from '#platform/database.ts';
import type { ListSql } from '#platform/http/operator-list.ts';
import { heldColumns, heldJoins, readTotals } from './queries.ts';

/** The operators' list of held earnings, ordered by their numbers. */
export const pendingEarningList: ListSql<typeof readPendingEarnings> = {
  table: sql`earning.earnings`,
  alias: sql`e`,
  key: sql`e.held_id`,
  withId: ({ rowId }) => sql`e.held_id = ${rowId}::bigint`,
  where: sql`e.state = 'held'`,
  columns: heldColumns,
  joins: heldJoins,
  sorts: { createdAt: [sql`e.held_id`], amount: [sql`e.points`, sql`e.held_id`] },
  points: sql`e.points`,
  filters: {
    minAmount: (points) => sql`e.points >= ${points}::bigint`,
    maxAmount: (points) => sql`e.points <= ${points}::bigint`,
    olderThanHours: (hours) =>
      sql`e.created_at < platform.business_now() - make_interval(hours => ${hours}::integer)`,
    holdReason: (reason) => sql`e.hold_reason = ${reason}`,
  },
  search: ({ text, lowerCasePrefix, memberId, rowId, name }) => sql`
    select held_id from earning.earnings where held_id = ${rowId}::bigint
    union all select held_id from earning.earnings
      where held_id is not null and member_id = ${memberId}::integer
    union all select held_id from earning.earnings where state = 'held' and transaction_id = ${text}
    union all select found.held_id from members.profiles m join earning.earnings found on found.member_id = m.id
      where m.email like ${lowerCasePrefix} and found.held_id is not null
    union all select found.held_id from members.named(${name}) m join earning.earnings found on found.member_id = m.id
      where found.held_id is not null`,
  findTotal: async (reader, { q, minAmount, maxAmount, olderThanHours, holdReason }) => {
    if (q || minAmount || maxAmount || olderThanHours || holdReason) return undefined;
    return (await readTotals(reader)).pendingCount;
  },
};
