-- What became of the walls that a member opened, for other features.

-- The openings of a member since an instant, or the one with this id, newest first, at most 50. `state` is credited or
-- pending where the provider called between this opening of its wall and the next one; otherwise it is opened. It looks
-- at the newest 500 movements of the member and the newest 50 credits that were ever held.
create or replace function earning.openings_of(member_id integer, opening_id bigint, since timestamptz)
  returns table (id bigint, provider text, opened_at timestamptz, state text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with opened as (
    select o.id, o.provider, o.opened_at, (
      select min(n.opened_at) from earning.openings n
      where n.member_id = o.member_id and n.provider = o.provider and n.opened_at > o.opened_at) as next_at
    from earning.openings o
    where o.member_id = openings_of.member_id and o.opened_at >= openings_of.since
      and (openings_of.opening_id is null or o.id = openings_of.opening_id)
    order by o.id desc limit 50
  ), booked as materialized (
    select h.kind, h.provider, h.transaction_id from ledger.history h
    where h.member_id = openings_of.member_id order by h.seq desc limit 500
  ), told as materialized (
    -- One lookup per row, because a plan that reads the whole table looks cheap while a site is small, and would stay.
    select e.provider, e.created_at, 'credited' as state
    from booked b cross join lateral (
      select f.provider, f.created_at from earning.earnings f
      where f.provider = b.provider and f.transaction_id = b.transaction_id limit 1) e
    where b.kind = 'earning'
    union all
    select w.provider, w.created_at, 'pending' from (
      select h.provider, h.created_at, h.state from earning.earnings h
      where h.member_id = openings_of.member_id and h.held_id is not null order by h.held_id desc limit 50) w
    where w.state = 'held'
  )
  select o.id, o.provider, o.opened_at, coalesce((
    -- Credited comes before pending in the alphabet.
    select min(t.state) from told t
    where t.provider = o.provider and t.created_at >= o.opened_at
      and (o.next_at is null or t.created_at < o.next_at)), 'opened')
  from opened o order by o.id desc
$$;
grant execute on function earning.openings_of(integer, bigint, timestamptz) to earnest_app;
