import { MANUAL_PROVIDER, type readAllChargebacks } from '#contract/earning-chargebacks.ts';
import { sql } from '#platform/database.ts';
import type { ListSql } from '#platform/http/operator-list.ts';
import { listedColumns, listedJoins } from './chargeback-queries.ts';

/** The operators' list of chargebacks: the reversals that took points, in the order of their booking. */
export const chargebackList: ListSql<typeof readAllChargebacks> = {
  table: sql`earning.reversals`,
  alias: sql`r`,
  key: sql`r.id`,
  withId: ({ rowId }) => sql`r.id = ${rowId}::bigint`,
  where: sql`r.taken_points > 0`,
  columns: listedColumns,
  joins: listedJoins,
  sorts: { createdAt: [sql`r.id`] },
  points: sql`r.taken_points`,
  filters: {
    provider: (provider) => sql`r.provider = ${provider}`,
    reason: (reasonClass) => sql`r.reason_class = ${reasonClass}`,
  },
  // A transaction is looked up once for each provider, its own and that of the credit.
  search: ({ text, lowerCasePrefix, memberId, rowId, name }) => sql`
    select id from earning.reversals where id = ${rowId}::bigint
    union all select id from earning.reversals where member_id = ${memberId}::integer and taken_points > 0
    union all select found.id from members.profiles m
      join earning.reversals found on found.member_id = m.id and found.taken_points > 0
      where m.email like ${lowerCasePrefix}
    union all select found.id from members.named(${name}) m
      join earning.reversals found on found.member_id = m.id and found.taken_points > 0
    union all select found.id from (
      select ${MANUAL_PROVIDER} as id union all select id from earning.providers) p
      cross join lateral (
        (select id from earning.reversals where provider = p.id and transaction_id = ${text} limit 1)
        union
        (select id from earning.reversals where provider = p.id and credit_transaction_id = ${text} limit 100)
      ) found`,
};
