-- Sums that are derived from the movements: house accounts by day, the trial balance, and rebuilt wallets.

-- The points that each house account gave to members, by day and kind: the stored sums plus the newest movements.
create or replace function ledger.account_sums()
  returns table (account text, site_day date, kind text, movement_count numeric, amount numeric)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
as $$
#variable_conflict use_column
declare
  tail_start timestamptz := (select closed_until from ledger.account_days_end);
begin
  return query
  select s.account, s.site_day, s.kind, sum(s.movement_count), sum(s.amount)
  from (
    select d.account, d.site_day, d.kind, d.movement_count, d.amount from ledger.account_days d
    union all
    select m.account, m.site_day, m.kind, count(*), sum(m.amount) from ledger.movements m
    where m.posted_at >= tail_start group by m.account, m.site_day, m.kind
  ) s
  group by s.account, s.site_day, s.kind;
end
$$;
grant execute on function ledger.account_sums() to earnest_app;

-- The end of the stored sums, and those of one kind of movements by day.
create or replace function ledger.sums_closed_until() returns timestamptz
  language sql stable
as $$ select e.closed_until from ledger.account_days_end e $$;
create or replace function ledger.closed_sums(kind text)
  returns table (site_day date, movement_count numeric, amount numeric)
  language sql stable
as $$
  select d.site_day, sum(d.movement_count), sum(d.amount) from ledger.account_days d
  where d.kind = closed_sums.kind group by d.site_day
$$;
grant execute on function ledger.sums_closed_until(), ledger.closed_sums(text) to earnest_app;

-- Adds everything up, all of one snapshot: the balance of each house account, and of all members together as `members`;
-- what each provider gave by the month of the site day; the members whose balance is below zero, and what is missing to
-- zero. The balances add up to zero.
create or replace function ledger.add_up(
  out accounts jsonb, out receivables jsonb, out debtor_count bigint, out debt_points numeric
)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  with members as (
    select coalesce(sum(balance), 0) as balance, count(*) filter (where balance < 0) as debtor_count,
      coalesce(-sum(balance) filter (where balance < 0), 0) as debt_points
    from ledger.wallets
  ), sums as materialized (
    select account, site_day, kind, amount from ledger.account_sums()
  ), accounts as (
    select 'members' as account, balance from members
    union all
    select account, -sum(amount) from sums group by account
  ), receivables as (
    select account,
      coalesce(sum(amount) filter (where site_day >= date_trunc('month', today)), 0) as this_month,
      coalesce(sum(amount) filter (where site_day < date_trunc('month', today)
        and site_day >= date_trunc('month', today) - interval '1 month'), 0) as last_month,
      coalesce(sum(amount) filter (where site_day < date_trunc('month', today) - interval '1 month'), 0) as earlier,
      max(site_day) as last_day
    from sums cross join (select platform.site_day(platform.business_now()) as today) moment
    group by account having bool_or(kind = 'earning')
  )
  select
    (select jsonb_agg(jsonb_build_object('account', account, 'balance', balance::text) order by account) from accounts),
    (select coalesce(jsonb_agg(jsonb_build_object('account', account, 'thisMonth', this_month::text,
      'lastMonth', last_month::text, 'earlier', earlier::text, 'lastDay', last_day::text) order by account), '[]')
      from receivables),
    m.debtor_count, m.debt_points
  from members m
$$;

-- The balance of each house account, and of all members together as `members`.
create or replace function ledger.trial_balance() returns table (account text, balance numeric)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select a.account, a.balance
  from ledger.add_up() u cross join jsonb_to_recordset(u.accounts) as a (account text, balance numeric)
$$;
grant execute on function ledger.trial_balance() to earnest_app;

