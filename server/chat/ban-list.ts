import { type ListedBan, readBans } from '#contract/chat-moderation.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import * as queries from './moderation-queries.ts';

/** A ban in the contract's shape. */
export const listedBanOf = (row: queries.BanRow): ListedBan => ({
  id: String(row.id),
  userId: String(row.memberId),
  userName: row.isDeleted ? null : fullNameOf(row),
  userEmail: row.isDeleted ? null : row.email,
  reason: row.reason,
  duration: row.duration,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  isActive: row.isActive,
  createdAt: row.createdAt.toISOString(),
  liftedAt: row.liftedAt?.toISOString() ?? null,
});

/** The operators' list of bans. */
export const banList: OperatorListBinding<typeof readBans, queries.BanRow> = {
  endpoint: readBans,
  toReply: listedBanOf,
  source: {
    table: sql`chat.bans`,
    alias: sql`b`,
    key: sql`b.id`,
    withId: ({ rowId }) => sql`b.id = ${rowId}::bigint`,
    columns: queries.banColumns,
    joins: queries.banJoins,
    sorts: { createdAt: [sql`b.id`] },
    filters: {
      state: (state) => (state === 'active' ? queries.isActive : sql`not ${queries.isActive}`),
      duration: (duration) => sql`b.duration = ${duration}`,
    },
    search: ({ lowerCasePrefix, memberId, rowId, name }) => sql`
      select id from chat.bans where id = ${rowId}::bigint
      union all select id from chat.bans where member_id = ${memberId}::integer
      union all select found.id from members.profiles m join chat.bans found on found.member_id = m.id
        where m.email like ${lowerCasePrefix} and m.deleted_at is null
      union all select found.id from members.named(${name}) m join chat.bans found on found.member_id = m.id`,
  },
};
