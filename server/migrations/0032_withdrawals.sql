-- A payout that an operator settled by the record of sent payments: the outside party does not show its payment, so
-- there is nothing to send or to look up. Only functions of the owner write it.
alter table withdrawals.payouts
  add column is_by_record boolean not null default false,
  drop constraint payouts_signed,
  drop constraint payouts_payment;
update withdrawals.payouts set is_by_record = true, artifact = null where artifact = 'recorded';
alter table withdrawals.payouts
  add constraint payouts_signed check (
    state in ('queued', 'failed', 'parked')
    or (reference is not null and (artifact is not null or is_by_record) and signed_at is not null)),
  -- A payment is stored as a whole: with its name, what is needed to send it, and when it was prepared. One that only
  -- the record knows can't be sent.
  add constraint payouts_payment check (
    num_nonnulls(reference, signed_at) in (0, 2) and length(reference) > 0 and length(artifact) > 0
    and case when reference is null then artifact is null else artifact is not null or is_by_record end),
  add constraint payouts_by_record check (
    not is_by_record or reference is not null and state in ('broadcast', 'confirmed'));
