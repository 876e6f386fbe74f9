import { type Broadcast, readBroadcasts, readNotificationUsers } from '#contract/broadcasts.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import { type BroadcastRow, broadcastColumns, broadcastJoins, isNewsRecipient } from './queries.ts';

/** A broadcast in the contract's shape. */
export const broadcastOf = ({
  id,
  noAddress,
  mailboxFull,
  refused,
  deferred,
  createdAt,
  changedAt,
  finishedAt,
  ...row
}: BroadcastRow): Broadcast => ({
  ...row,
  id: String(id),
  failed: noAddress + mailboxFull + refused + deferred,
  failures: { noAddress, mailboxFull, refused, deferred },
  createdAt: createdAt.toISOString(),
  changedAt: changedAt.toISOString(),
  finishedAt: finishedAt?.toISOString() ?? null,
});

/** The operators' list of broadcasts. */
export const broadcastList: OperatorListBinding<typeof readBroadcasts, BroadcastRow> = {
  endpoint: readBroadcasts,
  toReply: broadcastOf,
  source: {
    table: sql`broadcasts.broadcasts`,
    alias: sql`b`,
    key: sql`b.id`,
    withId: ({ rowId }) => sql`b.id = ${rowId}::bigint`,
    columns: broadcastColumns,
    joins: broadcastJoins,
    sorts: { createdAt: [sql`b.created_at`, sql`b.id`] },
    filters: { status: (status) => sql`b.status = ${status}` },
    search: ({ rowId }) => sql`select id from broadcasts.broadcasts where id = ${rowId}::bigint`,
  },
};

type Recipient = { firstName: string; lastName: string | null; email: string };

/** The operators' list of the members who get a broadcast now. */
export const recipientList: OperatorListBinding<typeof readNotificationUsers, Recipient> = {
  endpoint: readNotificationUsers,
  toReply: (row) => row,
  source: {
    table: sql`members.news_readers`,
    alias: sql`r`,
    key: sql`r.id`,
    withId: ({ memberId }) => sql`r.id = ${memberId}`,
    where: isNewsRecipient,
    columns: sql`r.first_name as "firstName", r.last_name as "lastName", r.email`,
    sorts: { createdAt: [sql`r.created_at`, sql`r.id`] },
    filters: {},
    search: ({ memberId, lowerCase }) => sql`
      select id from members.news_readers where id = ${memberId}
      union select id from members.news_readers where email = ${lowerCase}`,
  },
};
