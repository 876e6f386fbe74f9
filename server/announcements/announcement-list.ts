import { type OperatorAnnouncement, readAnnouncementList } from '#contract/announcements.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import { type OperatorRow, operatorColumns, operatorJoins, stateConditions } from './queries.ts';

/** An announcement in the operators' shape. */
export const operatorAnnouncementOf = ({ id, publishAt, ...row }: OperatorRow): OperatorAnnouncement => ({
  ...row,
  id: String(id),
  createdAt: publishAt.toISOString(),
});

/** The operators' list of announcements. */
export const announcementList: OperatorListBinding<typeof readAnnouncementList, OperatorRow> = {
  endpoint: readAnnouncementList,
  toReply: operatorAnnouncementOf,
  source: {
    table: sql`announcements.announcements`,
    alias: sql`a`,
    key: sql`a.id`,
    withId: ({ rowId }) => sql`a.id = ${rowId}::bigint`,
    columns: operatorColumns,
    joins: operatorJoins,
    sorts: { createdAt: [sql`a.publish_at`, sql`a.id`] },
    filters: { state: (state) => sql`(${stateConditions[state]})` },
    search: ({ rowId }) => sql`select id from announcements.announcements where id = ${rowId}::bigint`,
  },
};
