-- The platform's functions and views for the SQL of all features.
--
-- Open to others: business_now, believed_now, business_time, day_in, day_range_in, site_day, site_clock, held_leases,
-- holds_lease, are_payouts_paused, did_command_line.

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

-- The instants of the day of a moment in a time zone: from the first up to, and not including, the first of the next
-- day. Limits of a day count what lies in it. A stored day would be another one after a change of the site's zone, and
-- the count would begin again. Inlined like day_in.
create or replace function platform.day_range_in(site_timezone text, moment timestamptz) returns tstzrange
  language sql stable
  return tstzrange(platform.day_in(site_timezone, moment)::timestamp at time zone site_timezone,
    (platform.day_in(site_timezone, moment) + 1)::timestamp at time zone site_timezone);
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
