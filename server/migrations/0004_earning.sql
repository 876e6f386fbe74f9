-- Providers, what they told us, what was earned and what was taken back.

create schema earning;
grant usage on schema earning to earnest_app;

create table earning.providers (
  id text primary key check (id ~ '^[a-z][a-z0-9-]{1,39}$'),
  name text not null,
  type text not null check (type in ('survey', 'offerwall')),
  -- The wall's own address; empty means the adapter's.
  url text not null default '',
  api_key text not null default '',
  -- The key that verifies postbacks, encrypted; null while none is set, and then nothing verifies.
  sealed_secret text,
  is_enabled boolean not null default false,
  settings jsonb not null,
  updated_at timestamptz not null default platform.business_now()
);
grant select, insert, update on earning.providers to earnest_app;

-- Every call of a provider, good or bad, as it came, with what became of it. Written once.
create table earning.postbacks (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  provider text not null,
  transaction_id text,
  -- Method, path with query, and a body where there is one.
  raw text not null,
  address text not null,
  verdict text not null,
  detail text not null default ''
);
create index postbacks_at on earning.postbacks using brin (at) with (pages_per_range = 32, autosummarize);
grant select, insert on earning.postbacks to earnest_app;

-- What a member earned, once for each transaction of a provider. `left_points` is what a reversal may still take.
-- It has no check constraint and no foreign key: PostgreSQL reads the text of each check anew for every statement,
-- and a foreign key locks and so rewrites the member's row for every credit, together a sixth of the rate. The
-- functions of earning alone write here, for members whose wallet they have locked.
create table earning.earnings (
  provider text not null,
  transaction_id text not null,
  member_id integer not null,
  -- Above 0.
  points bigint not null,
  -- From 0 to points.
  left_points bigint not null,
  payout_micro_usd bigint,
  -- What the member's history says of it.
  description text not null,
  is_screen_out boolean not null,
  -- held, credited or rejected.
  state text not null,
  created_at timestamptz not null,
  -- Only earnings that waited for an operator have a number; it names them in the operators' list.
  held_id bigint,
  hold_reason text,
  decided_at timestamptz,
  decided_by integer,
  review_note text,
  primary key (provider, transaction_id)
);
create unique index earnings_held_id on earning.earnings (held_id) where held_id is not null;
create index earnings_held on earning.earnings (held_id desc) where state = 'held';
create index earnings_held_member on earning.earnings (member_id) where state = 'held';
create sequence earning.held_ids;
grant select on earning.earnings to earnest_app;

-- What a provider took back, once for each of its own ids.
create table earning.reversals (
  provider text not null,
  transaction_id text not null,
  credit_transaction_id text not null,
  member_id integer not null references members.members (id),
  taken_points bigint not null check (taken_points >= 0),
  reason text not null,
  created_at timestamptz not null,
  primary key (provider, transaction_id)
);
grant select on earning.reversals to earnest_app;

-- What could not be booked: credits for nobody we know, and reversals whose credit has not come (yet). Operators
-- resolve them; a reversal is also resolved by its credit, when that comes.
create table earning.quarantine (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  provider text not null,
  kind text not null check (kind in ('credit', 'reversal')),
  transaction_id text not null,
  credit_transaction_id text not null,
  member_ref text not null,
  points bigint check (points > 0),
  payout_micro_usd bigint,
  description text not null,
  is_screen_out boolean not null,
  reason text not null,
  state text not null default 'open' check (state in ('open', 'booked', 'dismissed')),
  resolved_at timestamptz,
  resolved_by integer references members.members (id),
  note text,
  unique (provider, transaction_id, kind)
);
create index quarantine_waiting on earning.quarantine (provider, credit_transaction_id)
  where state = 'open' and kind = 'reversal';
create index quarantine_open on earning.quarantine (id desc) where state = 'open';
grant select on earning.quarantine to earnest_app;

-- Counts of held earnings, kept by the acts that change them, so that nothing counts history.
create table earning.approval_totals (
  is_only_row boolean primary key default true check (is_only_row),
  pending_count bigint not null default 0 check (pending_count >= 0),
  pending_points bigint not null default 0 check (pending_points >= 0),
  approved_count bigint not null default 0,
  rejected_count bigint not null default 0
);
insert into earning.approval_totals default values;
grant select on earning.approval_totals to earnest_app;

-- When a member opened a wall, for the line from click to credit.
create table earning.openings (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  provider text not null,
  opened_at timestamptz not null
);
create index openings_member on earning.openings (member_id, id desc);
grant select, insert on earning.openings to earnest_app;

-- One call of a provider in our words, as the application hands it over.
create type earning.call as (
  item_position integer,
  -- credit, reversal, or nothing: kept, and without effect.
  kind text,
  provider text,
  transaction_id text,
  credit_transaction_id text,
  member_ref text,
  -- Of a reversal: what it names, null for all.
  points bigint,
  payout_micro_usd bigint,
  description text,
  -- What the member's history says.
  movement_description text,
  is_screen_out boolean,
  -- Why an operator must look first; null where nothing is odd about the call.
  hold_reason text,
  raw text,
  address text,
  -- Of nothing: what to keep as the verdict.
  verdict text,
  detail text
);
