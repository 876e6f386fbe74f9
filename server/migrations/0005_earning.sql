-- Earning: providers, their calls, earnings, reversals, and the catalogue of tasks.

create schema earning;
grant usage on schema earning to earnest_app;

-- Rows are added when the site starts, because their first values depend on the mode.
create table earning.providers (
  -- `manual` is the provider of operators' chargebacks.
  id text primary key check (id ~ '^[a-z][a-z0-9-]{1,39}$' and id <> 'manual'),
  name text not null,
  type text not null check (type in ('survey', 'offerwall')),
  -- The wall's URL. Empty means the adapter's default.
  -- Its origin stands in the content policy of documents.
  url text not null default '' check (url = '' or url ~ '^https?://[a-z0-9.:-]+(/[^;,*[:space:]]*)?$'),
  api_key text not null default '',
  -- The key that verifies postbacks, encrypted. While it is null, no postback is verified.
  sealed_secret text,
  -- The key before it, and since when it is the former one. Its calls verify for a time after the change.
  former_sealed_secret text,
  secret_changed_at timestamptz,
  is_enabled boolean not null default false,
  -- Stays true after the first time, because members' histories may name the provider from then on.
  was_enabled boolean not null default false,
  settings jsonb not null,
  updated_at timestamptz not null default platform.business_now()
);
grant select, insert, update on earning.providers to earnest_app;

-- The raw calls of providers, valid or not, each with its verdict. Rows are never changed.
create table earning.postbacks (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  provider text not null,
  transaction_id text,
  -- Method, path with query, and the body if there is one.
  raw text not null,
  address text not null,
  verdict text not null,
  detail text not null default ''
);
-- Where an engine has no BRIN (YugabyteDB), use an ordinary index on (at) instead, split by range.
create index postbacks_at on earning.postbacks using brin (at) with (pages_per_range = 32, autosummarize);
grant select, insert on earning.postbacks to earnest_app;

-- What operators look for in a call that is no ordinary credit, one row for each. An ordinary credit is found by its
-- earning and has no row here, so it pays nothing for these indexes.
create table earning.other_calls (
  postback_id bigint primary key,
  provider text not null,
  -- As the call says, which may be refused. Empty or null if it can't be read.
  transaction_id text,
  member_ref text not null,
  -- Of its verdict, see earning.outcome_of.
  outcome text not null
);
create index other_calls_outcome on earning.other_calls (outcome, postback_id desc);
create index other_calls_provider on earning.other_calls (provider, outcome, postback_id desc);
create index other_calls_transaction on earning.other_calls (transaction_id);
create index other_calls_member on earning.other_calls (member_ref, postback_id desc);
grant select on earning.other_calls to earnest_app;

-- Calls that an operator replayed, each at most once.
create table earning.replays (
  postback_id bigint primary key,
  at timestamptz not null default platform.business_now(),
  operator_id integer not null references members.members (id),
  -- The verdict of the replay.
  verdict text not null
);
grant select, insert on earning.replays to earnest_app;

-- How many calls had which verdict, by site day. Each node adds its counts once a second, outside of the credits. Only
-- the last 40 days are kept.
create table earning.call_sums (
  site_day date not null,
  -- `unknown` for calls to a provider that does not exist.
  provider text not null,
  verdict text not null,
  calls bigint not null,
  -- Of booked credits.
  points bigint not null,
  primary key (site_day, provider, verdict)
);
grant select, insert, update, delete on earning.call_sums to earnest_app;

