-- What reversals say of a member.

-- The newest reversals and chargebacks that took points from a member since a moment.
create or replace function earning.reversals_since(member_id integer, moment timestamptz, rows_max integer)
  returns table (provider text, reason_class text, taken_points bigint, created_at timestamptz)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set enable_seqscan = off
as $$
begin
  return query
  select r.provider::text, r.reason_class, r.taken_points, r.created_at
  from earning.reversals r
  where r.member_id = reversals_since.member_id and r.taken_points > 0
    and r.created_at >= reversals_since.moment
  order by r.created_at desc limit reversals_since.rows_max;
end
$$;
grant execute on function earning.reversals_since(integer, timestamptz, integer) to earnest_app;

-- Whether there is one.
create or replace function earning.was_reversed_since(member_id integer, moment timestamptz) returns boolean
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from earning.reversals_since(was_reversed_since.member_id, was_reversed_since.moment, 1));
end
$$;
grant execute on function earning.was_reversed_since(integer, timestamptz) to earnest_app;
