import { type Reader, sql } from '#platform/database.ts';
import { type BooksDifference, DIFFERENCES_MAX, LAST_MEMBER } from '../ledger/ledger.ts';

/** SQL of the audit of members. */
const PIECE_MEMBERS = 5_000;

export const readMembersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const row = await reader.row<{ end: number }>(sql`
    select id as "end" from members.members where id >= ${from} order by id offset ${PIECE_MEMBERS} limit 1`);
  return row?.end ?? null;
};

/** Members without a wallet, wallets without a member, and wallets that are closed although the account is open. */
export const readWalletDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    select 'members' as "check", coalesce(m.id, w.member_id)::text as subject,
      case when m.id is null then 'no account' when m.deleted_at is null then 'open' else 'closed' end as expected,
      case when w.member_id is null then 'no wallet' when w.is_closed then 'closed' else 'open' end as actual
    from (
      select id, deleted_at from members.members where id >= ${from} and id < ${until ?? LAST_MEMBER}
    ) m full join (
      select member_id, is_closed from ledger.wallet_totals
      where member_id >= ${from} and member_id < ${until ?? LAST_MEMBER}
    ) w on w.member_id = m.id
    where (w.is_closed = (m.deleted_at is not null)) is not true
    limit ${DIFFERENCES_MAX}`);
