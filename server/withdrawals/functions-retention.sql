-- The removal of what old withdrawals say about a person.

-- The time from which withdrawals keep all details. Those that were decided before are emptied.
create or replace function withdrawals.details_kept_since() returns timestamptz
  language sql stable set search_path = pg_catalog, pg_temp
as $$
  select platform.business_now() - interval '5 years'
$$;
grant execute on function withdrawals.details_kept_since() to earnest_app;

-- Removes destination, reason and payments of finished withdrawals that were decided five years ago. Returns how many,
-- at most `rows_max`. Amount, fee, method, state and times stay, and the hash of the request is made anew from what
-- stays. So the audit still holds every movement, which is never removed, against its withdrawal.
create or replace function withdrawals.remove_old_details(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  old_ids uuid[];
begin
  old_ids := array(
    select w.id from withdrawals.withdrawals w
    where w.details_removed_at is null and w.decided_at < withdrawals.details_kept_since()
      and not exists (
        select from withdrawals.payouts p
        where p.withdrawal_id = w.id and p.state in ('queued', 'signed', 'broadcast', 'parked'))
    order by w.decided_at limit remove_old_details.rows_max);
  perform withdrawals.remove_old_payments(old_ids);
  perform withdrawals.remove_old_destinations(old_ids);
  update withdrawals.withdrawals w
  set destination = 'removed ' || w.id, request_key = null, details_removed_at = platform.business_now(),
      reason = case when w.reason is not null then 'removed' end,
      request_digest = withdrawals.digest_of(w.id, w.member_id, w.method, 'removed ' || w.id, w.amount_points,
        w.fee_points, w.created_at)
  where w.id = any (old_ids);
  return cardinality(old_ids);
end
$$;
grant execute on function withdrawals.remove_old_details(integer) to earnest_app;

-- Removes what the payments of these withdrawals say, and listed payments that no payout accounts for, five years after
-- they were found. One of which no operator took note stays, unless it is a payment of these withdrawals.
create or replace function withdrawals.remove_old_payments(withdrawal_ids uuid[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  delete from withdrawals.unaccounted_payments u
  where u.seen_at is not null and u.found_at < withdrawals.details_kept_since()
    or exists (
      select from withdrawals.payouts p
      where p.withdrawal_id = any (withdrawal_ids)
        and (p.method, p.reference, p.destination) = (u.method, u.reference, u.destination))
    or exists (
      select from withdrawals.former_payments f
      where f.withdrawal_id = any (withdrawal_ids) and (f.method, f.reference) = (u.method, u.reference));
  delete from withdrawals.former_payments f where f.withdrawal_id = any (withdrawal_ids);
  delete from withdrawals.request_checks c where c.withdrawal_id = any (withdrawal_ids);
  update withdrawals.payouts p
  set destination = 'removed ' || p.withdrawal_id, trouble = null, cleared_references = '{}',
      possible_references = '{}', possible_payments = '[]', halt_reason = null,
      reference = case when p.reference is not null then 'removed ' || p.withdrawal_id end,
      artifact = case when p.artifact is not null then 'removed' end
  where p.withdrawal_id = any (withdrawal_ids);
  update withdrawals.payouts p set payment_digest = withdrawals.payment_digest_of(p)
  where p.withdrawal_id = any (withdrawal_ids) and p.state = 'confirmed';
end
$$;

-- Removes the kept destinations of these withdrawals that no other withdrawal of the member was requested to. The rows
-- stay, so that the member's next destination is not the first one.
create or replace function withdrawals.remove_old_destinations(withdrawal_ids uuid[]) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  update withdrawals.destinations a
  set destination = 'removed ' || a.id, removed_at = coalesce(a.removed_at, platform.business_now())
  from withdrawals.withdrawals w
  where w.id = any (withdrawal_ids)
    and (a.member_id, a.method, a.destination) = (w.member_id, w.method, w.destination)
    and not exists (
      select from withdrawals.withdrawals younger
      where (younger.member_id, younger.method, younger.destination) = (w.member_id, w.method, w.destination)
        and younger.id <> all (withdrawal_ids))
$$;
