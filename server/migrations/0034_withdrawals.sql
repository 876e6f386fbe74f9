-- When a list of the outside party last had a payment that no payout accounts for; null if only the record of a node
-- has it. And when it was noted as one that was never made: a list that has it later ends this note.
alter table withdrawals.unaccounted_payments
  add column listed_at timestamptz,
  add column never_made_at timestamptz;
-- Until now a payment that nobody's record names came from a list.
update withdrawals.unaccounted_payments set listed_at = found_at where withdrawal_id is null;
grant update (listed_at, never_made_at) on withdrawals.unaccounted_payments to earnest_app;

-- The view has other columns from now on. `functions-already-paid.sql` makes both again.
drop view if exists withdrawals.open_unaccounted, withdrawals.unnoted_payments;
