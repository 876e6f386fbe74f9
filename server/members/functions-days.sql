-- The members of each site day.

-- The last day that can be closed: the day before the one that began a quarter of an hour ago. A sign-up that was still
-- being written at midnight is committed by then.
create or replace function members.last_over_day() returns date
  language sql stable
  return (
    select platform.day_in(c.site_timezone, platform.business_now() - interval '15 minutes') - 1
    from platform.site_clock c);
grant execute on function members.last_over_day() to earnest_app;

-- Keeps one site day. Sign-ups are counted by their times. Active members can't be counted later, because each row has
-- only the last sign-in: today's are those of the last count of members, and a day keeps what was last counted on it.
-- Of a day that was never counted, because the site was down, they are those who had joined by its end and signed in
-- after the 30th day before it.
create or replace function members.keep_day(day date) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  moment timestamptz := platform.business_now();
  begins_at timestamptz;
  ends_at timestamptz;
  counted record;
  is_over boolean := keep_day.day <= members.last_over_day();
begin
  select platform.day_start_in(c.site_timezone, keep_day.day),
    platform.day_start_in(c.site_timezone, keep_day.day + 1)
  into begins_at, ends_at from platform.site_clock c;
  select c.site_day, c.active_count into counted from members.counts c;
  if counted.site_day is distinct from keep_day.day then
    select null, d.active_count into counted from members.days d where d.site_day = keep_day.day;
  end if;
  if counted.active_count is null then
    select null, count(*) as active_count into counted from members.members m
    where m.last_sign_in_at > least(ends_at, moment) - interval '30 days' and m.created_at < ends_at
      and m.deleted_at is null and m.role <> 'banned';
  end if;
  insert into members.days as d (site_day, joined_count, active_count, is_closed)
  select keep_day.day, count(*), counted.active_count, is_over from members.members m
  where m.created_at >= begins_at and m.created_at < ends_at
  on conflict (site_day) do update
  set joined_count = excluded.joined_count, active_count = excluded.active_count, is_closed = excluded.is_closed
  where not d.is_closed;
end
$$;
grant execute on function members.keep_day(date) to earnest_app;

-- The site days to keep, the oldest first: those since the last closed one, at most `days_max` before today, and today.
create or replace function members.days_to_keep(days_max integer) returns setof date
  language sql stable
as $$
  select day::date
  from (select platform.site_day(platform.business_now()) as today) t
    cross join lateral generate_series(
      greatest(t.today - days_to_keep.days_max, coalesce(
        (select max(d.site_day) + 1 from members.days d where d.is_closed),
        (select platform.site_day(min(m.created_at)) from members.members m), t.today))::timestamp,
      t.today::timestamp, interval '1 day') day
$$;
grant execute on function members.days_to_keep(integer) to earnest_app;
