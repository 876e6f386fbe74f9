-- Withdrawals: requests, decisions and payouts. Only the functions of the files withdrawals/functions*.sql write
-- withdrawals, counts and totals. Points move in the same transaction.

create schema withdrawals;
grant usage on schema withdrawals to earnest_app;

-- The operators' settings of payment methods. The rails' registry has their names and order. Amounts are points; a
-- maximum of 0 means none. Credentials are one encrypted JSON text, settings are JSON, both in the rail's own shape.
create table withdrawals.methods (
  method text primary key check (method ~ '^[a-z]{2,20}$'),
  is_enabled boolean not null default false,
  minimum_points bigint not null default 0 check (minimum_points between 0 and 1000000000),
  maximum_points bigint not null default 0 check (maximum_points between 0 and 1000000000),
  fee_points bigint not null default 0 check (fee_points between 0 and 1000000000),
  -- The effective minimum of a withdrawal: at least 1,000 points and more than the fee.
  floor_points bigint not null generated always as (greatest(minimum_points, fee_points + 1, 1000)) stored,
  sealed_credentials text,
  settings jsonb not null default '{}'
);
-- The rails are registered in TypeScript, so an id here may be of no registered rail, which nobody can then choose. The
-- application makes a method's row at its first change, with the id alone, and never changes the id. The shape of
-- credentials and settings, such as the range of a port, is the rail's own and checked there at each write and at each
-- use: credentials are sealed, so the database can't check them.
grant select, insert (method),
  update (is_enabled, minimum_points, maximum_points, fee_points, sealed_credentials, settings)
  on withdrawals.methods to earnest_app;

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
  -- The payment's destination, in the canonical form of the method's rail.
  destination text not null check (length(destination) between 1 and 254),
  amount_points bigint not null check (amount_points between 1 and 1000000000000000),
  fee_points bigint not null check (fee_points >= 0 and fee_points < amount_points),
  state text not null default 'pending' check (state in ('pending', 'approved', 'rejected')),
  -- US dollars for one unit of the rail's currency, and the amount to pay in units of 10^-8 of it. The approval fixes
  -- both.
  rate numeric check (rate > 0),
  amount_units bigint check (amount_units > 0),
  reason text,
  -- Who turned it down: an operator, the member (cancelled), or the rail (failed).
  rejection_code text check (rejection_code in ('operator', 'cancelled', 'failed')),
  -- Until then it is not approved while the site holds new destinations: its destination is new, or the account's
  -- security changed shortly before the request.
  hold_until timestamptz,
  hold_reason text check (hold_reason in ('new_destination', 'security_change')),
  -- The first of two approvals, for a request that needs two operators.
  first_approved_by integer references members.members (id),
  first_approved_at timestamptz,
  created_at timestamptz not null,
  -- A real time before any payment for it. created_at may be of a wrong clock, and payments would not be found.
  real_since timestamptz not null default platform.believed_now(),
  -- The hash of what the member asked for, by which the audit finds a change. No other row repeats the destination
  -- before the approval.
  request_digest bigint,
  decided_at timestamptz,
  decided_by integer references members.members (id),
  -- When destination, reason and payment were removed by age. The rest is what the movements say.
  details_removed_at timestamptz,
  constraint withdrawals_member_number unique (member_id, member_number),
  constraint withdrawals_request_key unique (member_id, request_key),
  constraint withdrawals_decision check ((state = 'pending') = (decided_at is null)),
  constraint withdrawals_approval check (state <> 'approved' or (rate is not null and amount_units is not null)),
  constraint withdrawals_reason check ((state = 'rejected') = (rejection_code is not null)
    and (state <> 'rejected' or reason is not null)),
  constraint withdrawals_hold check ((hold_until is null) = (hold_reason is null)),
  constraint withdrawals_first_approval check ((first_approved_by is null) = (first_approved_at is null))
);
create index withdrawals_with_details on withdrawals.withdrawals (decided_at)
  where details_removed_at is null and decided_at is not null;
create index withdrawals_queue on withdrawals.withdrawals (state, queue_number desc);
-- For the caps, which sum the approvals of a day.
create index withdrawals_approved_of_member on withdrawals.withdrawals (member_id, decided_at)
  include (amount_points) where state = 'approved';
