import { type Reader, type Sql, sql } from '#platform/database.ts';
import { type BooksDifference, DIFFERENCES_MAX } from '../ledger/ledger.ts';

/**
 * SQL of the audit of earning. The keys of movements begin with provider and transaction, so a range of transactions is
 * a range of keys, apart from the transactions with which the end of a piece begins. What a range leaves without its
 * other half is looked up one by one.
 */
const PIECE_ROWS = 20_000;

const providers = sql`
  with recursive earned as (
    select min(provider) as provider from earning.earnings
    union all
    select (select min(e.provider) from earning.earnings e where e.provider > earned.provider) from earned
    where earned.provider is not null
  ), reversed as (
    select min(provider) as provider from earning.reversals
    union all
    select (select min(r.provider) from earning.reversals r where r.provider > reversed.provider) from reversed
    where reversed.provider is not null
  )
  select provider from earned where provider is not null
  union select provider from reversed where provider is not null`;

/** The providers of earnings and of reversals, and that of operators' chargebacks, which may have lost every row. */
export const readAuditedProviders = (reader: Reader) =>
  reader.rows<{ provider: string }>(sql`
    select provider from (${providers} union select 'manual') p order by provider`);

/** Accounts that gave points for earnings although no earning is of their provider. */
export const readStrangeAccounts = (reader: Reader) =>
  reader.rows<BooksDifference>(sql`
    select 'earning-accounts' as "check", a.account as subject, 'earnings of this provider' as expected,
      'movements only' as actual
    from (select distinct account from ledger.account_sums() where kind = 'earning') a
      left join (${providers}) p on 'provider:' || p.provider = a.account
    where p.provider is null limit ${DIFFERENCES_MAX}`);

export const readEarningsEnd = async (reader: Reader, provider: string, from: string) => {
  const row = await reader.row<{ end: string }>(sql`
    select transaction_id as "end" from earning.earnings
    where provider = ${provider} and transaction_id >= ${from}
    order by transaction_id offset ${PIECE_ROWS} limit 1`);
  return row?.end ?? null;
};

export const readReversalsEnd = async (reader: Reader, provider: string, from: string) => {
  const row = await reader.row<{ end: string }>(sql`
    select transaction_id as "end" from earning.reversals
    where provider = ${provider} and transaction_id >= ${from}
    order by transaction_id offset ${PIECE_ROWS} limit 1`);
  return row?.end ?? null;
};

/** The first key after all keys of a provider: a semicolon follows the colon. */
const keyAfter = (provider: string, until: string | null): string =>
  until === null ? `${provider};` : `${provider}:${until}`;

/** A credited earning `e` has the movement `b`, which was booked when it was made or decided. */
const isBookedAsMade = sql`
  (b.member_id, b.amount, b.subject, b.is_screen_out) = (e.member_id, e.points, e.subject, e.is_screen_out)
  and b.posted_at >= e.created_at - interval '1 minute'
  and (e.held_id is not null or b.posted_at < e.created_at + interval '1 minute')
  and (e.held_id is null) = (e.decided_at is null)`;

/** An operator credited what was held, or the command line did, which leaves an act and no operator. */
const isCreditedAsRecorded = sql`
  (e.held_id is null or e.decided_by <> e.member_id
    or e.decided_by is null and platform.did_command_line('earning.approve', 'earning', e.held_id::text))`;

/** The movements of a kind whose keys name the transactions of a piece. */
const bookedIn = (
  provider: string,
  from: string,
  until: string | null,
  kind: 'earning' | 'reversal',
): Sql => sql`
  select h.* from ledger.history h
  where h.key >= ${`${provider}:${from}`} and h.key < ${keyAfter(provider, until)} and h.kind = ${kind}`;

