-- The removal of what old withdrawals say about a person.

-- Removes destination, reason and payment of withdrawals that were decided more than five years ago and are finished.
-- Returns how many, at most `rows_max`. Amount, fee, method, state and times stay: the movements say them for ever, and
-- the audit holds both against each other.
create or replace function withdrawals.remove_old_details(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  old_ids uuid[];
begin
  old_ids := array(
    select w.id from withdrawals.withdrawals w
    where w.details_removed_at is null and w.decided_at < platform.business_now() - interval '5 years'
      and not exists (
        select from withdrawals.payouts p
        where p.withdrawal_id = w.id and p.state in ('queued', 'signed', 'broadcast', 'parked'))
    order by w.decided_at limit remove_old_details.rows_max);
  update withdrawals.payouts p
  set destination = 'removed ' || p.withdrawal_id, trouble = null,
      reference = case when p.reference is not null then 'removed ' || p.withdrawal_id end,
      artifact = case when p.artifact is not null then 'removed' end
  where p.withdrawal_id = any (old_ids);
  update withdrawals.withdrawals w
  set destination = 'removed ' || w.id, request_key = null, details_removed_at = platform.business_now(),
      reason = case when w.reason is not null then 'removed' end
  where w.id = any (old_ids);
  return cardinality(old_ids);
end
$$;
grant execute on function withdrawals.remove_old_details(integer) to earnest_app;