-- Members' earnings, one row per transaction of a provider. The table has no check constraint and no foreign key:
-- PostgreSQL parses the text of each check for every statement, and a foreign key locks and so rewrites the member's
-- row for every credit. Together they cost a sixth of the rate. Only the functions of earning write to the table, and
-- only for members whose wallet they have locked.
-- The index is in the order of bytes, as that of the movements' keys, so that the audit reads both in the same ranges.
create table earning.earnings (
  provider text collate "C" not null,
  transaction_id text collate "C" not null,
  member_id integer not null,
  -- Above 0.
  points bigint not null,
  -- The points that reversals may still take, from 0 to points.
  left_points bigint not null,
  payout_micro_usd bigint,
  -- The offer's name from the provider. May be empty.
  subject text not null,
  is_screen_out boolean not null,
  -- held, credited or rejected.
  state text not null,
  created_at timestamptz not null,
  -- Only earnings that waited for an operator have a number. It names them in the operators' list.
  held_id bigint,
  hold_reason text,
  decided_at timestamptz,
  decided_by integer,
  review_note text,
  primary key (provider, transaction_id)
);
create unique index earnings_held_id on earning.earnings (held_id) where held_id is not null;
create index earnings_held on earning.earnings (held_id desc) where state = 'held';
-- All earnings that were ever held. Ordinary earnings have no number and are not in the index.
create index earnings_ever_held on earning.earnings (member_id, held_id desc) where held_id is not null;
-- What an operator decided on a day.
create index earnings_decided on earning.earnings (decided_by, decided_at) where decided_by is not null;
create sequence earning.held_ids;
grant select on earning.earnings to earnest_app;

-- Reversals, one row per reversal id of a provider, and operators' chargebacks. Those have no credit, and the provider
-- `manual` or, for a test, the provider that they are labelled with.
create table earning.reversals (
  provider text collate "C" not null,
  transaction_id text collate "C" not null,
  credit_transaction_id text,
  member_id integer not null references members.members (id),
  taken_points bigint not null check (taken_points >= 0),
  -- The provider's or the operator's reason. May be empty.
  reason text not null,
  -- Decided at booking, see earning.reason_class_of.
  reason_class text not null check (reason_class in ('vpn', 'fraud', 'invalid', 'duplicate', 'admin', 'policy')),
  created_at timestamptz not null,
  -- Names it in the operators' list.
  id bigint generated always as identity unique,
  -- Of an operator's chargeback: the caller's key, by which a repeated request finds it, and the operator. Null for the
  -- command line.
  request_key text unique,
  booked_by integer references members.members (id),
  primary key (provider, transaction_id),
  constraint reversals_of_credits check ((credit_transaction_id is null) = (request_key is not null)),
  -- Nobody changes their own balance.
  constraint reversals_of_others check (booked_by <> member_id)
);
-- Finds the reversals of a credit, because a reversal may have its own id.
create index reversals_credit on earning.reversals (provider, credit_transaction_id);
-- A member's chargebacks, newest first. The index holds reversals only, so credits do not pay for it.
create index reversals_member on earning.reversals (member_id, created_at desc) where taken_points > 0;
-- The filters of the operators' list, and the reversals that the stored day sums lack.
create index reversals_provider on earning.reversals (provider, id desc) where taken_points > 0;
create index reversals_booked_by on earning.reversals (booked_by, created_at) where booked_by is not null;
create index reversals_reason on earning.reversals (reason_class, id desc) where taken_points > 0;
create index reversals_created_at on earning.reversals (created_at desc) where taken_points > 0;
grant select on earning.reversals to earnest_app;

-- What reversals took from each member, so that no read counts them. The functions that book a reversal update it.
create table earning.member_reversals (
  member_id integer primary key references members.members (id),
  reversal_count bigint not null,
  taken_points bigint not null
);
grant select on earning.member_reversals to earnest_app;

-- Links that a credit and its later reversal share, for providers whose reversals have their own transaction id and do
-- not name the credit's. A link is an id of the provider, or a text that describes the credit.
create table earning.links (
  provider text not null,
  link text not null,
  -- The credit's.
  transaction_id text not null,
  primary key (provider, link, transaction_id)
);

-- Calls that were not booked: credits for unknown members, reversals without a known credit, and reversals from an
-- address that is not the provider's. Operators resolve them. An open reversal is also resolved when its credit
-- arrives, a held one only by an operator.
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
  -- The offer's name of a credit, or the reason of a reversal. May be empty.
  subject text not null,
  is_screen_out boolean not null,
  reason text not null,
  -- The last call came from an address that is not the provider's.
  is_unlisted boolean not null default false,
  state text not null default 'open' check (state in ('open', 'held', 'booked', 'dismissed')),
  resolved_at timestamptz,
  resolved_by integer references members.members (id),
  note text,
  unique (provider, transaction_id, kind)
);
create index quarantine_waiting on earning.quarantine (provider, credit_transaction_id)
  where state = 'open' and kind = 'reversal';
