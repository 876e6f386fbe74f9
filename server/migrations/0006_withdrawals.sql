-- Withdrawals: requests, decisions and payouts. Only the functions of withdrawals/functions.sql write withdrawals,
-- counts and totals, each together with the movement of points that belongs to it.

create schema withdrawals;
grant usage on schema withdrawals to earnest_app;

-- The ways to pay out. Amounts are points; a maximum of 0 means none. User and password of a coin node are encrypted.
create table withdrawals.methods (
  method text primary key,
  position smallint not null unique,
  name text not null,
  is_enabled boolean not null default false,
  minimum_points bigint not null default 0 check (minimum_points between 0 and 1000000000),
  maximum_points bigint not null default 0 check (maximum_points between 0 and 1000000000),
  fee_points bigint not null default 0 check (fee_points between 0 and 1000000000),
  rpc_host text,
  rpc_port integer check (rpc_port between 1 and 65535),
  sealed_rpc_user text,
  sealed_rpc_password text
);
insert into withdrawals.methods (method, position, name) values
  ('litecoin', 1, 'Litecoin'), ('dash', 2, 'Dash'), ('paypal', 3, 'PayPal'), ('nowpayments', 4, 'NOWPayments');
grant select, update on withdrawals.methods to earnest_app;

create table withdrawals.withdrawals (
  id uuid primary key default gen_random_uuid(),
  -- The order in the operators' queue. A failed request leaves a gap.
  queue_number bigint generated always as identity unique,
  member_id integer not null references members.members (id),
  -- The member's own number, from 1 without a gap. Pages are ranges of it.
  member_number bigint not null check (member_number > 0),
  -- The caller's Idempotency-Key: a repeated request finds the first one by it.
  request_key text,
  method text not null references withdrawals.methods (method),
  address text not null check (length(address) between 1 and 254),
  amount_points bigint not null check (amount_points between 1 and 1000000000000000),
  fee_points bigint not null check (fee_points >= 0 and fee_points < amount_points),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  -- US dollars for one coin and the coin to pay, in units of 10^-8, both fixed by the approval.
  rate numeric check (rate > 0),
  coin_units bigint check (coin_units > 0),
  reason text,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by integer references members.members (id),
  constraint withdrawals_member_number unique (member_id, member_number),
  constraint withdrawals_request_key unique (member_id, request_key),
  constraint withdrawals_decision check ((state = 'pending') = (decided_at is null)),
  constraint withdrawals_approval check (state <> 'approved' or (rate is not null and coin_units is not null)),
  constraint withdrawals_reason check (state <> 'rejected' or reason is not null)
);
create index withdrawals_queue on withdrawals.withdrawals (state, queue_number desc);
create index withdrawals_amount on withdrawals.withdrawals (amount_points, queue_number);
create index withdrawals_address on withdrawals.withdrawals (address text_pattern_ops);
grant select on withdrawals.withdrawals to earnest_app;

-- How many withdrawals a member ever requested, and how many on the latest site day with a request. Changed only
-- under the lock on the member's wallet.
create table withdrawals.member_counts (
  member_id integer primary key references members.members (id),
  withdrawal_count bigint not null,
  site_day date not null,
  day_count integer not null
);
grant select on withdrawals.member_counts to earnest_app;

-- Counts and sums over all withdrawals, so that no list or card counts all rows.
create table withdrawals.totals (
  is_only_row boolean primary key default true check (is_only_row),
  pending_count bigint not null default 0 check (pending_count >= 0),
  pending_points numeric not null default 0 check (pending_points >= 0),
  approved_count bigint not null default 0 check (approved_count >= 0),
  rejected_count bigint not null default 0 check (rejected_count >= 0),
  paid_count bigint not null default 0,
  paid_points numeric not null default 0
);
insert into withdrawals.totals default values;
grant select on withdrawals.totals to earnest_app;

-- One payment per approved withdrawal. From `signed` on its bytes are fixed for ever and may have been sent.
create table withdrawals.payouts (
  withdrawal_id uuid primary key references withdrawals.withdrawals (id),
  method text not null references withdrawals.methods (method),
  address text not null,
  coin_units bigint not null check (coin_units > 0),
  state text not null default 'queued'
    check (state in ('queued', 'signed', 'broadcast', 'confirmed', 'parked', 'failed')),
  transaction_id text,
  bytes_hex text,
  -- The coins that the payment spends: [{ transactionId, outputIndex }].
  inputs jsonb,
  network_fee text,
  -- A block before the payment. The search for a rival that spent its coins starts there.
  signed_after_block text,
  attempt_count integer not null default 0,
  confirmation_count integer not null default 0,
  -- What went wrong in the last attempt, for the operator.
  trouble text,
  due_at timestamptz not null,
  queued_at timestamptz not null,
  signed_at timestamptz,
  broadcast_at timestamptz,
  finished_at timestamptz,
  constraint payouts_transaction unique (method, transaction_id),
  constraint payouts_signed check (
    state in ('queued', 'failed')
    or (transaction_id is not null and bytes_hex is not null and inputs is not null and signed_at is not null)),
  constraint payouts_queued check (state <> 'queued' or bytes_hex is null)
);
create index payouts_unfinished on withdrawals.payouts (method, due_at)
  where state in ('queued', 'signed', 'broadcast', 'parked');
create index payouts_transaction_id on withdrawals.payouts (transaction_id);
grant select on withdrawals.payouts to earnest_app;
-- An operator approved whom a payout pays, how much and by which method: only the functions of
-- withdrawals/functions.sql write that. The application may update only the columns that record the progress of the
-- payment, so no statement of it can pay somebody else.
grant update (
  state, transaction_id, bytes_hex, inputs, network_fee, signed_after_block, signed_at, broadcast_at,
  attempt_count, confirmation_count, trouble, due_at
) on withdrawals.payouts to earnest_app;

create table withdrawals.rates (
  coin text primary key,
  usd numeric not null check (usd > 0),
  fetched_at timestamptz not null
);
grant select, insert, update on withdrawals.rates to earnest_app;
