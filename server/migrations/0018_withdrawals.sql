-- Whose a payment is that no payout accounts for, as the record of the node that sent it says: its points are back in
-- that member's balance. Null while no node knows. The member alone is null if this database does not have that person.
alter table withdrawals.unaccounted_payments
  add column withdrawal_id uuid,
  add column member_id integer,
  add column points bigint check (points > 0),
  add check (num_nulls(withdrawal_id, points) in (0, 2) and (member_id is null or withdrawal_id is not null));
create index unaccounted_payments_member on withdrawals.unaccounted_payments (member_id) where seen_at is null;
grant update (withdrawal_id, member_id, points) on withdrawals.unaccounted_payments to earnest_app;
