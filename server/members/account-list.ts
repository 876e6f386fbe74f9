import { type Account, readUsers } from '#contract/members-accounts.ts';
import { type Reader, sql } from '#platform/database.ts';
import type { ListSql, OperatorListBinding } from '#platform/http/operator-list.ts';
import { searchedPhoneNumber } from '#platform/phone-number.ts';
import { type AccountRow, accountColumns, accountJoins, readCounts } from './account-queries.ts';

/**
 * The operators' list of members. A search finds a member by id, e-mail, phone number and name here. Payout addresses
 * and transactions belong to other features, which name the members they belong to.
 */

/** Finds the members to whom something with this text belongs, such as a payout to this address. */
export type FindOwners = (reader: Reader, text: string) => Promise<readonly number[]>;

const source: ListSql<typeof readUsers> = {
  table: sql`members.members`,
  alias: sql`m`,
  key: sql`m.id`,
  withId: ({ memberId }) => sql`m.id = ${memberId}::integer`,
  columns: accountColumns,
  joins: accountJoins,
  sorts: { createdAt: [sql`m.created_at`, sql`m.id`] },
  filters: {
    role: (role) => sql`m.role = ${role}`,
    state: (state) => {
      if (state === 'active') return sql`m.deleted_at is null and m.role <> 'banned'`;
      if (state === 'deleted') return sql`m.deleted_at is not null`;
      return sql`m.id in (
        select member_id from members.open_suspensions)`;
    },
  },
  search: ({ text, lowerCasePrefix, memberId, name }) => sql`
    select id from members.members where id = ${memberId}::integer
    union all select id from members.members where email like ${lowerCasePrefix}
    union all select id from members.named(${name})
    union all select id from members.members where phone_number = ${searchedPhoneNumber(text) ?? null}`,
  findTotal: async (reader, { q, role, state }) =>
    q || role || state ? undefined : (await readCounts(reader)).memberCount,
};

export const accountList = (
  reader: Reader,
  ownerFinders: readonly FindOwners[],
): OperatorListBinding<typeof readUsers, AccountRow> => ({
  endpoint: readUsers,
  source: async ({ q }) => {
    if (!q) return source;
    const found = (await Promise.all(ownerFinders.map((find) => find(reader, q)))).flat();
    return {
      ...source,
      search: (terms) => sql`${source.search(terms)} union all select unnest(${found}::integer[])`,
    };
  },
  toReply: accountOf,
});

export const accountOf = (row: AccountRow): Account => ({
  id: String(row.id),
  email: row.email,
  firstName: row.firstName,
  lastName: row.lastName,
  role: row.role,
  balance: String(row.balance),
  totalEarned: String(row.totalEarned),
  createdAt: row.createdAt.toISOString(),
  lastLoginAt: row.lastSignInAt?.toISOString() ?? null,
  isActive: row.deletedAt === null && row.role !== 'banned',
  isBlocked: row.isBlocked,
  profileImageUrl: row.profileImageUrl,
  deletedAt: row.deletedAt?.toISOString() ?? null,
});
