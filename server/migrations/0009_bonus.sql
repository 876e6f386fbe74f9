-- The daily bonus: its schedule, and each member's days in a row. Only bonus/functions.sql writes streaks, each
-- together with the movement of the points.

create schema bonus;
grant usage on schema bonus to earnest_app;

-- The schedule: the points of the first, second, … day in a row. The last entry applies to every later day.
create table bonus.settings (
  is_only_row boolean primary key default true check (is_only_row),
  schedule bigint[] not null default '{5,10,15,20,25,30,50}'
    check (cardinality(schedule) between 1 and 31 and array_position(schedule, null) is null
      and 1 <= all (schedule) and 1000000 >= all (schedule))
);
insert into bonus.settings default values;
grant select on bonus.settings to earnest_app;

-- The latest claim of each member with a claim.
create table bonus.streaks (
  member_id integer primary key references members.members (id),
  last_day date not null,
  claimed_at timestamptz not null,
  -- Days in a row, ending with `last_day`.
  day_count integer not null check (day_count > 0),
  last_points bigint not null check (last_points > 0),
  -- The Idempotency-Key of the latest claim. A repeated request finds the claim by it.
  request_key text
) with (fillfactor = 80);
grant select on bonus.streaks to earnest_app;