create index quarantine_unresolved on earning.quarantine (id desc) where state in ('open', 'held');
grant select on earning.quarantine to earnest_app;

create index quarantine_resolved on earning.quarantine (resolved_by, resolved_at) where resolved_by is not null;

-- The first of two approvals of a held earning, by its number, or of a credit in quarantine, for one member.
create table earning.first_approvals (
  kind text not null check (kind in ('held', 'quarantine')),
  id bigint not null,
  member_ref text not null,
  operator_id integer not null references members.members (id),
  at timestamptz not null,
  primary key (kind, id)
);
grant select on earning.first_approvals to earnest_app;

-- The last time that each operator changed what decides whether a provider's calls are believed: its secret, the token
-- of its address, its source addresses or their policy.
create table earning.source_changes (
  provider text not null,
  operator_id integer not null references members.members (id),
  at timestamptz not null,
  primary key (provider, operator_id)
);
grant select, insert, update on earning.source_changes to earnest_app;

-- Counts of held earnings. The functions that change an earning update them, so no read counts all rows.
create table earning.approval_totals (
  is_only_row boolean primary key default true check (is_only_row),
  pending_count bigint not null default 0 check (pending_count >= 0),
  pending_points bigint not null default 0 check (pending_points >= 0),
  approved_count bigint not null default 0,
  rejected_count bigint not null default 0
);
insert into earning.approval_totals default values;
grant select on earning.approval_totals to earnest_app;

-- What each provider's booked credits paid by hour and by site day, for the ceilings. Each node adds its sums once a
-- second, outside of the credits. Only the last 40 days are kept.
create table earning.paid_sums (
  provider text not null,
  period text not null check (period in ('hour', 'day')),
  -- The hour's beginning; of a site day its date at midnight UTC.
  starts_at timestamptz not null,
  points bigint not null,
  primary key (provider, period, starts_at)
);
grant select, insert, update, delete on earning.paid_sums to earnest_app;

-- Members' openings of walls, for the activity list.
create table earning.openings (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  provider text not null,
  opened_at timestamptz not null
);
create index openings_member on earning.openings (member_id, id desc);
-- Finds the last opening of a wall before an earning.
create index openings_wall on earning.openings (member_id, provider, opened_at desc);
grant select, insert on earning.openings to earnest_app;

-- The catalogue of tasks and surveys that operators keep.
create table earning.catalogue (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('task', 'survey')),
  category text not null,
  provider text not null references earning.providers (id),
  title text not null,
  -- Without a Korean text the English one is shown.
  title_ko text,
  description text not null,
  description_ko text,
  -- The reward for finishing it, as the provider states it.
  points bigint not null check (points between 1 and 1000000000000000),
  minutes integer not null check (minutes between 1 and 100000),
  -- Empty means the provider's wall in the site's own frame.
  url text not null default '' check (url = '' or url ~ '^https://[^\s]+$'),
  is_enabled boolean not null default true,
  expires_at timestamptz,
  created_at timestamptz not null default platform.business_now(),
  -- The key of an entry of the release or the sandbox, so that it is added once. Null for an operator's entry.
  seed_key text unique,
  check (case kind when 'task' then category in ('video', 'game', 'app', 'offer')
                   else category in ('general', 'market_research', 'social_research') end)
);
create index catalogue_shown on earning.catalogue (kind, created_at desc, id desc) where is_enabled;
grant select, insert on earning.catalogue to earnest_app;

-- A call of a provider, translated by its adapter.
create type earning.call as (
  item_position integer,
  -- credit, reversal or nothing. A call of kind nothing is recorded and has no effect.
  kind text,
  provider text,
  transaction_id text,
  credit_transaction_id text,
  member_ref text,
  -- The amount. Null for a reversal of the whole rest.
  points bigint,
  payout_micro_usd bigint,
  -- The offer's name of a credit, or the reason of a reversal. May be empty.
  subject text,
  is_screen_out boolean,
  -- The application's reason to hold a credit. Null if it has none.
  hold_reason text,
  raw text,
  address text,
  -- The verdict to record for a call of kind nothing.
  verdict text,
  detail text
);
