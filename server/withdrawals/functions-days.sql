-- What was paid on each site day, what each paying account held, and how many payouts are in each state.

-- Keeps what was paid on the site days since the last closed one, at most `days_max` of them. A day is closed a quarter
-- of an hour after its end, when no end of a payment on it is still being written.
create or replace function withdrawals.keep_paid_days(days_max integer) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  moment timestamptz := platform.business_now();
  zone text := (select c.site_timezone from platform.site_clock c);
  today date := platform.day_in(zone, moment);
  last_over date := platform.day_in(zone, moment - interval '15 minutes') - 1;
  first_day date;
  last_day date;
begin
  -- One process at a time: the row is locked until the end.
  select coalesce(e.closed_until + 1,
    (select platform.day_in(zone, min(p.finished_at)) from withdrawals.payouts p where p.state = 'confirmed'), today)
  into first_day from withdrawals.paid_days_end e for no key update of e;
  last_day := least(first_day + keep_paid_days.days_max - 1, today);
  insert into withdrawals.paid_days as d (method, site_day, payout_count, points)
  select p.method, platform.day_in(zone, p.finished_at), count(*), sum(w.amount_points)
  from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
  where p.state = 'confirmed' and p.finished_at >= platform.day_start_in(zone, first_day)
    and p.finished_at < platform.day_start_in(zone, last_day + 1)
  group by p.method, platform.day_in(zone, p.finished_at)
  on conflict (method, site_day) do update set payout_count = excluded.payout_count, points = excluded.points;
  update withdrawals.paid_days_end set closed_until = least(last_day, last_over)
  where closed_until is null or closed_until < least(last_day, last_over);
end
$$;
grant execute on function withdrawals.keep_paid_days(integer) to earnest_app;

-- What waits to be paid by a method, in its currency: what is approved, and what is requested at this rate.
create or replace function withdrawals.needed_of(method text, usd numeric) returns numeric
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce((
      select sum(p.amount_units) / 100000000.0 from withdrawals.payouts p
      where p.method = needed_of.method and p.state in ('queued', 'signed', 'parked')), 0)
    + coalesce((
      select sum(w.amount_points - w.fee_points) / 1000.0 / needed_of.usd from withdrawals.withdrawals w
      where w.method = needed_of.method and w.state = 'pending'), 0)
$$;
grant execute on function withdrawals.needed_of(text, numeric) to earnest_app;

drop function if exists withdrawals.keep_balance_day(text, numeric, numeric);
-- Keeps what the paying account of a method held at a look, and where it is filled up. The days since the last look, on
-- which the site was down, take its row.
create or replace function withdrawals.keep_balance_day(
  method text, balance numeric, usd numeric, top_up_destination text
) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  moment timestamptz := platform.business_now();
  today date := platform.site_day(moment);
  needed numeric := withdrawals.needed_of(keep_balance_day.method, keep_balance_day.usd);
  former withdrawals.balance_days;
begin
  select d.* into former from withdrawals.balance_days d
  where d.method = keep_balance_day.method and d.site_day <= today order by d.site_day desc limit 1;
  insert into withdrawals.balance_days (method, site_day, balance, usd, needed, short_since, noted_at)
  select former.method, day::date, former.balance, former.usd, former.needed, former.short_since, former.noted_at
  from generate_series((former.site_day + 1)::timestamp, (today - 1)::timestamp, interval '1 day') day
  on conflict do nothing;
  insert into withdrawals.balance_days
    (method, site_day, balance, usd, needed, short_since, noted_at, top_up_destination)
  values (keep_balance_day.method, today, keep_balance_day.balance, keep_balance_day.usd, needed,
    case when keep_balance_day.balance < needed then coalesce(former.short_since, moment) end, moment,
    keep_balance_day.top_up_destination)
  on conflict (method, site_day) do update
  set balance = excluded.balance, usd = excluded.usd, needed = excluded.needed, short_since = excluded.short_since,
    noted_at = excluded.noted_at, top_up_destination = excluded.top_up_destination;
end
$$;
grant execute on function withdrawals.keep_balance_day(text, numeric, numeric, text) to earnest_app;

-- Adds the changes of payouts' states to the kept sums. A call beside another one adds only what that one left.
create or replace function withdrawals.keep_payout_sums() returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with moved as (
    delete from withdrawals.payout_changes returning method, state, payout_count, points
  ), added as (
    select m.method, m.state, sum(m.payout_count)::bigint as payout_count, sum(m.points) as points
    from moved m group by m.method, m.state)
  insert into withdrawals.payout_sums as s (method, state, payout_count, points)
  select a.method, a.state, a.payout_count, a.points from added a order by a.method, a.state
  on conflict (method, state) do update
  set payout_count = s.payout_count + excluded.payout_count, points = s.points + excluded.points
$$;
grant execute on function withdrawals.keep_payout_sums() to earnest_app;

-- The number of payouts in each state, and their points, by method: the kept sums and what is not in them yet.
create or replace view withdrawals.payout_totals as
  select t.method, t.state, sum(t.payout_count)::bigint as payout_count, sum(t.points) as points
  from (
    select method, state, payout_count, points from withdrawals.payout_sums
    union all select method, state, payout_count, points from withdrawals.payout_changes) t
  group by t.method, t.state having sum(t.payout_count) <> 0 or sum(t.points) <> 0;
grant select on withdrawals.payout_totals to earnest_app;
