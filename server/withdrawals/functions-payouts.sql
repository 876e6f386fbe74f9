-- The steps of a payout that commit the site to a payment. The locks have the order of functions.sql.

-- Counts a payment that is stored now in the newest timeline.
create or replace function withdrawals.count_payment(reference text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  with counted as (
    update withdrawals.timelines t
    set payment_count = t.payment_count + 1,
        digest = encode(sha256(convert_to(t.digest || ' ' || count_payment.reference, 'UTF8')), 'base64')
    where t.number = (select max(newest.number) from withdrawals.timelines newest)
    returning t.number, t.payment_count, t.digest)
  insert into withdrawals.counted_payments (timeline, number, digest, stored_at)
  select c.number, c.payment_count, c.digest, platform.business_now() from counted c
$$;

-- Stores the payment of a queued payout and counts it in the timeline. Returns the payout, or no row if it is not
-- queued, an operator halted it, the lease was lost, the method waits for a reconciliation, or something stops payments
-- to the member (`stop_of`). An approval is taken back without the lease, and may have been given again since the
-- payment was prepared. So the payment must be of the payout's amount, and the time in which the approval can be taken
-- back must be over. The lock on the payout decides between a payment and a halt. The lock on the wallet keeps a
-- reversal or a denial from coming between the look and the payment.
create or replace function withdrawals.store_payment(
  id uuid, lease_name text, lease_token bigint, amount_units bigint, reference text, artifact text
) returns setof withdrawals.payouts
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  waiting record;
begin
  select p.method, w.member_id into waiting
  from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
  where p.withdrawal_id = store_payment.id and p.state = 'queued'
    and p.halted_by is null and p.amount_units = store_payment.amount_units
    and p.not_before <= platform.business_now() for no key update of p;
  if not found or not platform.holds_lease(store_payment.lease_name, store_payment.lease_token) or exists (
      select from withdrawals.reconciliations r where r.method = waiting.method and r.done_at is null) then
    return;
  end if;
  perform ledger.lock_wallets(array[waiting.member_id]);
  if withdrawals.stop_of(store_payment.id) is not null then
    return;
  end if;
  return query
  update withdrawals.payouts p
  set state = 'signed', reference = store_payment.reference, artifact = store_payment.artifact,
      account = (select a.account from withdrawals.paying_accounts a where a.method = p.method),
      signed_at = platform.business_now(), attempt_count = 0, trouble = null, due_at = platform.business_now()
  where p.withdrawal_id = store_payment.id
  returning p.*;
  perform withdrawals.count_payment(store_payment.reference);
end
$$;
grant execute on function withdrawals.store_payment(uuid, text, bigint, bigint, text, text) to earnest_app;

-- Locks a payout and the wallet of its member for an operator's retry, so that no reversal, denial or payment comes
-- between the look at what stops it (`stop_of`) and the act.
create or replace function withdrawals.lock_for_retry(id uuid) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  member_id integer;
begin
  select w.member_id into member_id
  from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
  where p.withdrawal_id = lock_for_retry.id for no key update of p;
  perform ledger.lock_wallets(array[member_id]);
end
$$;
grant execute on function withdrawals.lock_for_retry(uuid) to earnest_app;

-- Gives an unfinished payout another payment, which was made already, or none (null), so that one is prepared anew. The
-- payment that it had is kept among the former ones: it may still be listed, and is no other payout's. A payment that
-- was made counts in the timeline like a stored one, so that an older copy of the database is seen that lacks it.
-- The payment that the payout has already stays as it was stored, and is counted once. The account stays with the
-- former payments, and with one of them that the payout has again: that account made them.
-- Returns the payout, or no row if its payment is not `former_reference` any more, the lease was lost, or the payment
-- is another payout's: one with the same destination, because a payment may pay several destinations.
create or replace function withdrawals.replace_payment(
  id uuid, lease_name text, lease_token bigint, former_reference text, reference text, artifact text, reason text
) returns setof withdrawals.payouts
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  is_made boolean := replace_payment.reference is not null;
  is_same boolean := replace_payment.reference is not distinct from replace_payment.former_reference;
  is_former boolean := exists (
    select from withdrawals.former_payments f
    where f.withdrawal_id = replace_payment.id and f.reference = replace_payment.reference);
  former record;
begin
  select p.method, p.destination, p.reference, p.artifact into former
  from withdrawals.payouts p
  where p.withdrawal_id = replace_payment.id and p.state in ('queued', 'signed', 'broadcast', 'parked')
    for no key update;
  if not found or former.reference is distinct from replace_payment.former_reference
    or not platform.holds_lease(replace_payment.lease_name, replace_payment.lease_token) or exists (
      select from withdrawals.payouts o
      where o.method = former.method and o.reference = replace_payment.reference
        and o.destination = former.destination and o.withdrawal_id <> replace_payment.id) then
    return;
  end if;
  insert into withdrawals.former_payments (method, reference, withdrawal_id, artifact, reason, ended_at)
  select former.method, former.reference, replace_payment.id, former.artifact, replace_payment.reason,
    platform.business_now()
  where former.reference <> coalesce(replace_payment.reference, '')
  on conflict do nothing;
  if is_made and not is_same then
    perform withdrawals.count_payment(replace_payment.reference);
  end if;
  return query
  update withdrawals.payouts p
  set state = case when is_made then 'broadcast' else 'queued' end,
      reference = replace_payment.reference,
      artifact = case when is_same then p.artifact else replace_payment.artifact end,
      is_by_record = is_made and replace_payment.artifact is null,
      is_found = case when is_same then p.is_found else is_made end,
      account = case when is_made and not is_same and not is_former
        then (select a.account from withdrawals.paying_accounts a where a.method = p.method) else p.account end,
      possible_references = case when is_made then '{}' else p.possible_references end,
      halted_by = null, halt_reason = null, attempt_count = 0, due_at = platform.business_now(),
      signed_at = case when is_made then coalesce(p.signed_at, platform.business_now()) end,
      broadcast_at = case when is_made then coalesce(p.broadcast_at, platform.business_now()) end,
      trouble = case when not is_made then replace_payment.reason end
  where p.withdrawal_id = replace_payment.id
  returning p.*;
end
$$;
grant execute on function withdrawals.replace_payment(uuid, text, bigint, text, text, text, text) to earnest_app;

-- Gives a parked payout without a stored payment the payment that paid it, with the amount that was paid. An older copy
-- of the database was approved again at another rate. The rate is the one that explains this amount, rounded down.
-- Returns the payout, or no row if it is not parked so, or as `replace_payment` says.
create or replace function withdrawals.accept_payment(
  id uuid, lease_name text, lease_token bigint, amount_units bigint, reference text, artifact text, reason text
) returns setof withdrawals.payouts
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform from withdrawals.payouts p
  where p.withdrawal_id = accept_payment.id and p.state = 'parked' and p.artifact is null for no key update;
  if not found then
    return;
  end if;
  perform from withdrawals.replace_payment(accept_payment.id, accept_payment.lease_name, accept_payment.lease_token,
    null, accept_payment.reference, accept_payment.artifact, accept_payment.reason);
  if not found then
    return;
  end if;
  update withdrawals.withdrawals w
  set amount_units = accept_payment.amount_units,
      rate = withdrawals.rate_of(w.amount_points - w.fee_points, accept_payment.amount_units)
  where w.id = accept_payment.id;
  return query
  update withdrawals.payouts p set amount_units = accept_payment.amount_units
  where p.withdrawal_id = accept_payment.id
  returning p.*;
end
$$;
grant execute on function withdrawals.accept_payment(uuid, text, bigint, bigint, text, text, text) to earnest_app;

-- Gives a payout the payment that paid it by the record of the node that sent it, with the amount that was paid, where
-- the outside party does not show it. Another account made it, whose name nobody knows. The rate is the one that
-- explains this amount, rounded down. Returns the payout, or no row as `replace_payment` says.
create or replace function withdrawals.settle_recorded(
  id uuid, lease_name text, lease_token bigint, former_reference text, reference text, amount_units bigint, reason text
) returns setof withdrawals.payouts
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  perform from withdrawals.replace_payment(settle_recorded.id, settle_recorded.lease_name, settle_recorded.lease_token,
    settle_recorded.former_reference, settle_recorded.reference, null, settle_recorded.reason);
  if not found then
    return;
  end if;
  update withdrawals.withdrawals w
  set amount_units = settle_recorded.amount_units,
      rate = withdrawals.rate_of(w.amount_points - w.fee_points, settle_recorded.amount_units)
  where w.id = settle_recorded.id and w.amount_units <> settle_recorded.amount_units;
  return query
  update withdrawals.payouts p
  set amount_units = settle_recorded.amount_units, account = 'unnamed ' || gen_random_uuid()
  where p.withdrawal_id = settle_recorded.id
  returning p.*;
end
$$;
grant execute on function withdrawals.settle_recorded(uuid, text, bigint, text, text, bigint, text) to earnest_app;

-- The payments that may be called others' by an operator: not those that the payout had before, which were made for it,
-- and not those that paid this withdrawal by the record of a node and that nobody noted.
create or replace function withdrawals.others_of(id uuid, payments text[]) returns text[]
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select array(
    select given.reference from unnest(others_of.payments) with ordinality given (reference, place)
    where not exists (
      select from withdrawals.former_payments f
      where f.withdrawal_id = others_of.id and f.reference = given.reference)
      and not exists (
        select from withdrawals.unaccounted_payments u
        where u.withdrawal_id = others_of.id and u.reference = given.reference and u.seen_at is null)
    order by given.place)
$$;
grant execute on function withdrawals.others_of(uuid, text[]) to earnest_app;

-- Halts a queued payout: from then on nothing is prepared for it. With a reason it is given up, without one its
-- approval is taken back, as soon as it is certain that nothing paid it. Nobody halts their own. Needs no lease.
-- Returns whether this call changed it.
create or replace function withdrawals.halt_payout(id uuid, operator_id integer, reason text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  update withdrawals.payouts p
  set halted_by = halt_payout.operator_id, halt_reason = halt_payout.reason, attempt_count = 0, trouble = null,
      due_at = platform.business_now()
  from withdrawals.withdrawals w
  where p.withdrawal_id = halt_payout.id and w.id = p.withdrawal_id
    and not members.is_own(halt_payout.operator_id, w.member_id)
    and p.state = 'queued' and (p.halted_by is null or p.halt_reason is distinct from halt_payout.reason);
  return found;
end
$$;
grant execute on function withdrawals.halt_payout(uuid, integer, text) to earnest_app;
