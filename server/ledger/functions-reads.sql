-- The wallets of members, as they ask for them: balance, totals, what was earned on this site day, the number of the
-- newest movement. A day that is not among the wallet's eight has no sum: it lies before them, or nothing was earned
-- since. A function, because the plan of a statement that takes an array is made anew each time and costs more than
-- the reading.
create or replace function ledger.read_wallets(member_ids integer[])
  returns table (member_id integer, balance bigint, earned_total bigint, tasks_completed integer,
    earned_today bigint, movement_count bigint)
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  site_day date;
begin
  -- Worked out here, because platform.site_day(platform.business_now()) costs as much as the rest.
  select (clock_timestamp() + c.offset_seconds * interval '1 second') at time zone c.site_timezone into site_day
  from platform.clock c;
  return query
  select w.member_id, w.balance, w.earned_total, w.tasks_completed,
    coalesce(w.day_sums[1 + w.today - site_day], 0), w.movement_count
  from ledger.wallets w where w.member_id = any (member_ids);
end
$$;
grant execute on function ledger.read_wallets(integer[]) to earnest_app;
