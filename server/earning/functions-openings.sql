-- What became of the walls that a member opened, for other features.

-- What providers told of a member since an instant: `state` is credited, pending or rejected, the last two by operators
-- or the provider. It looks at the newest 20,000 movements of the member, of which the newest 500 credits since then,
-- and at the newest 500 credits that were ever held.
create or replace function earning.told_of(member_id integer, since timestamptz)
  returns table (provider text, created_at timestamptz, state text, review_note text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with booked as materialized (
    -- A credit is posted when it was created or later. The minute is for a clock that was read twice.
    select n.provider, n.transaction_id from (
      select h.seq, h.kind, h.posted_at, h.provider, h.transaction_id from ledger.history h
      where h.member_id = told_of.member_id order by h.seq desc limit 20000) n
    where n.kind = 'earning' and n.posted_at >= told_of.since - interval '1 minute'
    order by n.seq desc limit 500
  )
  -- One lookup per row, because a plan that reads the whole table looks cheap while a site is small, and would stay.
  select e.provider, e.created_at, 'credited', null
  from booked b cross join lateral (
    select f.provider, f.created_at from earning.earnings f
    where f.provider = b.provider and f.transaction_id = b.transaction_id limit 1) e
  where e.created_at >= told_of.since
  union all
  select w.provider, w.created_at, case w.state when 'held' then 'pending' else 'rejected' end, w.review_note from (
    select h.provider, h.created_at, h.state, h.review_note from earning.earnings h
    where h.member_id = told_of.member_id and h.held_id is not null order by h.held_id desc limit 500) w
  where w.state in ('held', 'rejected') and w.created_at >= told_of.since
$$;
grant execute on function earning.told_of(integer, timestamptz) to earnest_app;

-- The openings of a member since an instant, or the one with this id, newest first, at most 50. `state` is credited,
-- pending or rejected where the provider called between this opening of its wall and the next one; otherwise it is
-- opened. What was told is bounded as in told_of.
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
  ), told as materialized (
    select t.provider, t.created_at, t.state from earning.told_of(openings_of.member_id, openings_of.since) t
  )
  select o.id, o.provider, o.opened_at, coalesce((
    -- The order of the alphabet is that of importance: credited, pending, rejected.
    select min(t.state) from told t
    where t.provider = o.provider and t.created_at >= o.opened_at
      and (o.next_at is null or t.created_at < o.next_at)), 'opened')
  from opened o order by o.id desc
$$;
grant execute on function earning.openings_of(integer, bigint, timestamptz) to earnest_app;

-- From where a member opened a wall; null where it is not known any more.
create or replace function earning.opened_from(
    member_id integer, opening_id bigint, out user_agent text, out address text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select o.user_agent, host(o.address) from earning.openings o
  where o.id = opened_from.opening_id and o.member_id = opened_from.member_id
$$;
grant execute on function earning.opened_from(integer, bigint) to earnest_app;

-- Removes from where a deleted account opened walls, when it is due for anonymising.
create or replace function earning.forget_openings(member_id integer) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update earning.openings o set user_agent = null, address = null
  where o.member_id = forget_openings.member_id and o.user_agent is not null
    and members.email_to_anonymise(forget_openings.member_id) is not null
$$;
revoke all on function earning.forget_openings(integer) from public;
grant execute on function earning.forget_openings(integer) to earnest_app;

-- Removes from where walls were opened more than 90 days ago, oldest first. Returns of how many, at most `rows_max`.
create or replace function earning.remove_old_devices(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  removed bigint;
begin
  update earning.openings o set user_agent = null, address = null
  where o.id in (
    select n.id from earning.openings n
    where n.user_agent is not null and n.opened_at < platform.business_now() - interval '90 days'
    order by n.opened_at limit remove_old_devices.rows_max);
  get diagnostics removed = row_count;
  return removed;
end
$$;
revoke all on function earning.remove_old_devices(integer) from public;
grant execute on function earning.remove_old_devices(integer) to earnest_app;
