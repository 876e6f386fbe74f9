-- The platform's tables: business time, the settings of the site, and stored answers for repeated requests.
-- Migrations run as the owner. `earnest_app` is a placeholder for the application's role on this server.

alter default privileges revoke execute on functions from public;

grant usage on schema platform to earnest_app;
grant select on platform.migrations to earnest_app;

-- Business time is the database's clock plus an offset. Only a sandbox moves the offset, and only forward.
create table platform.clock (
  is_only_row boolean primary key default true check (is_only_row),
  offset_seconds bigint not null default 0 check (offset_seconds >= 0),
  site_timezone text not null default 'UTC',
  -- The mode of the first start. It never changes afterwards. Null before the first start.
  mode text check (mode in ('live', 'sandbox')),
  -- When the offset last changed, by the real clock. A statement that began before may still use the former offset.
  advanced_at timestamptz not null default '-infinity'
);
insert into platform.clock default values;
grant select on platform.clock to earnest_app;

-- Up to when the database's real clock is believed where a removal by age can't be undone, and when it was last looked
-- at. `retention.ts` says how it follows the clock.
create table platform.believed_clock (
  is_only_row boolean primary key default true check (is_only_row),
  believed_until timestamptz not null default clock_timestamp(),
  looked_at timestamptz not null default clock_timestamp()
);
insert into platform.believed_clock default values;
grant select, update (believed_until, looked_at) on platform.believed_clock to earnest_app;
-- Real time now, or the time until which the clock is believed while it has jumped ahead.
create function platform.believed_now() returns timestamptz
  language sql volatile
  return (select least(clock_timestamp(), b.believed_until + interval '1 day') from platform.believed_clock b);
grant execute on function platform.believed_now() to earnest_app;

-- What tells this site from others beside it, for example on the same Redis.
create table platform.identity (
  is_only_row boolean primary key default true check (is_only_row),
  site_id uuid not null default gen_random_uuid()
);
insert into platform.identity default values;
grant select on platform.identity to earnest_app;

-- The next functions are here and not in functions.sql, because defaults of tables call them.

-- Business time now, from the offset of the clock. No other function calculates it. It is volatile, like
-- clock_timestamp(), so that the planner inlines it; hot functions call it with an offset that they have read.
create function platform.business_time(offset_seconds bigint) returns timestamptz
  language sql volatile
  return clock_timestamp() + offset_seconds * interval '1 second';
grant execute on function platform.business_time(bigint) to earnest_app;

-- The day of a moment in a time zone. Inlined like business_time.
create function platform.day_in(site_timezone text, moment timestamptz) returns date
  language sql stable
  return (moment at time zone site_timezone)::date;
grant execute on function platform.day_in(text, timestamptz) to earnest_app;

-- The current time, instead of the start of the statement or transaction: a statement that waited for a lock gets the
-- time after the wait. Call it once per statement if the plan allows it.
create function platform.business_now() returns timestamptz
  language sql stable
  return (select platform.business_time(offset_seconds) from platform.clock);
grant execute on function platform.business_now() to earnest_app;

-- The site day of a moment.
create function platform.site_day(moment timestamptz) returns date
  language sql stable
  return (select platform.day_in(site_timezone, moment) from platform.clock);
grant execute on function platform.site_day(timestamptz) to earnest_app;

-- The operators' settings of the site, one value per name.
create table platform.settings (
  key text primary key,
  value jsonb not null
);
grant select, insert, update, delete on platform.settings to earnest_app;

-- Changes that loosen a bound of the site and wait for another operator, at most one for each setting. A row is deleted
-- when the change is confirmed or withdrawn, and counts for 24 hours. The acts tell what became of each.
create table platform.settings_proposals (
  id bigint generated always as identity unique,
  -- Its path, as `caps.memberDay`.
  setting text primary key,
  value jsonb not null,
  operator_id integer not null,
  at timestamptz not null
);
grant select, insert, delete on platform.settings_proposals to earnest_app;

-- A known text, sealed with the APP_SECRET in use, so that a start with another one is refused.
create table platform.secret_check (
  is_only_row boolean primary key default true check (is_only_row),
  sealed text not null
);
grant select, insert on platform.secret_check to earnest_app;

-- The answer to a request with an Idempotency-Key, for its repetition. Rows are deleted after a day.
create table platform.idempotency (
  member_id integer not null,
  key text not null check (length(key) between 1 and 255),
  endpoint text not null,
  body_hash bytea not null,
  status smallint,
  reply jsonb,
  created_at timestamptz not null default platform.business_now(),
  primary key (member_id, key)
);
create index idempotency_created_at on platform.idempotency (created_at);
grant select, insert, update, delete on platform.idempotency to earnest_app;

-- What operators did, one row for each thing that an act changed. The application adds rows and never changes them.
create table platform.acts (
  id bigint generated always as identity primary key,
  at timestamptz not null default platform.business_now(),
  -- Null for the command line and for the site itself.
  operator_id integer,
  act text not null check (length(act) between 1 and 60),
  target text not null check (length(target) between 1 and 254),
  reason text check (length(reason) <= 5000),
  before jsonb,
  after jsonb,
  -- What a search finds: the words of the reason and of the changed fields. Marks between words become spaces, so that
  -- the parts of an address or an id are words too.
  words tsvector generated always as (to_tsvector('simple', translate(
    coalesce(reason, '') || ' ' || coalesce(before::text, '') || ' ' || coalesce(after::text, ''),
    '@.-_/:,;"{}[]', '             '))) stored,
  -- The place in the chain and its hash. Null for the newest rows, until they are chained.
  chain_number bigint unique check (chain_number > 0),
  chain_hash text check (chain_hash ~ '^[0-9a-f]{64}$'),
  check ((chain_number is null) = (chain_hash is null))
);
create index acts_unchained on platform.acts (at, id) where chain_number is null;
create index acts_words on platform.acts using gin (words);
create index acts_at on platform.acts (at, id);
create index acts_target on platform.acts (target);
create index acts_operator_id on platform.acts (operator_id, id);
create index acts_act on platform.acts (act, id);
-- Time and chain are not the application's to write.
grant select on platform.acts to earnest_app;
grant insert (operator_id, act, target, reason, before, after) on platform.acts to earnest_app;

-- The end of the chain, where the next row is joined. The first hash stands for no row.
create table platform.acts_chain_end (
  is_only_row boolean primary key default true check (is_only_row),
  number bigint not null default 0,
  hash text not null default repeat('0', 64)
);
insert into platform.acts_chain_end default values;
grant select on platform.acts_chain_end to earnest_app;
