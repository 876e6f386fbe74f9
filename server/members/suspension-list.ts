import { fullNameOf } from '#contract/full-name.ts';
import { type ListedSuspension, readSuspensions } from '#contract/members-suspensions.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import * as queries from './suspension-queries.ts';

/** A suspension in the contract's shape. */
export const listedOf = (row: queries.ListedRow): ListedSuspension => ({
  id: String(row.id),
  userId: String(row.memberId),
  userFirstName: row.firstName,
  userLastName: row.lastName,
  userName: fullNameOf(row),
  userEmail: row.email,
  reason: row.reason,
  severity: row.severity,
  suspensionType: row.suspensionType,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  isActive: row.isActive,
  createdAt: row.createdAt.toISOString(),
  liftedAt: row.liftedAt?.toISOString() ?? null,
  liftReason: row.liftReason,
  adminEmail: row.operatorEmail,
  isOwnWord: row.isOwnWord,
  liftedByEmail: row.liftedByEmail,
});

/** The operators' list of suspensions. */
export const suspensionList: OperatorListBinding<typeof readSuspensions, queries.ListedRow> = {
  endpoint: readSuspensions,
  toReply: listedOf,
  source: {
    table: sql`members.suspensions`,
    alias: sql`s`,
    key: sql`s.id`,
    withId: ({ rowId }) => sql`s.id = ${rowId}::bigint`,
    columns: queries.listedColumns,
    joins: queries.listedJoins,
    sorts: { createdAt: [sql`s.id`] },
    filters: {
      state: (state) => (state === 'active' ? sql`(${queries.isActive})` : sql`not (${queries.isActive})`),
      suspensionType: (type) => sql`s.suspension_type = ${type}`,
      severity: (severity) => sql`s.severity = ${severity}`,
    },
    search: ({ lowerCasePrefix, memberId, rowId, name }) => sql`
      select id from members.suspensions where id = ${rowId}::bigint
      union all select id from members.suspensions where member_id = ${memberId}::integer
      union all select found.id from members.members m join members.suspensions found on found.member_id = m.id
        where m.email like ${lowerCasePrefix}
      union all select found.id from members.named(${name}) m
        join members.suspensions found on found.member_id = m.id`,
  },
};
