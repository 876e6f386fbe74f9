-- The daily bonus. Only these functions decide a day's points, for reading and for claiming.
--
-- Open to others: none.

-- A member's bonus on the site day of a moment. The latest claim is of this day if its instant lies in it, because the
-- day of an instant changes with the site's time zone. It may also be of a later day; then this day counts as claimed.
create or replace function bonus.standing(
  member_id integer, moment timestamptz,
  out consecutive_days integer, out is_claimed boolean, out amount bigint, out schedule bigint[]
)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select d.days, d.is_claimed,
    case when d.is_claimed then s.last_points
         else settings.schedule[least(d.days + 1, cardinality(settings.schedule))] end,
    settings.schedule
  from (select platform.bonus_schedule() as schedule) settings
    left join bonus.streaks s on s.member_id = standing.member_id
    cross join lateral (
      select platform.day_in(c.site_timezone, standing.moment) as today,
        lower(platform.day_range_in(c.site_timezone, standing.moment)) as today_start,
        platform.day_start_in(c.site_timezone, platform.day_in(c.site_timezone, standing.moment) - 1)
          as yesterday_start
      from platform.site_clock c) t
    cross join lateral (
      select coalesce(s.last_day >= t.today or s.claimed_at >= t.today_start, false) as is_claimed,
        case when s.last_day >= t.today - 1 or s.claimed_at >= t.yesterday_start then s.day_count else 0 end as days
    ) d
$$;
grant execute on function bonus.standing(integer, timestamptz) to earnest_app;

-- Posts today's bonus once. The lock on the wallet serialises a member's claims. The day is read after the lock, so it
-- is also the day of the movement. Only at midnight may the ledger date the movement a day later. The movement's key
-- names the claimed day.
-- Returns: claimed, exists (this request's claim, as it was), already_claimed, closed, unknown_member.
create or replace function bonus.claim(
  member_id integer, request_key text,
  out status text, out points bigint, out consecutive_days integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  claimed_at timestamptz;
  today date;
  standing record;
  posting record;
begin
  perform ledger.lock_wallets(array[claim.member_id]);
  if claim.request_key is not null then
    select 'exists', s.last_points, s.day_count into status, points, consecutive_days
    from bonus.streaks s where s.member_id = claim.member_id and s.request_key = claim.request_key;
    if found then
      return;
    end if;
  end if;

  claimed_at := platform.business_now();
  today := platform.site_day(claimed_at);
  select * into standing from bonus.standing(claim.member_id, claimed_at);
  if standing.is_claimed then
    status := 'already_claimed';
    return;
  end if;

  points := standing.amount;
  consecutive_days := standing.consecutive_days + 1;
  select * into posting from ledger.post_one(claim.member_id, 'bonus:' || claim.member_id || ':' || today, 'bonus',
    points, 'bonus', consecutive_days::text, null, null, false);
  balance := posting.balance;
  if posting.status <> 'posted' then
    status := posting.status;
    return;
  end if;
  status := 'claimed';
  insert into bonus.streaks as s (member_id, last_day, claimed_at, day_count, last_points, request_key)
  values (claim.member_id, today, claimed_at, claim.consecutive_days, claim.points, claim.request_key)
  on conflict (member_id) do update
  set last_day = excluded.last_day, claimed_at = excluded.claimed_at, day_count = excluded.day_count,
      last_points = excluded.last_points, request_key = excluded.request_key;
end
$$;
grant execute on function bonus.claim(integer, text) to earnest_app;
