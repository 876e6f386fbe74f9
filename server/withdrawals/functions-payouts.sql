-- The one step of a payout that commits the site to a payment. The locks have the order of functions.sql.

-- Stores the payment of a queued payout and counts it in the timeline. Returns the payout, or no row if it is not
-- queued, the lease was lost, the method waits for a reconciliation, or the member is in debt. The lock on the wallet
-- keeps a reversal from coming between the look at the debt and the payment.
create or replace function withdrawals.store_payment(
  id uuid, lease_name text, lease_token bigint, reference text, artifact text
) returns setof withdrawals.payouts
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  waiting record;
begin
  select p.method, w.member_id into waiting
  from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
  where p.withdrawal_id = store_payment.id and p.state = 'queued' for no key update of p;
  if not found or not platform.holds_lease(store_payment.lease_name, store_payment.lease_token) or exists (
      select from withdrawals.reconciliations r where r.method = waiting.method and r.done_at is null) then
    return;
  end if;
  perform ledger.lock_wallets(array[waiting.member_id]);
  if withdrawals.is_in_debt(waiting.member_id) then
    return;
  end if;
  return query
  update withdrawals.payouts p
  set state = 'signed', reference = store_payment.reference, artifact = store_payment.artifact,
      signed_at = platform.business_now(), attempt_count = 0, trouble = null, due_at = platform.business_now()
  where p.withdrawal_id = store_payment.id
  returning p.*;
  update withdrawals.timelines set payment_count = payment_count + 1
  where number = (select max(t.number) from withdrawals.timelines t);
end
$$;
grant execute on function withdrawals.store_payment(uuid, text, bigint, text, text) to earnest_app;
