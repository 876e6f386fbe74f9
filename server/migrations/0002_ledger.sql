-- The books: every movement of points, and the wallets that the same function updates. The application may read the
-- tables. It writes only through the functions of ledger/functions.sql.

create schema ledger;
grant usage on schema ledger to earnest_app;

-- Neither table has check constraints: PostgreSQL parses the text of each check for every statement, which halved
-- the rate. Only the functions write here, and ledger.is_sound checks the same in them. The audit checks it again.

-- One row per member. Free room on the page and no index besides the primary key keep every update on its page (HOT).
create table ledger.wallets (
  member_id integer primary key,
  balance bigint not null default 0,
  -- The number of the newest movement. Movements are numbered from 1 without a gap.
  movement_count bigint not null default 0,
  earned_total bigint not null default 0,
  tasks_completed integer not null default 0,
  is_closed boolean not null default false,
  -- The latest site day on which points were earned, and the points earned on it and on the seven days before:
  -- day_sums[1] belongs to `today`, day_sums[8] to the same weekday a week earlier.
  today date not null,
  day_sums bigint[] not null default array_fill(0::bigint, array[8])
) with (fillfactor = 60);
grant select on ledger.wallets to earnest_app;

-- A row names both sides: the member's wallet, and the house account that changes by the opposite amount.
create table ledger.movements (
  seq bigint not null,
  amount bigint not null,
  balance_after bigint not null,
  -- Points added to earned_total and to the sum of the site day. task_delta is added to tasks_completed.
  earned_delta bigint not null,
  posted_at timestamptz not null,
  member_id integer not null,
  site_day date not null,
  task_delta smallint not null,
  kind text not null,
  account text not null,
  -- Chosen by the caller and unique for ever. A second movement with the same key has no effect. The order of its index
  -- is that of bytes on every server, so that the audit reads ranges of keys.
  key text collate "C" not null,
  -- By kind: the offer's name, the reason of a reversal or a grant, the day of the bonus, the friend, the side of the
  -- coin, the payment method. The web makes sentences of it in either language.
  subject text not null,
  provider text,
  transaction_id text,
  primary key (member_id, seq),
  constraint movements_key unique (key)
);
grant select on ledger.movements to earnest_app;

-- Finds the newest movements of all members, which lie together at the end of the table. Where an engine has no BRIN
-- (YugabyteDB), use an ordinary index on (posted_at) instead, split by range.
create index movements_posted_at on ledger.movements using brin (posted_at) with (pages_per_range = 32, autosummarize);

-- House accounts are derived from movements. These tables hold their sums up to a moment before which no running
-- statement can still write. Later movements are summed when the accounts are read.
create table ledger.account_days (
  account text not null,
  site_day date not null,
  kind text not null,
  movement_count bigint not null,
  amount numeric not null,
  -- The sum of the hashes of the movements, by which the audit finds any change of one.
  digest numeric not null,
  primary key (account, site_day, kind)
);
create table ledger.account_days_end (
  is_only_row boolean primary key default true check (is_only_row),
  closed_until timestamptz not null default '-infinity'
);
insert into ledger.account_days_end default values;
grant select on ledger.account_days, ledger.account_days_end to earnest_app;

-- The audits of the books: one row each, from when it is asked for. At most one of a cause waits or runs.
create table ledger.audits (
  id bigint generated always as identity primary key,
  cause text not null check (cause in ('night', 'start', 'operator')),
  due_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  piece_count integer not null default 0,
  finding_count integer not null default 0,
  -- What each check did: its name, its pieces, its findings, and why it could not be made.
  checks jsonb not null default '[]'
);
create unique index audits_open on ledger.audits (cause) where finished_at is null;
-- What an audit found, capped in number.
create table ledger.audit_findings (
  audit_id bigint not null references ledger.audits (id) on delete cascade,
  place integer not null,
  check_name text not null,
  subject text not null,
  expected text not null,
  actual text not null,
  primary key (audit_id, place)
);
grant select, insert, update, delete on ledger.audits, ledger.audit_findings to earnest_app;

-- One movement that a caller asks for. Items of one call with the same link are posted together or not at all.
create type ledger.item as (
  member_id integer,
  key text,
  kind text,
  amount bigint,
  account text,
  subject text,
  provider text,
  transaction_id text,
  is_task boolean,
  link integer
);
