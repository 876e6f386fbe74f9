import { type Reader, type Sql, sql } from '#platform/database.ts';
import type { SearchTerms } from '#platform/http/operator-list.ts';
import type { WithdrawalState } from './queries.ts';

/** SQL of the search for withdrawals. Each way has an index, and its form allows no other plan. */

export type SearchedWithdrawal = {
  id: string;
  state: WithdrawalState;
  amountPoints: bigint;
  firstName: string;
  lastName: string | null;
  /** The payment's reference, if the withdrawal was found by it. */
  foundReference: string | null;
};

/** Finds withdrawals by the beginning of the id, by destination and by their payment, newest first. */
export const findByTerms = (
  reader: Reader,
  { uuids, spellings }: Pick<SearchTerms, 'uuids'> & { spellings: readonly string[] },
  limit: number,
) =>
  reader.rows<SearchedWithdrawal>(sql`
    select w.id, w.state, w.amount_points as "amountPoints", m.first_name as "firstName",
      m.last_name as "lastName", found.reference as "foundReference"
    from (
      (select id, null as reference from withdrawals.withdrawals
        where id between ${uuids.from}::uuid and ${uuids.to}::uuid order by id limit ${limit})
      union all
      (select id, null from withdrawals.withdrawals where destination = any (${spellings}::text[])
        order by queue_number desc limit ${limit})
      union all
      (select withdrawal_id, reference from withdrawals.payouts where reference = any (${spellings}::text[])
        limit ${limit})
    ) found
      cross join lateral (select * from withdrawals.withdrawals where id = found.id limit 1) w
      cross join lateral (
        select first_name, last_name from members.profiles where id = w.member_id limit 1) m
    order by w.queue_number desc limit ${limit}`);

/** The ids of the withdrawals that the search of a list finds, by destination, id, payment and member. */
export const idsOfFound = ({
  text,
  prefix,
  lowerCase,
  lowerCasePrefix,
  uuids,
  memberId,
  name,
}: SearchTerms): Sql => sql`
  select id from withdrawals.withdrawals where destination like ${prefix}
  union all select id from withdrawals.withdrawals where destination = ${lowerCase}
  union all select id from withdrawals.withdrawals where id between ${uuids.from}::uuid and ${uuids.to}::uuid
  union all select id from withdrawals.withdrawals where member_id = ${memberId}::integer
  union all select withdrawal_id from withdrawals.payouts where reference in (${text}, ${lowerCase})
  union all select found.id from members.profiles m join withdrawals.withdrawals found on found.member_id = m.id
    where m.email like ${lowerCasePrefix}
  union all select found.id from members.named(${name}) m
    join withdrawals.withdrawals found on found.member_id = m.id`;
