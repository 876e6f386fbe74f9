-- What every feature needs: business time, the settings of the site, and the answers kept for repeated requests.
-- Migrations run as the owner. `earnest_app` stands for the application's role, whatever its name is on this server.

alter default privileges revoke execute on functions from public;

grant usage on schema platform to earnest_app;
grant select on platform.migrations to earnest_app;

-- Business time is the database's clock plus an offset. Only a sandbox moves the offset, and only forward.
create table platform.clock (
  is_only_row boolean primary key default true check (is_only_row),
  offset_seconds bigint not null default 0 check (offset_seconds >= 0),
  site_timezone text not null default 'UTC',
  -- The mode of the first start, kept for ever. Null until then.
  mode text check (mode in ('live', 'sandbox')),
  -- When the offset last changed, by the real clock. A statement that began before may still use the former offset.
  advanced_at timestamptz not null default '-infinity'
);
insert into platform.clock default values;
grant select on platform.clock to earnest_app;

-- The next two functions are here and not in functions.sql, because defaults of tables call them.

-- The time right now, and not the time at which the statement or transaction began: a statement that waited for a
-- lock is dated by the moment when it got the lock. Call it once per statement where the plan allows it.
create function platform.business_now() returns timestamptz
  language sql stable
  return (select clock_timestamp() + offset_seconds * interval '1 second' from platform.clock);
grant execute on function platform.business_now() to earnest_app;

-- The site's day on which a moment falls.
create function platform.site_day(moment timestamptz) returns date
  language sql stable
  return (select (moment at time zone site_timezone)::date from platform.clock);
grant execute on function platform.site_day(timestamptz) to earnest_app;

-- What operators set for the site, one value per name.
create table platform.settings (
  key text primary key,
  value jsonb not null
);
grant select, insert, update, delete on platform.settings to earnest_app;

-- The answer to a request with an Idempotency-Key, for its repetition. Rows are dropped after a day.
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
