-- Approvals of withdrawals: their bounds, and how one is taken back. The locks have the order of functions.sql.

-- Whether a member's balance is below zero. Nothing is approved or prepared for a member in debt. Only the lock on the
-- wallet makes the answer hold until the commit.
create or replace function withdrawals.is_in_debt(member_id integer) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (select from ledger.wallet_totals t where t.member_id = is_in_debt.member_id and t.balance < 0)
$$;
grant execute on function withdrawals.is_in_debt(integer) to earnest_app;

-- The approvals of a day, which the caps of the day sum. Inlined, so that each sum reads by its own index.
create or replace function withdrawals.approved_in(day tstzrange)
  returns table (member_id integer, method text, amount_points bigint)
  language sql stable
as $$
  select w.member_id, w.method, w.amount_points from withdrawals.withdrawals w
  where w.state = 'approved' and w.decided_at >= lower(approved_in.day) and w.decided_at < upper(approved_in.day)
$$;
grant execute on function withdrawals.approved_in(tstzrange) to earnest_app;

-- The points that an operator approved alone today; null is the command line. It sums the approvals of each method by
-- the index of their caps.
create or replace function withdrawals.approved_alone_today(operator_id integer) returns bigint
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(sum(w.amount_points), 0)::bigint
  from platform.site_clock s cross join platform.day_range_in(s.site_timezone, platform.business_now()) today
    cross join withdrawals.methods m
    join withdrawals.withdrawals w on w.method = m.method and w.state = 'approved'
      and w.decided_at >= lower(today) and w.decided_at < upper(today)
  where w.decided_by is not distinct from approved_alone_today.operator_id and w.first_approved_by is null
$$;
grant execute on function withdrawals.approved_alone_today(integer) to earnest_app;

-- Whether an approval needs a second operator: with it the operator would have approved the sum or more alone today, so
-- that many small requests are treated as a large one. `approve` asks under the lock on the totals, so that concurrent
-- approvals count each other.
create or replace function withdrawals.needs_second_operator(
  operator_id integer, amount_points bigint, second_person_points bigint
) returns boolean
  language sql stable
as $$
  select case
    when needs_second_operator.second_person_points is null then false
    when needs_second_operator.amount_points >= needs_second_operator.second_person_points then true
    else withdrawals.approved_alone_today(needs_second_operator.operator_id) + needs_second_operator.amount_points
      >= needs_second_operator.second_person_points end
$$;

