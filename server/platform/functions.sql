-- The platform's functions and views for the SQL of all features.
--
-- Open to others: business_now, believed_now, business_time, day_in, day_start_in, day_range_in, site_day, site_clock,
-- held_leases, holds_lease, are_payouts_paused, bonus_schedule, did_command_line, was_left_as, targets_of_command_line,
-- recorded_acts.

-- The values that turn real time into business time. Hot functions read them once and call business_time and day_in,
-- which are inlined. platform.site_day(platform.business_now()) costs as much as the rest of such a function.
-- Open views select from a subquery, because PostgreSQL lets nobody write through such a view, not even its owner. The
-- planner removes the subquery, so a read has the same plan as one of the table.
create or replace view platform.site_clock as
  select c.* from (select offset_seconds, site_timezone, advanced_at from platform.clock) c;
grant select on platform.site_clock to earnest_app;

-- Whether an operator paused all payouts: the setting `payoutsPaused`, which is off by default in every mode.
create or replace function platform.are_payouts_paused() returns boolean
  language sql stable
  return coalesce(
    (select (s.value ->> 'payoutsPaused')::boolean from platform.settings s where s.key = 'site'), false);
grant execute on function platform.are_payouts_paused() to earnest_app;

-- The points of the daily bonus for the first, second, … day in a row: the setting `bonusSchedule`, else its default of
-- settings.ts. The last entry applies to every later day.
create or replace function platform.bonus_schedule() returns bigint[]
  language sql stable
  return coalesce(
    (select array_agg(d.points::bigint order by d.day)
     from platform.settings s, jsonb_array_elements_text(s.value -> 'bonusSchedule') with ordinality as d (points, day)
     where s.key = 'site'),
    '{5,10,15,20,25,30,50}');
grant execute on function platform.bonus_schedule() to earnest_app;

-- Whether the command line did an act to a target. What it decided has no operator, and the audit trail proves who did.
-- The columns are looked up when it is called, because a schema of a former release has no actors.
create or replace function platform.did_command_line(act text, target_kind text, target text) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from platform.acts a
    where a.target = did_command_line.target and a.target_kind = did_command_line.target_kind
      and a.act = did_command_line.act and a.actor = 'command-line');
end
$$;
grant execute on function platform.did_command_line(text, text, text) to earnest_app;

-- Whether the trail has an act to a target that left it with all of this.
create or replace function platform.was_left_as(act text, target_kind text, target text, after jsonb) returns boolean
  language plpgsql stable set search_path = pg_catalog, pg_temp
as $$
begin
  return exists (
    select from platform.acts a
    where a.target = was_left_as.target and a.target_kind = was_left_as.target_kind and a.act = was_left_as.act
      and a.after @> was_left_as.after);
end
$$;
grant execute on function platform.was_left_as(text, text, text, jsonb) to earnest_app;

-- What the command line did an act to in a time. A decision of it is counted by its act, because its row names nobody.
create or replace function platform.targets_of_command_line(act text, during tstzrange) returns setof text
  language plpgsql stable rows 100 set search_path = pg_catalog, pg_temp
as $$
begin
  return query
    select a.target from platform.acts a
    where a.actor = 'command-line' and a.act = targets_of_command_line.act
      and a.at >= lower(targets_of_command_line.during) and a.at < upper(targets_of_command_line.during);
end
$$;

-- The acts of the audit trail, for the audits of features: what an operator decided is held against them.
create or replace view platform.recorded_acts as
  select a.* from (select id, at, operator_id, act, target, after from platform.acts) a;
grant select on platform.recorded_acts to earnest_app;

-- The first instant of a day in a time zone. Where a change of the clock repeats midnight (from 01:00 back to 00:00, as
-- in Havana), PostgreSQL takes the second one, so the day begins an hour before. No zone repeats midnight by another
-- time than an hour. Where midnight is missing (from 00:00 to 01:00, as in Beirut), the day begins with the change.
-- Inlined like day_in.
create or replace function platform.day_start_in(site_timezone text, day date) returns timestamptz
  language sql stable
  return (day::timestamp at time zone site_timezone) - case
    when platform.day_in(site_timezone, (day::timestamp at time zone site_timezone) - interval '1 hour') = day
    then interval '1 hour' else interval '0' end;
grant execute on function platform.day_start_in(text, date) to earnest_app;

