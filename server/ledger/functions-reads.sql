-- Reads of the ledger.

-- The columns of a wallet that other features may read. Nobody writes through it (see platform/functions.sql).
create or replace view ledger.wallet_totals as
  select w.* from (select member_id, balance, earned_total, tasks_completed, is_closed from ledger.wallets) w;
grant select on ledger.wallet_totals to earnest_app;

-- The columns of a movement that other features may read. Nobody writes through it either.
create or replace view ledger.history as
  select m.* from (
    select member_id, seq, key, kind, amount, subject, kind = 'earning' and task_delta = 0 as is_screen_out, provider,
      transaction_id, posted_at, account
    from ledger.movements) m;
grant select on ledger.history to earnest_app;

-- The wallets of members: balance, totals, the points earned on this site day, the number of the newest movement. The
-- points of the day are 0 if the wallet's eight days do not include it. It is a function, because PostgreSQL would plan
-- a statement with an array parameter at each call, which costs more than the read.
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
  -- Inlined: platform.site_day(platform.business_now()) costs as much as the rest.
  select platform.day_in(c.site_timezone, platform.business_time(c.offset_seconds)) into site_day
  from platform.site_clock c;
  return query
  select w.member_id, w.balance, w.earned_total, w.tasks_completed,
    coalesce(w.day_sums[1 + w.today - site_day], 0), w.movement_count
  from ledger.wallets w where w.member_id = any (member_ids);
end
$$;
grant execute on function ledger.read_wallets(integer[]) to earnest_app;

-- The newest movements of a member, found by their numbers, so that it takes as long for a member with many.
create or replace function ledger.newest_movements(member_id integer, rows_max integer)
  returns table (seq bigint, kind text, amount bigint, provider text, transaction_id text, posted_at timestamptz)
  language plpgsql stable set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
  set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  newest bigint := (
    select w.movement_count from ledger.wallets w where w.member_id = newest_movements.member_id);
begin
  return query
  select m.seq, m.kind, m.amount, m.provider, m.transaction_id, m.posted_at from ledger.movements m
  where m.member_id = newest_movements.member_id and m.seq > newest - newest_movements.rows_max and m.seq <= newest;
end
$$;
grant execute on function ledger.newest_movements(integer, integer) to earnest_app;