/** Earnings that are not as their movements and reversals say, and movements without an earning. */
export const readEarningDifferences = (
  reader: Reader,
  provider: string,
  from: string,
  until: string | null,
) =>
  reader.rows<BooksDifference>(sql`
    with made as (
      select e.* from earning.earnings e
      where e.provider = ${provider} and e.transaction_id >= ${from}
        and (${until}::text is null or e.transaction_id < ${until})
    ), booked as (
      ${bookedIn(provider, from, until, 'earning')}
    ), suspect as (
      select coalesce(e.transaction_id, b.transaction_id) as transaction_id,
        coalesce(b.key, e.provider || ':' || e.transaction_id || ':credit') as key
      from made e full join booked b on b.key = e.provider || ':' || e.transaction_id || ':credit'
      where (e.state = 'credited' and e.left_points = e.points and e.points > 0
        and ${isBookedAsMade} and ${isCreditedAsRecorded}) is not true
    )
    select 'earnings' as "check", ${provider} || ' ' || s.transaction_id as subject,
      coalesce('movement ' || concat_ws(' ', b.member_id, b.amount, b.subject, b.posted_at), 'no movement')
        || ', reversed ' || r.taken as expected,
      coalesce(concat_ws(' ', e.state, e.member_id, e.points, 'left', e.left_points, e.subject, e.created_at),
        'no earning') as actual
    from suspect s
      left join lateral (
        select * from earning.earnings where provider = ${provider} and transaction_id = s.transaction_id) e on true
      left join lateral (select * from ledger.history where key = s.key and kind = 'earning') b on true
      cross join lateral (
        select coalesce(sum(taken_points), 0) as taken from earning.reversals
        where provider = ${provider} and credit_transaction_id = s.transaction_id) r
    where (case e.state
      when 'credited' then e.points > 0 and e.left_points between 0 and e.points
        and r.taken = e.points - e.left_points
        and ${isBookedAsMade} and ${isCreditedAsRecorded}
      when 'held' then b.key is null and e.points > 0 and e.left_points = e.points and e.held_id is not null
        and e.decided_at is null and r.taken = 0
      when 'rejected' then b.key is null and e.points > 0 and e.left_points = 0 and e.held_id is not null
        and e.decided_at is not null and r.taken = 0
      end) is not true
    limit ${DIFFERENCES_MAX}`);

/**
 * Reversals without their movement or, unless an operator booked them, their credit, and movements without a reversal.
 */
export const readReversalDifferences = (
  reader: Reader,
  provider: string,
  from: string,
  until: string | null,
) =>
  reader.rows<BooksDifference>(sql`
    with made as (
      select r.* from earning.reversals r
      where r.provider = ${provider} and r.transaction_id >= ${from}
        and (${until}::text is null or r.transaction_id < ${until})
    ), booked as (
      ${bookedIn(provider, from, until, 'reversal')}
    ), named as (
      select coalesce(r.transaction_id, b.transaction_id) as transaction_id,
        coalesce(b.key, r.provider || ':' || r.transaction_id || ':reversal') as key
      from made r full join booked b on b.key = r.provider || ':' || r.transaction_id || ':reversal'
    )
    select 'reversals' as "check", ${provider} || ' ' || n.transaction_id as subject,
      coalesce('movement ' || concat_ws(' ', b.member_id, b.amount, b.subject, b.posted_at), 'no movement')
        || coalesce(', credit ' || concat_ws(' ', e.member_id, e.state, e.points, 'left', e.left_points), ', no credit')
        as expected,
      coalesce(concat_ws(' ', r.member_id, 'took', r.taken_points, r.reason, r.created_at), 'no reversal') as actual
    from named n
      left join lateral (
        select * from earning.reversals where provider = ${provider} and transaction_id = n.transaction_id) r on true
      left join lateral (select * from ledger.history where key = n.key and kind = 'reversal') b on true
      left join lateral (
        select * from earning.earnings
        where provider = ${provider} and transaction_id = r.credit_transaction_id) e on true
      left join lateral (
        select sum(o.taken_points) as taken from earning.reversals o
        where o.provider = ${provider} and o.credit_transaction_id = r.credit_transaction_id) a on true
    where (r.taken_points >= 0
      and case when r.credit_transaction_id is null then r.request_key is not null and r.taken_points > 0
            else e.member_id = r.member_id
              and a.taken = case e.state when 'credited' then e.points - e.left_points else 0 end end
      and case when r.taken_points = 0 then b.key is null
            else (b.member_id, b.amount, b.subject, b.account)
                = (r.member_id, -r.taken_points, r.reason,
                  case when r.request_key is null then 'provider:' || r.provider else 'operator' end)
              and b.posted_at between r.created_at - interval '1 minute' and r.created_at + interval '1 minute'
            end) is not true
    limit ${DIFFERENCES_MAX}`);

