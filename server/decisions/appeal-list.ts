import { type ListedAppeal, readAppeals } from '#contract/decisions.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import { idOf, placeOf } from './decision-id.ts';
import * as queries from './queries.ts';

/** An appeal in the operators' shape. */
export const listedAppealOf = (row: queries.ListedRow): ListedAppeal => ({
  id: idOf(row),
  userId: String(row.memberId),
  userName: fullNameOf(row),
  userEmail: row.email,
  kind: row.kind,
  reason: row.reason,
  decidedAt: row.decidedAt.toISOString(),
  decidedByEmail: row.decidedByEmail,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  isActive: row.isActive,
  text: row.text,
  createdAt: row.createdAt.toISOString(),
  answerBy: row.answerBy.toISOString(),
  isLate: row.isLate,
  status: row.status,
  answer: row.answer,
  answeredAt: row.answeredAt?.toISOString() ?? null,
  answeredByEmail: row.answeredByEmail,
});

/** The condition for the appeal against the decision with this id. Another text is no id, and has none. */
function withId(text: string) {
  const place = placeOf(text);
  return sql`a.source = ${place?.source ?? null}::text and a.source_id = ${place?.sourceId ?? null}::bigint`;
}

/** The operators' list of appeals. */
export const appealList: OperatorListBinding<typeof readAppeals, queries.ListedRow> = {
  endpoint: readAppeals,
  toReply: listedAppealOf,
  source: {
    table: sql`decisions.appeals`,
    alias: sql`a`,
    key: sql`a.id`,
    withId: ({ text }) => withId(text),
    columns: queries.listedColumns,
    joins: queries.listedJoins,
    sorts: { answerBy: [queries.duePlace, sql`a.id`], createdAt: [sql`a.id`] },
    filters: { status: (status) => sql`a.status = ${status}` },
    search: ({ text, lowerCasePrefix, memberId, name }) => sql`
      select a.id from decisions.appeals a where ${withId(text)}
      union all select id from decisions.appeals where member_id = ${memberId}::integer
      union all select found.id from members.profiles m join decisions.appeals found on found.member_id = m.id
        where m.email like ${lowerCasePrefix} and m.deleted_at is null
      union all select found.id from members.named(${name}) m
        join decisions.appeals found on found.member_id = m.id`,
  },
};