-- The cap of the day that another approval of these points would pass: the member's before the method's. No row if it
-- passes none.
-- A cap is null where there is none. It sums the approvals between the instants of the site day. `approve` asks under
-- the lock on the totals, so that concurrent approvals are counted one after the other. A sum has at most as many rows
-- as the cap lets through.
create or replace function withdrawals.passed_cap(
  member_id integer, method text, amount_points bigint, member_day_points bigint, method_day_points bigint
) returns table (cap text, cap_points bigint, used_points bigint, ends_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select c.cap, c.cap_points, c.used_points, upper(today)
  from platform.site_clock s cross join platform.day_range_in(s.site_timezone, platform.business_now()) today
    cross join lateral (
      select 1 as place, 'member_day' as cap, passed_cap.member_day_points as cap_points, (
        select coalesce(sum(a.amount_points), 0)::bigint from withdrawals.approved_in(today) a
        where passed_cap.member_day_points is not null and a.member_id = passed_cap.member_id) as used_points
      union all
      select 2, 'method_day', passed_cap.method_day_points, (
        select coalesce(sum(a.amount_points), 0)::bigint from withdrawals.approved_in(today) a
        where passed_cap.method_day_points is not null and a.method = passed_cap.method)) c
  where c.used_points + passed_cap.amount_points > c.cap_points
  order by c.place limit 1
$$;
grant execute on function withdrawals.passed_cap(integer, text, bigint, bigint, bigint) to earnest_app;

-- What keeps a withdrawal from being paid, by what is known of it: all of it, in the order of `stops_of`. That asks it
-- for one withdrawal, and the plan of all pending ones for many, which reads the facts of site and member once.
create or replace function withdrawals.stops_among(
  is_disowned boolean, is_suspended boolean, is_in_debt boolean, is_possibly_paid boolean
) returns text[]
  language sql immutable
  return array_remove(array[case when is_disowned then 'disowned' end, case when is_suspended then 'suspended' end,
    case when is_in_debt then 'in_debt' end, case when is_possibly_paid then 'points_in_check' end], null);
grant execute on function withdrawals.stops_among(boolean, boolean, boolean, boolean) to earnest_app;

-- What stands against an approval but the caps, in the order of `obstacles_of`, which asks it as `stops_of` does. That
-- the request itself may be paid (among the rejections) says more than that its points may be.
create or replace function withdrawals.obstacles_among(
  stops text[], is_on_hold boolean, rejections text[], has_own_first boolean, needs_first boolean
) returns text[]
  language sql immutable
  return array_remove(array_remove(stops, 'points_in_check')
    || case when is_on_hold then 'on_hold' end || rejections
    || case when 'points_in_check' = any (stops) then 'points_in_check' end
    || case when has_own_first then 'second_operator_needed' when needs_first then 'first_approval' end, null);
grant execute on function withdrawals.obstacles_among(text[], boolean, text[], boolean, boolean) to earnest_app;

-- What keeps a withdrawal of this member from being paid, before and after its approval. All of, in this order:
-- disowned (the member said later that somebody else used the account, which never ends by itself), suspended, in_debt,
-- points_in_check (a payment may have paid these points).
create or replace function withdrawals.stops_of(id uuid) returns text[]
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select withdrawals.stops_among(members.last_denied_at(w.member_id) >= w.created_at, r.are_withdrawals_blocked,
    withdrawals.is_in_debt(w.member_id), withdrawals.is_possibly_paid(w.id))
  from withdrawals.withdrawals w cross join members.restrictions(w.member_id) r
  where w.id = stops_of.id
$$;
grant execute on function withdrawals.stops_of(uuid) to earnest_app;

-- The first of them; null if nothing keeps it from being paid.
create or replace function withdrawals.stop_of(id uuid) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select (withdrawals.stops_of(stop_of.id))[1] $$;
grant execute on function withdrawals.stop_of(uuid) to earnest_app;

-- Why a pending withdrawal can't be approved now by this operator, whatever it pays. All of, in this order: those of
-- `stops_of` but the last, on_hold, those of `reject_obstacles`, points_in_check, first_approval (the approval is
-- recorded as the first of two, because of this amount or of what the operator approved alone today) or
-- second_operator_needed (this operator gave the first one), capped. Empty if nothing stands against it, and for a
-- withdrawal that is decided. A first approval asks for a second one also after the sum
-- was lifted: one operator could do both. The first approval of somebody who is no operator any more does not count.
create or replace function withdrawals.obstacles_of(
  id uuid, operator_id integer, holds_destinations boolean, second_person_points bigint, member_day_points bigint,
  method_day_points bigint
) returns text[]
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
declare
  asked record;
begin
  select w.member_id, w.method, w.amount_points, w.hold_until, w.first_approved_by,
    w.first_approved_by is not null and members.is_operator_since(w.first_approved_by, w.first_approved_at)
      as does_first_count
  into asked from withdrawals.withdrawals w
  where w.id = obstacles_of.id and w.state = 'pending';
  if not found then
    return '{}';
  end if;
  return array_remove(withdrawals.obstacles_among(withdrawals.stops_of(obstacles_of.id),
      obstacles_of.holds_destinations and asked.hold_until > platform.business_now(),
      withdrawals.reject_obstacles(obstacles_of.id, obstacles_of.operator_id),
      asked.does_first_count and members.is_own(obstacles_of.operator_id, asked.first_approved_by),
      not asked.does_first_count and (asked.first_approved_by is not null or withdrawals.needs_second_operator(
        obstacles_of.operator_id, asked.amount_points, obstacles_of.second_person_points)))
    || (
      select 'capped' from withdrawals.passed_cap(asked.member_id, asked.method, asked.amount_points,
        obstacles_of.member_day_points, obstacles_of.method_day_points)), null);
end
$$;
grant execute on function withdrawals.obstacles_of(uuid, integer, boolean, bigint, bigint, bigint) to earnest_app;

-- The first of them, with its facts: of on_hold `held_until`, of capped the cap. Null if nothing stands against an
-- approval. `approve` asks under its locks; what an operator is shown asks without.
create or replace function withdrawals.obstacle(
  id uuid, operator_id integer, holds_destinations boolean, second_person_points bigint, member_day_points bigint,
  method_day_points bigint,
  out status text, out held_until timestamptz, out cap text, out cap_points bigint, out used_points bigint,
  out cap_ends_at timestamptz
)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  status := (withdrawals.obstacles_of(obstacle.id, obstacle.operator_id, obstacle.holds_destinations,
    obstacle.second_person_points, obstacle.member_day_points, obstacle.method_day_points))[1];
  if status = 'on_hold' then
    select w.hold_until into held_until from withdrawals.withdrawals w where w.id = obstacle.id;
  elsif status = 'capped' then
    select c.cap, c.cap_points, c.used_points, c.ends_at into cap, cap_points, used_points, cap_ends_at
    from withdrawals.withdrawals w
      cross join withdrawals.passed_cap(w.member_id, w.method, w.amount_points, obstacle.member_day_points,
        obstacle.method_day_points) c
    where w.id = obstacle.id;
  end if;
end
$$;
grant execute on function withdrawals.obstacle(uuid, integer, boolean, bigint, bigint, bigint) to earnest_app;

-- Approves a pending withdrawal within its bounds and queues its payout, which is not prepared before the delay is
-- over. Returns the first of: not_found, decided, those of `obstacles_of`, approved. A first approval is recorded and
-- answers second_operator_needed with `is_recorded`; the command line (no operator) can give the second one only. The
-- lock on the wallet keeps a reversal from coming between the look at the debt and the approval.
create or replace function withdrawals.approve(
  id uuid, operator_id integer, rate numeric, amount_units bigint, delay_seconds integer, holds_destinations boolean,
  second_person_points bigint, member_day_points bigint, method_day_points bigint,
  out status text, out state text, out is_recorded boolean, out held_until timestamptz, out cap text,
  out cap_points bigint, out used_points bigint, out cap_ends_at timestamptz
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  asked record;
  moment timestamptz;
begin
  is_recorded := false;
  select w.member_id, w.state into asked from withdrawals.withdrawals w where w.id = approve.id for no key update;
  if not found then
    status := 'not_found';
    return;
  end if;
  state := asked.state;
  if asked.state <> 'pending' then
    status := 'decided';
    return;
  end if;
  perform ledger.lock_wallets(array[asked.member_id]);
  perform from withdrawals.totals for no key update;
  moment := platform.business_now();
  select o.status, o.held_until, o.cap, o.cap_points, o.used_points, o.cap_ends_at
  into status, held_until, cap, cap_points, used_points, cap_ends_at
  from withdrawals.obstacle(approve.id, approve.operator_id, approve.holds_destinations,
    approve.second_person_points, approve.member_day_points, approve.method_day_points) o;
  if status = 'first_approval' and approve.operator_id is null then
    status := 'second_operator_needed';
  elsif status = 'first_approval' then
    update withdrawals.withdrawals w
    set first_approved_by = approve.operator_id, first_approved_at = moment
    where w.id = approve.id;
    is_recorded := true;
    status := 'second_operator_needed';
  elsif status is null then
    perform withdrawals.queue_payout(approve.id, approve.operator_id, approve.rate, approve.amount_units,
      moment, moment + approve.delay_seconds * interval '1 second');
    status := 'approved';
    state := 'approved';
  end if;
end
$$;
grant execute on function withdrawals.approve(uuid, integer, numeric, bigint, integer, boolean, bigint, bigint, bigint)
  to earnest_app;

-- Writes an approval that `approve` has checked under its locks.
create or replace function withdrawals.queue_payout(
  id uuid, operator_id integer, rate numeric, amount_units bigint, moment timestamptz, not_before timestamptz
) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  decided record;
begin
  update withdrawals.withdrawals w
  set state = 'approved', rate = queue_payout.rate, amount_units = queue_payout.amount_units,
      decided_by = queue_payout.operator_id, decided_at = queue_payout.moment
  where w.id = queue_payout.id and w.state = 'pending'
  returning w.method, w.destination, w.amount_points into strict decided;
  insert into withdrawals.payouts (withdrawal_id, method, destination, amount_units, queued_at, due_at, not_before,
    cleared_references)
  values (queue_payout.id, decided.method, decided.destination, queue_payout.amount_units, queue_payout.moment,
    queue_payout.not_before, queue_payout.not_before,
    coalesce((select c.cleared_references from withdrawals.request_checks c where c.withdrawal_id = queue_payout.id),
      '{}'));
  update withdrawals.totals
  set pending_count = pending_count - 1, pending_points = pending_points - decided.amount_points,
      approved_count = approved_count + 1;
end
$$;

-- Takes an approval back while no payment was ever prepared for it, so that the withdrawal is pending again. Before the
-- delay is over nothing can have been prepared. After it, the caller has compared the payout with the outside party's
-- list in its turn (`is_compared`). While that is not so, and before the reconciliation after a restore of the database
-- is done, the payout is halted only, and the approval is taken back later.
-- Returns: undone, halted (`is_recorded` if by this call), not_found, decided (it is not approved), own_request, sent.
create or replace function withdrawals.undo_approval(
  id uuid, operator_id integer, is_compared boolean, out status text, out state text, out is_recorded boolean
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  undone record;
begin
  is_recorded := false;
  delete from withdrawals.payouts p using withdrawals.withdrawals w
  where p.withdrawal_id = undo_approval.id and w.id = p.withdrawal_id
    and not members.is_own(undo_approval.operator_id, w.member_id)
    and p.state = 'queued' and p.artifact is null
    and (undo_approval.is_compared or p.not_before > platform.business_now())
    and not exists (select from withdrawals.former_payments f where f.withdrawal_id = p.withdrawal_id)
    and not exists (
      select from withdrawals.reconciliations r where r.method = p.method and r.done_at is null);
  if not found then
    if not exists (select from withdrawals.former_payments f where f.withdrawal_id = undo_approval.id) then
      is_recorded := withdrawals.halt_payout(undo_approval.id, undo_approval.operator_id, null);
    end if;
    select case when w.state <> 'approved' then 'decided' when members.is_own(undo_approval.operator_id, w.member_id)
      then 'own_request' when p.halted_by is not null then 'halted' else 'sent' end, w.state into status, state
    from withdrawals.withdrawals w
      left join withdrawals.payouts p on p.withdrawal_id = w.id and p.state = 'queued' and p.halt_reason is null
    where w.id = undo_approval.id;
    status := coalesce(status, 'not_found');
    return;
  end if;
  update withdrawals.withdrawals w
  set state = 'pending', rate = null, amount_units = null, decided_by = null, decided_at = null,
      first_approved_by = null, first_approved_at = null
  where w.id = undo_approval.id and w.state = 'approved'
  returning w.amount_points into strict undone;
  update withdrawals.totals
  set pending_count = pending_count + 1, pending_points = pending_points + undone.amount_points,
      approved_count = approved_count - 1;
  status := 'undone';
  state := 'pending';
  is_recorded := true;
end
$$;
grant execute on function withdrawals.undo_approval(uuid, integer, boolean) to earnest_app;

-- The figures of a pending request's flags: the reversals that are looked at, counted up to a bound, and how far the
-- member's balance is below zero.
create or replace function withdrawals.flag_figures(member_id integer, reversals_max integer)
  returns table (reversal_count integer, debt_points bigint)
  language plpgsql stable security definer set search_path = pg_catalog, pg_temp
as $$
begin
  return query
  select (
      select count(*)::integer from earning.reversals_since(
        flag_figures.member_id, withdrawals.reversals_looked_at_since(), flag_figures.reversals_max)),
    (select greatest(-t.balance, 0) from ledger.wallet_totals t where t.member_id = flag_figures.member_id);
end
$$;
grant execute on function withdrawals.flag_figures(integer, integer) to earnest_app;
