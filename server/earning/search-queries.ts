import { type Reader, sql } from '#platform/database.ts';

/** SQL of the search for earnings and calls. */

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

export type SearchedCall = { id: bigint; providerName: string };

export const findCallsByNumber = (reader: Reader, number: bigint) =>
  reader.rows<SearchedCall>(sql`
    select p.id, coalesce(v.name, p.provider) as "providerName"
    from earning.postbacks p
      left join lateral (select name from earning.providers where id = p.provider limit 1) v on true
    where p.id = ${number}::bigint`);

export type SearchedQuarantine = {
  id: bigint;
  providerName: string;
  transactionId: string;
  /** Null for a reversal of everything. */
  points: bigint | null;
};

/** Finds unresolved calls, the newest first. Each way of finding is a lookup in an index. */
export const findQuarantined = (
  reader: Reader,
  { text, number }: { text: string; number: bigint | null },
  limit: number,
) =>
  reader.rows<SearchedQuarantine>(sql`
    select q.id, coalesce(v.name, q.provider) as "providerName", q.transaction_id as "transactionId", q.points
    from (
        (select id from earning.quarantine where id = ${number}::bigint limit 1)
        union
        (select o.id from earning.providers p cross join lateral (
          select id from earning.quarantine where provider = p.id and transaction_id = ${text} limit 2) o)
        union
        (select id from earning.quarantine
          where member_ref = ${text} and state in ('open', 'held') limit ${limit})
      ) found
      cross join lateral (
        select id, provider, transaction_id, points from earning.quarantine
        where id = found.id and state in ('open', 'held') limit 1) q
      left join lateral (select name from earning.providers where id = q.provider limit 1) v on true
    order by q.id desc limit ${limit}`);
