-- The approval of a pending request that was paid already. The locks have the order of functions.sql.

-- The rate that explains an amount which was paid for points, rounded down.
create or replace function withdrawals.rate_of(points bigint, amount_units bigint) returns numeric
  language sql immutable set search_path = pg_catalog, pg_temp
as $$
  select div(rate_of.points * 100000000000000000000::numeric, 1000 * rate_of.amount_units) * 0.000000000001
$$;

-- Approves a pending request that was paid already, with the amount that was paid. The rate is the one that explains
-- this amount, rounded down. No bound of an approval holds, because the payment was made. Nobody decides their own
-- request. Returns whether this call approved it.
create or replace function withdrawals.approve_paid(id uuid, operator_id integer, amount_units bigint) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  asked record;
  moment timestamptz;
begin
  select w.member_id, w.amount_points, w.fee_points into asked
  from withdrawals.withdrawals w
  where w.id = approve_paid.id and w.state = 'pending'
    and not members.is_own(approve_paid.operator_id, w.member_id) for no key update;
  if not found then
    return false;
  end if;
  perform ledger.lock_wallets(array[asked.member_id]);
  perform from withdrawals.totals for no key update;
  moment := platform.business_now();
  perform withdrawals.queue_payout(approve_paid.id, approve_paid.operator_id,
    withdrawals.rate_of(asked.amount_points - asked.fee_points, approve_paid.amount_units),
    approve_paid.amount_units, moment, moment);
  update withdrawals.request_checks c set possible_references = '{}' where c.withdrawal_id = approve_paid.id;
  return true;
end
$$;
grant execute on function withdrawals.approve_paid(uuid, integer, bigint) to earnest_app;
