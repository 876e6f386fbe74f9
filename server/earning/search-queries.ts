import { type Reader, sql } from '#platform/database.ts';

/** SQL of the search for earnings. */

export type SearchedEarning = {
  transactionId: string;
  providerName: string;
  memberId: number;
  firstName: string;
  lastName: string | null;
  /** Negative for a reversal. */
  points: bigint;
  /** The number in the list of held earnings while it waits there. */
  heldId: bigint | null;
};

/** Finds credits and reversals by the provider's transaction id: one lookup for each provider. */
export const findByTransaction = (reader: Reader, transactionId: string, limit: number) =>
  reader.rows<SearchedEarning>(sql`
    select ${transactionId} as "transactionId", p.name as "providerName", found.member_id as "memberId",
      m.first_name as "firstName", m.last_name as "lastName", found.points, found.held_id as "heldId"
    from earning.providers p
      cross join lateral (
        (select e.member_id, e.points, case e.state when 'held' then e.held_id end as held_id
          from earning.earnings e
          where e.provider = p.id and e.transaction_id = ${transactionId} limit 1)
        union all
        (select r.member_id, -r.taken_points, null
          from earning.reversals r
          where r.provider = p.id and r.transaction_id = ${transactionId} limit 1)
      ) found
      cross join lateral (
        select first_name, last_name from members.profiles where id = found.member_id limit 1) m
    order by p.name, found.points desc limit ${limit}`);