create index withdrawals_approved_of_method on withdrawals.withdrawals (method, decided_at)
  include (amount_points) where state = 'approved';
-- For the operators' timeline of a member.
create index withdrawals_decided_of_member on withdrawals.withdrawals (member_id, decided_at, id)
  where state <> 'pending';
create index withdrawals_amount on withdrawals.withdrawals (amount_points, queue_number);
create index withdrawals_destination on withdrawals.withdrawals (destination text_pattern_ops);
grant select on withdrawals.withdrawals to earnest_app;

-- The destinations that members used, kept by themselves. A destination that the member removed stays as a row, so
-- that a removal never makes the next one the first one.
create table withdrawals.destinations (
  id uuid primary key default gen_random_uuid(),
  member_id integer not null references members.members (id),
  method text not null references withdrawals.methods (method),
  destination text not null,
  first_used_at timestamptz not null,
  hold_until timestamptz,
  removed_at timestamptz,
  constraint destinations_of_member unique (member_id, method, destination)
);
grant select, update (removed_at) on withdrawals.destinations to earnest_app;

-- What operators were shown: the amount that an approval with this id pays. Rows are deleted after a day.
create table withdrawals.quotes (
  id uuid primary key default gen_random_uuid(),
  withdrawal_id uuid not null references withdrawals.withdrawals (id),
  rate numeric not null check (rate > 0),
  amount_units bigint not null check (amount_units > 0),
  sources jsonb not null,
  made_at timestamptz not null
);
create index quotes_withdrawal on withdrawals.quotes (withdrawal_id, made_at);
create index quotes_made_at on withdrawals.quotes (made_at);
grant select, insert, delete on withdrawals.quotes to earnest_app;

-- The number of a member's withdrawals. It changes only under the lock on the member's wallet.
create table withdrawals.member_counts (
  member_id integer primary key references members.members (id),
  withdrawal_count bigint not null,
  -- Requested and neither paid nor returned, and what was paid.
  waiting_points bigint not null default 0 check (waiting_points >= 0),
  paid_count bigint not null default 0,
  paid_points bigint not null default 0
);
grant select on withdrawals.member_counts to earnest_app;

-- Counts and sums over all withdrawals, so that no read counts all rows.
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

-- One payment per approved withdrawal. From the state `signed` on, the artifact is fixed and may have been sent.
create table withdrawals.payouts (
  withdrawal_id uuid primary key references withdrawals.withdrawals (id),
  method text not null references withdrawals.methods (method),
  destination text not null,
  amount_units bigint not null check (amount_units > 0),
  state text not null default 'queued'
    check (state in ('queued', 'signed', 'broadcast', 'confirmed', 'parked', 'failed')),
  -- The payment's name at the outside party, and the rail's own text from which it is sent.
  reference text,
  artifact text,
  -- The account that made the payment, as its method's was noted when the payment was stored.
  account text,
  -- Whether the payment was found at the outside party, not prepared here: an operator or the rail named it.
  is_found boolean not null default false,
  attempt_count integer not null default 0,
  -- The reason of the last failed attempt, for operators.
  trouble text,
  due_at timestamptz not null,
  -- Until then the approval can be taken back, and nothing is prepared.
  not_before timestamptz not null default '-infinity',
  queued_at timestamptz not null,
  signed_at timestamptz,
  broadcast_at timestamptz,
  finished_at timestamptz,
  -- References of payments that may have paid it already, as the operator reads them, and what the outside party's list
  -- said of these: reference, destination, amount (as text) and time. Of other references it says nothing.
  possible_references text[] not null default '{}',
  possible_payments jsonb not null default '[]',
  -- References of payments to the same destination of which an operator said that they are not this payout's.
  cleared_references text[] not null default '{}',
  -- The operator who took the approval back or gave the payout up, from when on nothing is prepared for it, and the
  -- reason for the member, null for an approval that is taken back. It ends so when it is certain that nothing paid it.
  halted_by integer references members.members (id),
  halt_reason text,
  constraint payouts_halt check (halted_by is not null or halt_reason is null),
  -- One payment may have paid several payouts, each with an own destination.
  constraint payouts_reference unique (method, reference, destination),
  -- One spelling of a transaction's id, so that the line above holds for payments and not only for texts.
  constraint payouts_reference_spelling check (reference !~* '^[0-9a-f]{64}$' or reference = lower(reference)),
  constraint payouts_signed check (
    state in ('queued', 'failed', 'parked')
    or (reference is not null and artifact is not null and signed_at is not null)),
  constraint payouts_queued check (state <> 'queued' or artifact is null),
  -- A payment is stored as a whole: with its name, what is needed to send it, and when it was prepared.
  constraint payouts_payment check (
    num_nonnulls(reference, artifact, signed_at) in (0, 3) and length(reference) > 0 and length(artifact) > 0)
);
create index payouts_unfinished on withdrawals.payouts (method, due_at)
  where state in ('queued', 'signed', 'broadcast', 'parked');