export const readQuarantineEnd = async (reader: Reader, from: bigint) => {
  const row = await reader.row<{ end: bigint }>(sql`
    select id as "end" from earning.quarantine where id >= ${from} order by id offset ${PIECE_ROWS} limit 1`);
  return row?.end ?? null;
};

/** Calls in quarantine that are resolved without an effect, or that wait although what they wait for is there. */
export const readQuarantineDifferences = (reader: Reader, from: bigint, until: bigint | null) =>
  reader.rows<BooksDifference>(sql`
    select 'quarantine' as "check", concat_ws(' ', q.id, q.provider, q.transaction_id) as subject,
      concat_ws(', ', case when e.state is null then 'no credit' else 'credit of ' || e.member_id end,
        case when r.transaction_id is null then 'no reversal' else 'reversal' end) as expected,
      concat_ws(' ', q.kind, q.state, q.member_ref, q.resolved_at) as actual
    from earning.quarantine q
      left join lateral (
        select * from earning.earnings
        where provider = q.provider and transaction_id = q.credit_transaction_id limit 1) e on true
      left join lateral (
        select * from earning.reversals
        where provider = q.provider and transaction_id = q.transaction_id limit 1) r on true
    where q.id >= ${from} and (${until}::bigint is null or q.id < ${until})
      and ((q.state in ('open', 'held')) = (q.resolved_at is null)
        and case
          when q.state = 'booked' and q.kind = 'reversal' then r.transaction_id is not null
          when q.state = 'booked' then e.transaction_id is not null
            and (q.resolved_by <> e.member_id or q.resolved_by is null
              and platform.did_command_line('quarantine.resolve', 'quarantine', q.id::text))
          when q.state = 'open' and q.kind = 'reversal' then e.member_id is null or e.member_id::text <> q.member_ref
          else true end) is not true
    limit ${DIFFERENCES_MAX}`);

export const readWrongApprovalTotals = (reader: Reader) =>
  reader.rows<BooksDifference>(sql`
    select 'approval-totals' as "check", 'the counts of held earnings' as subject,
      concat_ws(' ', 'pending', c.pending, c.points, 'approved', c.approved, 'rejected', c.rejected) as expected,
      concat_ws(' ', 'pending', t.pending_count, t.pending_points, 'approved', t.approved_count, 'rejected',
        t.rejected_count) as actual
    from earning.approval_totals t cross join (
      select count(*) filter (where state = 'held') as pending,
        coalesce(sum(points) filter (where state = 'held'), 0) as points,
        count(*) filter (where state = 'credited') as approved, count(*) filter (where state = 'rejected') as rejected
      from earning.earnings where held_id is not null) c
    where (t.pending_count, t.pending_points, t.approved_count, t.rejected_count)
      is distinct from (c.pending, c.points, c.approved, c.rejected)`);

export const readReversedMembersEnd = async (reader: Reader, from: number): Promise<number | null> => {
  const row = await reader.row<{ end: number }>(sql`
    select member_id as "end" from earning.member_reversals where member_id >= ${from}
    order by member_id offset 1000 limit 1`);
  return row?.end ?? null;
};

/** Members whose sums of reversals differ from their rows. */
export const readReversalSumDifferences = (reader: Reader, from: number, until: number | null) =>
  reader.rows<BooksDifference>(sql`
    select 'reversal-sums' as "check", coalesce(s.member_id, r.member_id)::text as subject,
      concat_ws(' ', coalesce(r.made, 0), 'reversals of', coalesce(r.taken, 0)) as expected,
      concat_ws(' ', coalesce(s.reversal_count, 0), 'reversals of', coalesce(s.taken_points, 0)) as actual
    from (
      select * from earning.member_reversals
      where member_id >= ${from} and (${until}::integer is null or member_id < ${until})
    ) s full join (
      select member_id, count(*) as made, sum(taken_points) as taken from earning.reversals
      where taken_points > 0 and member_id >= ${from} and (${until}::integer is null or member_id < ${until})
      group by member_id
    ) r on r.member_id = s.member_id
    where (s.reversal_count, s.taken_points) is distinct from (r.made, r.taken)
    limit ${DIFFERENCES_MAX}`);
