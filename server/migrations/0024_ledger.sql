-- The trial balance at its last count. To add up all wallets takes longer with every member, so a sweep does it and the
-- operators' page reads this row.
create table ledger.trial_balances (
  is_only_row boolean primary key default true check (is_only_row),
  taken_at timestamptz not null,
  -- Each account with its balance; all members together are `members`.
  accounts jsonb not null,
  -- What each provider's account gave to members less what it took back, by the age of its site day.
  receivables jsonb not null,
  -- The members whose balance is below zero, and what is missing to zero.
  debtor_count bigint not null,
  debt_points numeric not null
);
grant select on ledger.trial_balances to earnest_app;