-- A payment that was prepared here is one payout's.
create unique index payouts_prepared on withdrawals.payouts (method, reference) where not is_found;
create index payouts_by_reference on withdrawals.payouts (reference);
grant select on withdrawals.payouts to earnest_app;
-- Only `withdrawals.queue_payout` writes the recipient, amount and method that an operator approved, and only the
-- removal by age changes them. The application may update only the columns for the progress of the payment, so it
-- can't redirect a payment.
grant update (
  state, reference, artifact, is_found, signed_at, broadcast_at, attempt_count, trouble, due_at, possible_references,
  possible_payments, cleared_references, halted_by, halt_reason
) on withdrawals.payouts to earnest_app;

-- US dollars for one unit of each currency: the rate that payouts use, and one that moved so far that it waits for an
-- operator. `currency` is its name at the rate sources. `sources` is what each source said, `priced_at` the time of the
-- price by the sources' own clocks where they state one, `fetched_at` the time at which they answered last.
create table withdrawals.rates (
  currency text primary key,
  usd numeric check (usd > 0),
  sources jsonb,
  priced_at timestamptz,
  fetched_at timestamptz,
  waiting_usd numeric check (waiting_usd > 0),
  waiting_sources jsonb,
  waiting_priced_at timestamptz,
  constraint rates_believed check (num_nonnulls(usd, sources, priced_at) in (0, 3)),
  constraint rates_waiting check (num_nonnulls(waiting_usd, waiting_sources, waiting_priced_at) in (0, 3))
);
grant select, insert, update on withdrawals.rates to earnest_app;

-- The rates that were believed in the last day. A new rate is compared with those of its last hour.
create table withdrawals.rate_history (
  id bigint generated always as identity primary key,
  currency text not null,
  usd numeric not null check (usd > 0),
  believed_at timestamptz not null,
  -- The operator who confirmed it. Rates before a confirmed one are not compared any more.
  confirmed_by integer references members.members (id)
);
create index rate_history_currency on withdrawals.rate_history (currency, id);
grant select, insert, delete on withdrawals.rate_history to earnest_app;

-- What identifies this database among its copies. The newest row's count grows with each payment that is stored. Each
-- node keeps stamp and count in a marker outside the database, so that a start sees that an older copy was restored.
-- A new row begins when one was, so that the copy and what went on without it differ from then on.
create table withdrawals.timelines (
  number bigint generated always as identity primary key,
  stamp uuid not null unique default gen_random_uuid(),
  payment_count bigint not null default 0 check (payment_count >= 0),
  -- A hash of the references of all its payments in their order: that of the newest payment, and of the one before.
  digest text not null default '',
  began_at timestamptz not null default platform.business_now()
);
insert into withdrawals.timelines default values;
grant select, insert on withdrawals.timelines to earnest_app;

-- Which payments a timeline had up to each number. A node whose marker is behind sees by it that a restored copy has
-- counted other payments under the same numbers since.
create table withdrawals.counted_payments (
  timeline bigint not null references withdrawals.timelines (number),
  number bigint not null check (number > 0),
  digest text not null,
  stored_at timestamptz not null,
  primary key (timeline, number)
);
grant select on withdrawals.counted_payments to earnest_app;

