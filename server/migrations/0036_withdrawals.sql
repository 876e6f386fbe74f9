-- When an operator last let a method pay from another account than before. A payment of an earlier time may be of an
-- account that answers no more: that the present one lacks it says nothing.
alter table withdrawals.paying_accounts add column forgotten_at timestamptz;
-- A former release did not keep it. Its accounts may all have been changed.
update withdrawals.paying_accounts set forgotten_at = noted_at;
