-- Withdrawals and their points. Each function changes one state if its condition holds, books the movement for it,
-- updates counts and totals, and returns a status of a closed list. Locks are taken in this order, so that no two calls
-- deadlock: payout, withdrawal, wallet, the member's counts, totals, timeline, the member's notices. The lease of the
-- method is locked before all of them or after the payout: whoever writes a lease waits for no other lock while holding
-- it.
--
-- Open to others: shares_destination, given_holds.

-- Whether two members ever requested withdrawals to the same destination.
create or replace function withdrawals.shares_destination(member_id integer, other_id integer) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (
    select from withdrawals.withdrawals w join withdrawals.withdrawals o on o.destination = w.destination
    where w.member_id = shares_destination.member_id and o.member_id = shares_destination.other_id)
$$;

-- The requests that were held or that an operator rejected, as decisions. Nobody writes through it (see
-- platform/functions.sql).
create or replace view withdrawals.given_holds as
  select h.* from (
    select w.queue_number as id, w.member_id, w.method, w.amount_points, w.state, w.hold_until, w.hold_reason,
      w.rejection_code, w.reason, w.created_at, w.decided_at, w.decided_by
    from withdrawals.withdrawals w
    where w.state = 'pending' and w.hold_until is not null or w.state = 'rejected' and w.rejection_code = 'operator') h;
grant select on withdrawals.given_holds to earnest_app;

-- Until when new requests of a member are held, because what protects the account changed; null if it never did.
create or replace function withdrawals.security_held_until(member_id integer) returns timestamptz
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select members.security_changed_at(security_held_until.member_id) + interval '24 hours' $$;
grant execute on function withdrawals.security_held_until(integer) to earnest_app;