-- Keeps the trial balance of this moment, unless one of the last `seconds_min` seconds is kept. A row of a later time
-- than now, which a wrong clock wrote, is replaced.
create or replace function ledger.keep_trial_balance(seconds_min integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  moment timestamptz := platform.business_now();
begin
  if exists (
    select from ledger.trial_balances k
    where k.taken_at > moment - keep_trial_balance.seconds_min * interval '1 second' and k.taken_at <= moment) then
    return;
  end if;
  insert into ledger.trial_balances as b (taken_at, accounts, receivables, debtor_count, debt_points)
  select moment, u.accounts, u.receivables, u.debtor_count, u.debt_points from ledger.add_up() u
  on conflict (is_only_row) do update
  set taken_at = excluded.taken_at, accounts = excluded.accounts, receivables = excluded.receivables,
    debtor_count = excluded.debtor_count, debt_points = excluded.debt_points;
end
$$;
grant execute on function ledger.keep_trial_balance(integer) to earnest_app;

-- The hash of all columns of a movement.
create or replace function ledger.digest_of(m ledger.movements) returns bigint
  language sql immutable
  return hash_record_extended(row(m.member_id, m.seq, m.key, m.kind, m.amount, m.balance_after, m.earned_delta,
    m.task_delta, m.account, m.subject, m.provider, m.transaction_id, m.site_day, m.posted_at), 0);

-- Adds old movements to the stored sums and returns their number. The margin is longer than any statement may last, so
-- no running statement can still write a movement before the new end. The end passes neither this server's clock nor
-- the caller's, because later movements would be left out of all sums if one clock was ahead.
create or replace function ledger.close_account_days(callers_now timestamptz) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_custom_plan
as $$
declare
  margin constant interval := interval '15 minutes';
  start timestamptz;
  until timestamptz := (
    select platform.business_time(offset_seconds) - greatest(clock_timestamp() - callers_now, interval '0')
    from platform.site_clock) - margin;
  taken bigint;
begin
  select closed_until into start from ledger.account_days_end for no key update;
  if until <= start or exists (select from platform.site_clock where advanced_at > clock_timestamp() - margin) then
    return 0;
  end if;
  with sums as (
    select account, site_day, kind, count(*) as movement_count, sum(amount) as amount,
      sum(ledger.digest_of(m)) as digest
    from ledger.movements m where posted_at >= start and posted_at < until group by account, site_day, kind
  ), added as (
    insert into ledger.account_days as d (account, site_day, kind, movement_count, amount, digest)
    select account, site_day, kind, movement_count, amount, digest from sums
    on conflict (account, site_day, kind) do update
    set movement_count = d.movement_count + excluded.movement_count, amount = d.amount + excluded.amount,
      digest = d.digest + excluded.digest
  )
  select coalesce(sum(movement_count), 0) into taken from sums;
  update ledger.account_days_end set closed_until = until;
  return taken;
end
$$;
grant execute on function ledger.close_account_days(timestamptz) to earnest_app;

-- Makes the stored sums anew from all movements. Only the owner may call it.
create or replace function ledger.rebuild_account_days(callers_now timestamptz) returns bigint
  language plpgsql
as $$
begin
  perform from ledger.account_days_end for no key update;
  delete from ledger.account_days;
  update ledger.account_days_end set closed_until = '-infinity';
  return ledger.close_account_days(callers_now);
end
$$;

-- Rebuilds wallets from their movements after an import of movements. Null means all members. Wallets without a
-- movement stay as they are. Only the owner may call it.
create or replace function ledger.rebuild_wallets(member_ids integer[]) returns void
  language sql
as $$
  with latest as (
    select member_id, coalesce(max(site_day) filter (where earned_delta > 0), max(site_day)) as today
    from ledger.movements where member_ids is null or member_id = any (member_ids) group by member_id
  )
  insert into ledger.wallets as w (member_id, balance, movement_count, earned_total, tasks_completed, today, day_sums)
  select m.member_id, sum(m.amount), count(*), sum(m.earned_delta), sum(m.task_delta), l.today, array[
      coalesce(sum(m.earned_delta) filter (where m.site_day = l.today), 0),
      coalesce(sum(m.earned_delta) filter (where m.site_day = l.today - 1), 0),
      coalesce(sum(m.earned_delta) filter (where m.site_day = l.today - 2), 0),
      coalesce(sum(m.earned_delta) filter (where m.site_day = l.today - 3), 0),
      coalesce(sum(m.earned_delta) filter (where m.site_day = l.today - 4), 0),
      coalesce(sum(m.earned_delta) filter (where m.site_day = l.today - 5), 0),
      coalesce(sum(m.earned_delta) filter (where m.site_day = l.today - 6), 0),
      coalesce(sum(m.earned_delta) filter (where m.site_day = l.today - 7), 0)]::bigint[]
  from latest l join ledger.movements m on m.member_id = l.member_id
  group by m.member_id, l.today
  on conflict (member_id) do update
  set balance = excluded.balance, movement_count = excluded.movement_count, earned_total = excluded.earned_total,
    tasks_completed = excluded.tasks_completed, today = excluded.today, day_sums = excluded.day_sums
$$;
