import { type Absence, readAbsences } from '#contract/decisions.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import * as queries from './absence-queries.ts';

const absenceOf = (row: queries.AbsenceRow): Absence => ({
  id: String(row.id),
  userName: fullNameOf(row),
  userEmail: row.email,
  balance: row.balance.toString(),
  lastSignInAt: row.seenAt.toISOString(),
  notifiedAt: row.notifiedAt.toISOString(),
});

/** The operators' list of members who are away and were told. */
export const absenceList: OperatorListBinding<typeof readAbsences, queries.AbsenceRow> = {
  endpoint: readAbsences,
  toReply: absenceOf,
  source: {
    table: sql`decisions.absences`,
    alias: sql`a`,
    key: sql`a.member_id`,
    where: queries.isAway,
    withId: ({ memberId }) => sql`a.member_id = ${memberId}::integer`,
    columns: queries.absenceColumns,
    joins: queries.absenceJoins,
    sorts: { notifiedAt: [sql`a.notified_at`, sql`a.member_id`] },
    filters: { points: (points) => (points === 'some' ? queries.hasPoints : sql`not ${queries.hasPoints}`) },
    search: ({ lowerCasePrefix, memberId, name }) => sql`
      select member_id from decisions.absences where member_id = ${memberId}::integer
      union all select id from members.profiles where email like ${lowerCasePrefix} and deleted_at is null
      union all select id from members.named(${name})`,
  },
};