-- The comparison of a method's payouts with the outside party's own list of payments, after a restore. While it is not
-- done, no payment of the method is prepared.
create table withdrawals.reconciliations (
  method text primary key references withdrawals.methods (method),
  -- Why it is needed.
  reason text not null,
  asked_at timestamptz not null,
  done_at timestamptz,
  -- Why it is not done yet.
  trouble text,
  -- The accounts whose lists are still to be compared, as the marker names them.
  awaited_accounts text[] not null default '{}',
  -- The time of the newest payment that this database certainly shares with the node that asked.
  since timestamptz,
  -- When an operator ended it, because the payments can never be listed.
  given_up_at timestamptz
);
grant select, insert, update on withdrawals.reconciliations to earnest_app;

-- Payments of the outside party's list that no payout accounts for, found by a reconciliation.
create table withdrawals.unaccounted_payments (
  method text not null references withdrawals.methods (method),
  reference text not null,
  destination text not null,
  amount_units bigint not null check (amount_units > 0),
  paid_at timestamptz not null,
  found_at timestamptz not null,
  -- When an operator took note of it on the command line.
  seen_at timestamptz,
  primary key (method, reference, destination)
);
create index unaccounted_payments_destination on withdrawals.unaccounted_payments (method, destination);
grant select, insert, update (seen_at) on withdrawals.unaccounted_payments to earnest_app;

-- Pending requests that a reconciliation compared with payments that no payout accounts for. While there are payments
-- that may have paid one, nobody decides it: an operator settles it by one of them, or says that none of them paid it.
create table withdrawals.request_checks (
  withdrawal_id uuid primary key references withdrawals.withdrawals (id),
  possible_references text[] not null default '{}',
  -- As in payouts.
  possible_payments jsonb not null default '[]',
  cleared_references text[] not null default '{}',
  -- What the operator reads.
  reason text not null,
  found_at timestamptz not null
);
grant select, insert, update (possible_references, possible_payments, cleared_references, reason, found_at)
  on withdrawals.request_checks to earnest_app;

-- Payments of a payout that can certainly never be made, so that another one was prepared for it.
create table withdrawals.former_payments (
  method text not null,
  reference text not null,
  withdrawal_id uuid not null references withdrawals.payouts (withdrawal_id),
  artifact text not null,
  reason text not null,
  ended_at timestamptz not null,
  primary key (method, reference, withdrawal_id)
);
grant select on withdrawals.former_payments to earnest_app;

-- The account that each method paid from when it was last compared, in the outside party's words, or a made-up name if
-- it has none. Another one has another list of payments.
create table withdrawals.paying_accounts (
  method text primary key references withdrawals.methods (method),
  -- Null until the next comparison after an operator changed it.
  account text,
  noted_at timestamptz not null
);
-- Only the functions of functions-accounts.sql write it: by another name the present account's list would be taken for
-- that of the account that paid.
grant select on withdrawals.paying_accounts to earnest_app;

-- What was paid on each site day by each method, kept by a sweep; the rows of today grow. A day without a row had no
-- payment. Days up to `closed_until` change no more.
create table withdrawals.paid_days (
  method text not null references withdrawals.methods (method),
  site_day date not null,
  payout_count bigint not null,
  points numeric not null,
  primary key (method, site_day)
);
create table withdrawals.paid_days_end (
  is_only_row boolean primary key default true check (is_only_row),
  -- Null until the first day is closed.
  closed_until date
);
insert into withdrawals.paid_days_end default values;
-- For the sums of a day.
create index payouts_confirmed on withdrawals.payouts (finished_at) where state = 'confirmed';
grant select, insert, update on withdrawals.paid_days to earnest_app;
grant select, update on withdrawals.paid_days_end to earnest_app;

-- What each paying account held at the last look of a site day, and what waits to be paid from it. A day without a look
-- has the row of the day before, with the time of that look.
create table withdrawals.balance_days (
  method text not null references withdrawals.methods (method),
  site_day date not null,
  -- In the currency of the method, like `needed`.
  balance numeric not null,
  -- US dollars for one unit of the currency; null where no rate was known.
  usd numeric,
  -- Approved and not paid, and requested at this rate.
  needed numeric not null,
  -- Since when the account holds less than is needed; null while it holds enough.
  short_since timestamptz,
  noted_at timestamptz not null,
  primary key (method, site_day)
);
grant select, insert, update on withdrawals.balance_days to earnest_app;
