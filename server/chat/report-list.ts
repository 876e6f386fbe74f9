import { type ReportedMessage, readReports } from '#contract/chat-moderation.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import * as queries from './report-queries.ts';

/** A reported message in the contract's shape. */
export const reportedMessageOf = (row: queries.CaseRow): ReportedMessage => ({
  id: String(row.id),
  userId: String(row.memberId),
  userName: row.isDeleted ? null : row.firstName,
  message: row.body,
  isHidden: row.isHidden,
  reporters: row.reporters,
  reason: row.reason,
  reportedAt: row.reportedAt.toISOString(),
  createdAt: row.createdAt.toISOString(),
  state: row.decision === null ? 'open' : 'decided',
});

/** The operators' list of reported messages. */
export const reportList: OperatorListBinding<typeof readReports, queries.CaseRow> = {
  endpoint: readReports,
  toReply: reportedMessageOf,
  source: {
    table: sql`chat.cases`,
    alias: sql`c`,
    key: sql`c.message_id`,
    withId: ({ rowId }) => sql`c.message_id = ${rowId}::bigint`,
    columns: queries.caseColumns,
    joins: queries.caseJoins,
    sorts: {
      reporters: [sql`c.reporters`, sql`c.message_id`],
      // Ids ascend with the time of writing.
      createdAt: [sql`c.message_id`],
    },
    filters: {
      state: (state) => (state === 'open' ? sql`c.decision is null` : sql`c.decision is not null`),
    },
    search: ({ memberId, rowId }) => sql`
      select message_id from chat.cases where message_id = ${rowId}::bigint
      union all select found.message_id from chat.messages m join chat.cases found on found.message_id = m.id
        where m.member_id = ${memberId}::integer`,
  },
};