-- Keeps a destination at its use, under the lock on the member's wallet. Returns until when the request is held, and
-- for which of the two reasons longest, or nulls if it is not held. A first use holds it for 24 hours, unless it is the
-- member's first destination. A change of the account's password, phone, e-mail or Google account in the 24 hours
-- before holds it for 24 hours as well.
create or replace function withdrawals.use_destination(
  member_id integer, method text, destination text, moment timestamptz,
  out held_until timestamptz, out held_for text
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  is_first boolean;
  by_use timestamptz;
  by_change timestamptz;
begin
  is_first := not exists (select from withdrawals.destinations a where a.member_id = use_destination.member_id);
  insert into withdrawals.destinations as a (member_id, method, destination, first_used_at, hold_until)
  values (use_destination.member_id, use_destination.method, use_destination.destination, use_destination.moment,
    case when not is_first then use_destination.moment + interval '24 hours' end)
  on conflict (member_id, method, destination) do update
  set first_used_at = excluded.first_used_at, hold_until = excluded.hold_until, removed_at = null
  where a.removed_at is not null;
  select a.hold_until, case when withdrawals.security_held_until(use_destination.member_id) > use_destination.moment
    then use_destination.moment + interval '24 hours' end
  into by_use, by_change
  from withdrawals.destinations a
  where a.member_id = use_destination.member_id and a.method = use_destination.method
    and a.destination = use_destination.destination;
  if greatest(by_use, by_change) > use_destination.moment then
    held_until := greatest(by_use, by_change);
    held_for := case when held_until = by_use then 'new_destination' else 'security_change' end;
  end if;
end
$$;

-- The hash of what a member asked for. The audit of withdrawals has its own copy of this rule.
create or replace function withdrawals.digest_of(
  id uuid, member_id integer, method text, destination text, amount_points bigint, fee_points bigint,
  created_at timestamptz
) returns bigint
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select hash_record_extended(row(digest_of.id, digest_of.member_id, digest_of.method, digest_of.destination,
    digest_of.amount_points, digest_of.fee_points, digest_of.created_at), 0)
$$;

-- The hash of what the site noted with a request, and that of the payment of a paid payout. The audit of withdrawals
-- has its own copies of these rules, too.
create or replace function withdrawals.terms_digest_of(
  id uuid, queue_number bigint, real_since timestamptz, hold_until timestamptz, hold_reason text
) returns bigint
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select hash_record_extended(row(terms_digest_of.id, terms_digest_of.queue_number, terms_digest_of.real_since,
    terms_digest_of.hold_until, terms_digest_of.hold_reason), 0)
$$;
create or replace function withdrawals.payment_digest_of(p withdrawals.payouts) returns bigint
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select hash_record_extended(row(p.withdrawal_id, p.queue_number, p.method, p.destination, p.amount_units, p.reference,
    p.is_by_record, p.account, p.finished_at), 0)
$$;

-- Stores a request with its place in the queue and its hashes.
create or replace function withdrawals.store_request(
  id uuid, member_id integer, member_number bigint, request_key text, method text, destination text,
  amount_points bigint, fee_points bigint, created_at timestamptz, hold_until timestamptz, hold_reason text
) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
declare
  place bigint := nextval('withdrawals.withdrawals_queue_number_seq');
  seen_since timestamptz := platform.believed_now();
begin
  insert into withdrawals.withdrawals (id, queue_number, member_id, member_number, request_key, method, destination,
    amount_points, fee_points, created_at, real_since, hold_until, hold_reason, request_digest, terms_digest)
  overriding system value
  values (store_request.id, place, store_request.member_id, store_request.member_number, store_request.request_key,
    store_request.method, store_request.destination, store_request.amount_points, store_request.fee_points,
    store_request.created_at, seen_since, store_request.hold_until, store_request.hold_reason,
    withdrawals.digest_of(store_request.id, store_request.member_id, store_request.method, store_request.destination,
      store_request.amount_points, store_request.fee_points, store_request.created_at),
    withdrawals.terms_digest_of(store_request.id, place, seen_since, store_request.hold_until,
      store_request.hold_reason));
end
$$;

-- Takes the points from the balance and stores the request. The lock on the wallet serialises a member's requests, so
-- the daily limit and the balance are exact under concurrent calls.
-- Returns: requested, exists (the key's stored request in its current state), exists_different (the key was used for
-- another request), limit_reached (`created_at` is the time of the refusal), insufficient, closed, unknown_member.
-- `hold_until` is set with a request that is held.
create or replace function withdrawals.request(
  member_id integer, request_key text, method text, destination text, amount_points bigint, fee_points bigint,
  day_limit integer,
  out status text, out id uuid, out state text, out created_at timestamptz, out decided_at timestamptz,
  out balance bigint, out hold_until timestamptz
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp set plan_cache_mode = force_generic_plan
as $$
#variable_conflict use_column
declare
  counted bigint;
  posting record;
  held_for text;
begin
  perform ledger.lock_wallets(array[request.member_id]);
  if request.request_key is not null then
    select case when (w.method, w.destination, w.amount_points)
                     = (request.method, request.destination, request.amount_points)
             then 'exists' else 'exists_different' end, w.id, w.state, w.created_at, w.decided_at
    into status, id, state, created_at, decided_at
    from withdrawals.withdrawals w
    where w.member_id = request.member_id and w.request_key = request.request_key;
    if found then
      return;
    end if;
  end if;
  -- A suspension that came since the caller looked.
  select r.withdrawal into status from members.refusals(request.member_id) r;
  if status is not null then
    return;
  end if;

  created_at := platform.business_now();
  select coalesce(max(c.withdrawal_count), 0) into counted
  from withdrawals.member_counts c where c.member_id = request.member_id;
  -- The limit is reached if the request that many numbers back was made today.
  if request.day_limit < 1 or exists (
    select from withdrawals.withdrawals w cross join platform.site_clock c
    where w.member_id = request.member_id and w.member_number = counted + 1 - request.day_limit
      and w.created_at <@ platform.day_range_in(c.site_timezone, request.created_at)) then
    status := 'limit_reached';
    return;
  end if;

  id := gen_random_uuid();
  select * into posting from ledger.post_one(request.member_id, 'withdrawal:' || request.id, 'withdrawal',
    -request.amount_points, 'withdrawals', request.method, null, null, false);
  balance := posting.balance;
  if posting.status <> 'posted' then
    status := posting.status;
    return;
  end if;

  status := 'requested';
  state := 'pending';
  select u.held_until, u.held_for into hold_until, held_for
  from withdrawals.use_destination(request.member_id, request.method, request.destination, request.created_at) u;
  perform withdrawals.store_request(request.id, request.member_id, counted + 1, request.request_key, request.method,
    request.destination, request.amount_points, request.fee_points, request.created_at, request.hold_until, held_for);
  insert into withdrawals.member_counts as c (member_id, withdrawal_count, waiting_points)
  values (request.member_id, 1, request.amount_points) on conflict (member_id) do update
  set withdrawal_count = c.withdrawal_count + 1, waiting_points = c.waiting_points + request.amount_points;
  update withdrawals.totals
  set pending_count = pending_count + 1, pending_points = pending_points + request.amount_points;
end
$$;
grant execute on function withdrawals.request(integer, text, text, text, bigint, bigint, integer) to earnest_app;

-- Returns the points of a withdrawal that the same transaction rejected. Returns the new balance.
create or replace function withdrawals.return_points(
  id uuid, member_id integer, amount_points bigint, method text
) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  posting record;
begin
  select * into posting from ledger.post_one(return_points.member_id, 'withdrawal-return:' || return_points.id,
    'withdrawal-return', return_points.amount_points, 'withdrawals', return_points.method, null, null, false);
  if posting.status <> 'posted' then
    raise exception 'The points of withdrawal % were not returned: the ledger answered %', return_points.id,
      posting.status;
  end if;
  update withdrawals.member_counts c set waiting_points = c.waiting_points - return_points.amount_points
  where c.member_id = return_points.member_id;
  return posting.balance;
end
$$;

-- Adds the member's notice of a withdrawal that the same transaction rejected.
create or replace function withdrawals.add_rejection_notice(id uuid, member_id integer) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  select notices.add(add_rejection_notice.member_id, 'rejected', jsonb_build_object('about', 'withdrawal',
    'withdrawalId', w.id, 'method', w.method, 'amount', w.amount_points::text, 'code', w.rejection_code,
    'reason', w.reason))
  from withdrawals.withdrawals w where w.id = add_rejection_notice.id
$$;

-- Rejects a pending withdrawal and returns its points to the balance.
-- Returns the first of: not_found, decided, those of `reject_obstacle`, rejected.
create or replace function withdrawals.reject(
  id uuid, operator_id integer, reason text,
  out status text, out state text, out member_id integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  asked record;
  decided record;
begin
  select w.state into asked from withdrawals.withdrawals w where w.id = reject.id for no key update;
  if not found then
    status := 'not_found';
    return;
  end if;
  state := asked.state;
  status := case when state <> 'pending' then 'decided'
    else withdrawals.reject_obstacle(reject.id, reject.operator_id) end;
  if status is not null then
    return;
  end if;
  update withdrawals.withdrawals w
  set state = 'rejected', rejection_code = 'operator', reason = reject.reason, decided_by = reject.operator_id,
      decided_at = platform.business_now()
  where w.id = reject.id and w.state = 'pending'
  returning w.member_id, w.amount_points, w.method into strict decided;
  status := 'rejected';
  state := 'rejected';
  member_id := decided.member_id;
  balance := withdrawals.return_points(reject.id, decided.member_id, decided.amount_points, decided.method);
  update withdrawals.totals
  set pending_count = pending_count - 1, pending_points = pending_points - decided.amount_points,
      rejected_count = rejected_count + 1;
  perform withdrawals.add_rejection_notice(reject.id, decided.member_id);
end
$$;
grant execute on function withdrawals.reject(uuid, integer, text) to earnest_app;

-- Cancels a member's own pending withdrawal and returns its points. Returns: cancelled, not_found, decided,
-- in_check (it may be paid already).
create or replace function withdrawals.cancel(
  id uuid, member_id integer, reason text, out status text, out state text, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  decided record;
begin
  update withdrawals.withdrawals w
  set state = 'rejected', rejection_code = 'cancelled', reason = cancel.reason, decided_at = platform.business_now()
  where w.id = cancel.id and w.member_id = cancel.member_id and w.state = 'pending'
    and not withdrawals.is_in_check(w.id, w.method)
  returning w.amount_points, w.method into decided;
  if not found then
    select case w.state when 'pending' then 'in_check' else 'decided' end, w.state into status, state
    from withdrawals.withdrawals w where w.id = cancel.id and w.member_id = cancel.member_id;
    status := coalesce(status, 'not_found');
    return;
  end if;
  status := 'cancelled';
  state := 'rejected';
  balance := withdrawals.return_points(cancel.id, cancel.member_id, decided.amount_points, decided.method);
  update withdrawals.totals
  set pending_count = pending_count - 1, pending_points = pending_points - decided.amount_points,
      rejected_count = rejected_count + 1;
end
$$;
grant execute on function withdrawals.cancel(uuid, integer, text) to earnest_app;

-- Fails a payout that can never be paid: rejects the withdrawal with a reason and returns its points. It changes only a
-- payout that is still in the state that the caller read, and only `queued` or `parked`, because in other states the
-- payment may still take effect. While the comparison of its method after a restore is due, nothing changes, because an
-- account whose list was not compared may have paid it.
-- Returns: failed, changed.
create or replace function withdrawals.fail_payout(
  id uuid, seen_state text, reason text,
  out status text, out member_id integer, out balance bigint
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  decided record;
begin
  update withdrawals.payouts p
  set state = 'failed', trouble = fail_payout.reason, finished_at = platform.business_now()
  where p.withdrawal_id = fail_payout.id and p.state = fail_payout.seen_state and p.state in ('queued', 'parked')
    and not exists (
      select from withdrawals.reconciliations r where r.method = p.method and r.done_at is null);
  if not found then
    status := 'changed';
    return;
  end if;
  update withdrawals.withdrawals w
  set state = 'rejected', rejection_code = 'failed', reason = fail_payout.reason, decided_at = platform.business_now()
  where w.id = fail_payout.id and w.state = 'approved'
  returning w.member_id, w.amount_points, w.method into decided;
  if not found then
    raise exception 'The payout of withdrawal % failed, but it is not approved', fail_payout.id;
  end if;
  status := 'failed';
  member_id := decided.member_id;
  balance := withdrawals.return_points(fail_payout.id, decided.member_id, decided.amount_points,
    decided.method);
  update withdrawals.totals set approved_count = approved_count - 1, rejected_count = rejected_count + 1;
  perform withdrawals.add_rejection_notice(fail_payout.id, decided.member_id);
end
$$;
grant execute on function withdrawals.fail_payout(uuid, text, text) to earnest_app;

-- Confirms a payout whose payment is final. Returns the member if this call confirmed it, else null.
create or replace function withdrawals.confirm_payout(id uuid) returns integer
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  paid record;
begin
  update withdrawals.payouts p
  set state = 'confirmed', trouble = null,
      finished_at = platform.business_now(), broadcast_at = coalesce(p.broadcast_at, platform.business_now())
  from withdrawals.withdrawals w
  where p.withdrawal_id = confirm_payout.id and p.state = 'broadcast' and w.id = p.withdrawal_id
  returning w.member_id, w.method, w.destination, w.amount_points, p.amount_units, p.reference into paid;
  if not found then
    return null;
  end if;
  update withdrawals.payouts p set payment_digest = withdrawals.payment_digest_of(p)
  where p.withdrawal_id = confirm_payout.id;
  update withdrawals.destinations d set paid_at = platform.business_now()
  where (d.member_id, d.method, d.destination) = (paid.member_id, paid.method, paid.destination)
    and d.paid_at is null;
  update withdrawals.member_counts c
  set waiting_points = c.waiting_points - paid.amount_points, paid_count = c.paid_count + 1,
      paid_points = c.paid_points + paid.amount_points
  where c.member_id = paid.member_id;
  update withdrawals.totals set paid_count = paid_count + 1, paid_points = paid_points + paid.amount_points;
  perform notices.add(paid.member_id, 'paid', jsonb_build_object('withdrawalId', confirm_payout.id,
    'method', paid.method, 'amount', paid.amount_points::text,
    'paidAmount', trim_scale(paid.amount_units / 100000000.0)::text, 'reference', paid.reference));
  return paid.member_id;
end
$$;
grant execute on function withdrawals.confirm_payout(uuid) to earnest_app;
