-- Moves business time forward, for the sandbox. The mode is set by the owner when the program starts, so the
-- application cannot make a live site a sandbox first.
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
