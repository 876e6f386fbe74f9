-- Where the points of a member came from.

-- The newest credits of a member by kind and provider, at most `credits_max` of the last `movements_max` movements.
-- `taken_points` is what reversals have taken of these same credits. Prizes of the coin flip are counted less the
-- stakes since the first of these. A returned withdrawal is no credit. `since` is the time of the oldest of them, and
-- `credit_count` their number. `is_whole` says that the member never got another one. No row for a member without a
-- credit.
create or replace function earning.sources_of(member_id integer, credits_max integer, movements_max integer)
  returns table (kind text, provider text, points numeric, taken_points numeric, credit_count bigint,
    since timestamptz, is_whole boolean)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
  set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
begin
  return query
  with newest as materialized (
    select m.seq, m.kind, m.amount, m.provider, m.transaction_id, m.posted_at
    from ledger.newest_movements(sources_of.member_id, sources_of.movements_max) m
  ), credits as materialized (
    select n.* from newest n
    where n.amount > 0 and n.kind not in ('withdrawal-return', 'reversal')
    order by n.seq desc limit sources_of.credits_max
  ), parts as (
    select c.kind, case when c.kind = 'earning' then c.provider end as provider, c.amount,
      case when c.kind = 'earning' then (
        select e.points - e.left_points from earning.earnings e
        where e.provider = c.provider and e.transaction_id = c.transaction_id) end as taken_points, 1 as credits,
      c.posted_at
    from credits c
    union all
    select 'coinflip-prize', null, n.amount, null, 0, null
    from newest n
    where n.kind = 'coinflip-stake' and n.seq > (select min(c.seq) from credits c)
  )
  select p.kind, p.provider, sum(p.amount), coalesce(sum(p.taken_points), 0), sum(p.credits), min(p.posted_at),
    (select min(n.seq) from newest n) = 1 and (select count(*) from credits) < sources_of.credits_max
  from parts p
  group by p.kind, p.provider having sum(p.credits) > 0
  order by 3 desc, 1, 2;
end
$$;
grant execute on function earning.sources_of(integer, integer, integer) to earnest_app;
