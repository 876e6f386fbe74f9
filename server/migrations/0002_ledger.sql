-- The books: every movement of points, and beside it the wallet that the same statement keeps.
-- The application may read here. It writes through the functions of ledger/functions.sql alone.

create schema ledger;
grant usage on schema ledger to earnest_app;

-- Neither table has check constraints: PostgreSQL reads the text of each anew for every statement, which halved
-- the rate. ledger.is_sound says the same inside the functions, which alone write here, and the audit says it again.

-- One row per member. Room on the page and no index but the key's let every update stay on its page (HOT).
create table ledger.wallets (
  member_id integer primary key,
  balance bigint not null default 0,
  -- The number of the newest movement; movements are numbered from 1 without a gap.
  movement_count bigint not null default 0,
  earned_total bigint not null default 0,
  tasks_completed integer not null default 0,
  is_closed boolean not null default false,
  -- The latest site day on which points were earned, and the points earned on it and on the seven days before:
  -- day_sums[1] belongs to `today`, day_sums[8] to a week earlier.
  today date not null,
  day_sums bigint[] not null default array_fill(0::bigint, array[8])
) with (fillfactor = 60);
grant select on ledger.wallets to earnest_app;

-- One row names both sides: the member's wallet, and the counter account that loses what the wallet gains.
create table ledger.movements (
  seq bigint not null,
  amount bigint not null,
  balance_after bigint not null,
  -- What this movement added to earned_total and to the sum of its site day; task_delta to tasks_completed.
  earned_delta bigint not null,
  posted_at timestamptz not null,
  member_id integer not null,
  site_day date not null,
  task_delta smallint not null,
  kind text not null,
  account text not null,
  -- Named by the caller and unique for ever: the same key again has no effect.
  key text not null,
  description text not null,
  provider text,
  transaction_id text,
  primary key (member_id, seq),
  constraint movements_key unique (key)
);
grant select on ledger.movements to earnest_app;

-- Finds the newest movements of all members, which lie together at the end of the table. An engine without
-- BRIN (YugabyteDB) wants an ordinary index here: (posted_at) split by range.
create index movements_posted_at on ledger.movements using brin (posted_at) with (pages_per_range = 32, autosummarize);

-- House accounts are derived. This holds their sums up to a moment that no running statement can still write
-- before; what came after is read from the movements.
create table ledger.account_days (
  account text not null,
  site_day date not null,
  kind text not null,
  movement_count bigint not null,
  amount numeric not null,
  primary key (account, site_day, kind)
);
create table ledger.account_days_end (
  is_only_row boolean primary key default true check (is_only_row),
  closed_until timestamptz not null default '-infinity'
);
insert into ledger.account_days_end default values;
grant select on ledger.account_days, ledger.account_days_end to earnest_app;

-- One movement that a caller asks for. Items of one call with the same link are posted together or not at all.
create type ledger.item as (
  member_id integer,
  key text,
  kind text,
  amount bigint,
  account text,
  description text,
  provider text,
  transaction_id text,
  is_task boolean,
  link integer
);
