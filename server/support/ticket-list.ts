import type { readTicketQueue } from '#contract/support.ts';
import { sql } from '#platform/database.ts';
import type { ListSql } from '#platform/http/operator-list.ts';
import { operatorColumns, priorityPlace, waitPlace } from './queries.ts';

/** The operators' list of tickets in SQL. Channel ids ascend with the time of opening, so they give the order. */
export const ticketList: ListSql<typeof readTicketQueue> = {
  table: sql`support.tickets`,
  alias: sql`t`,
  key: sql`t.id`,
  withId: ({ uuid }) => sql`t.id = ${uuid}::uuid`,
  columns: operatorColumns,
  joins: sql`join members.profiles m on m.id = t.member_id`,
  sorts: { createdAt: [sql`t.channel_id`], answerBy: [waitPlace, priorityPlace, sql`t.channel_id`] },
  filters: {
    status: (status) =>
      status === 'unsolved' ? sql`t.status in ('open', 'in_progress')` : sql`t.status = ${status}`,
    priority: (priority) => sql`t.priority = ${priority}`,
  },
  search: ({ uuid, memberId, lowerCasePrefix, name }) => sql`
    select id from support.tickets where id = ${uuid}::uuid
    union all select id from support.tickets where member_id = ${memberId}::integer
    union all select found.id from members.profiles m join support.tickets found on found.member_id = m.id
      where m.email like ${lowerCasePrefix}
    union all select found.id from members.named(${name}) m join support.tickets found on found.member_id = m.id`,
};
