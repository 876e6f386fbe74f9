-- Payments that the record of a node knows, where no list can be read: a line of a former release names no amount, and
-- then it is 0. And when an operator took note of a payment whose member became known later.
alter table withdrawals.unaccounted_payments
  add column noted_unnamed_at timestamptz,
  drop constraint unaccounted_payments_amount_units_check,
  add constraint unaccounted_payments_amount_units_check check (amount_units >= 0);
grant update (noted_unnamed_at, amount_units) on withdrawals.unaccounted_payments to earnest_app;