-- The instants of the day of a moment in a time zone: from the first up to, and not including, the first of the next
-- day. Limits of a day count what lies in it. A stored day would be another one after a change of the site's zone, and
-- the count would begin again. Inlined like day_in.
create or replace function platform.day_range_in(site_timezone text, moment timestamptz) returns tstzrange
  language sql stable
  return tstzrange(platform.day_start_in(site_timezone, platform.day_in(site_timezone, moment)),
    platform.day_start_in(site_timezone, platform.day_in(site_timezone, moment) + 1));
grant execute on function platform.day_range_in(text, timestamptz) to earnest_app;

-- Moves business time forward, in a sandbox only. The owner sets the mode when the program starts, so the application
-- cannot turn a live site into a sandbox first.
create or replace function platform.advance_clock(seconds bigint) returns timestamptz
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if seconds is null or seconds < 0 then
    raise exception 'business time only moves forward' using errcode = '22023';
  end if;
  update platform.clock set offset_seconds = offset_seconds + seconds, advanced_at = clock_timestamp()
  where mode = 'sandbox';
  if not found then
    raise exception 'business time moves by itself in live mode' using errcode = '42501';
  end if;
  return platform.business_now();
end
$$;
grant execute on function platform.advance_clock(bigint) to earnest_app;

-- The leases that processes hold now, for operators' views.
create or replace view platform.held_leases as
  select l.* from (
    select name, holder, taken_at from platform.leases where platform.is_lease_held(expires_at)) l;
grant select on platform.held_leases to earnest_app;
grant execute on function platform.is_lease_ahead(timestamptz), platform.is_lease_held(timestamptz) to earnest_app;

-- Whether this token still holds the lease; `leases.ts` makes the condition of it. Locks the lease until the end of the
-- transaction, so that no other process can take it before the caller's writes are committed.
create or replace function platform.holds_lease(lease_name text, lease_token bigint) returns boolean
  language plpgsql
as $$
begin
  perform from platform.leases
  where name = lease_name and token = lease_token and platform.is_lease_held(expires_at)
  for share;
  return found;
end
$$;
grant execute on function platform.holds_lease(text, bigint) to earnest_app;
grant select, insert, update on platform.leases to earnest_app;

-- Chains rows of the audit trail behind the end that the caller has read, with the hashes that it calculated. Returns
-- false, and changes nothing, if another process has moved the end. No function changes a row that is chained.
-- A program of a former release does not name the form of its hashes. It chains no row with columns that it does not
-- know; a node of this release does.
-- A node notes the new end outside the database. So it is on the disk with the commit, and all acts before it are, also
-- where the server is set to answer before that.
drop function if exists platform.chain_acts(bigint, text, bigint[], text[]);
create or replace function platform.chain_acts(
    end_number bigint, end_hash text, ids bigint[], hashes text[], form integer default 1)
  returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  chained_count bigint;
begin
  if form = 1 and exists (select from platform.acts a where a.id = any (ids) and a.actor is not null) then
    return false;
  end if;
  if current_setting('synchronous_commit') = 'off' then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  update platform.acts_chain_end
  set number = end_number + cardinality(ids), hash = hashes[cardinality(ids)]
  where number = end_number and hash = end_hash;
  if not found then
    return false;
  end if;
  update platform.acts a set chain_number = end_number + l.place, chain_hash = l.hash
  from unnest(ids, hashes) with ordinality l (id, hash, place)
  where a.id = l.id and a.chain_number is null;
  get diagnostics chained_count = row_count;
  if chained_count <> cardinality(ids) then
    raise exception 'only rows that are not chained yet can be chained' using errcode = '22023';
  end if;
  return true;
end
$$;
grant execute on function platform.chain_acts(bigint, text, bigint[], text[], integer) to earnest_app;

-- The newest acts on a target, by its index. A look at a payout changes nothing, and anybody can add many, so looks are
-- neither read nor returned. The plan is made at each call, because one of an empty trail would read
-- the whole trail later.
create or replace function platform.acts_on(target_kind text, target text, rows_max integer)
  returns table (at timestamptz, actor text, operator_id integer, act text, reason text)
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
begin
  return query
  with found as materialized (
    select a.id, a.at, a.actor, a.operator_id, a.act, a.reason from platform.acts a
    where a.target = acts_on.target and coalesce(a.target_kind, acts_on.target_kind) = acts_on.target_kind
      and a.act <> 'payout.check')
  select f.at, f.actor, f.operator_id, f.act, f.reason from found f order by f.id desc limit acts_on.rows_max;
end
$$;
grant execute on function platform.acts_on(text, text, integer) to earnest_app;
