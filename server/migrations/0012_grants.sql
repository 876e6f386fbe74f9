-- Grants: points that operators give to members. Only grants/functions.sql writes them, each with its movement.

create schema grants;
grant usage on schema grants to earnest_app;

create table grants.grants (
  id bigint generated always as identity primary key,
  -- The caller's key: a repeated request finds its grant by it.
  request_key text not null unique,
  member_id integer not null references members.members (id),
  amount_points bigint not null check (amount_points between 1 and 10000000),
  -- The member reads it.
  reason text not null,
  -- The operator. Null for the command line.
  granted_by integer references members.members (id),
  -- pending (it waits for a second operator), completed (its points are booked) or failed (declined).
  state text not null default 'pending' check (state in ('pending', 'completed', 'failed')),
  created_at timestamptz not null,
  -- The second operator, who confirmed or declined it. Null for a grant that needed none.
  decided_by integer references members.members (id),
  decided_at timestamptz,
  -- Why it was declined.
  decline_reason text,
  -- Nobody gives to themselves, confirms their own grant, or confirms one to themselves.
  constraint grants_of_others check (granted_by <> member_id and decided_by <> member_id),
  constraint grants_by_two check (state <> 'completed' or granted_by <> decided_by)
);
create index grants_member on grants.grants (member_id, id desc);
create index grants_pending on grants.grants (id desc) where state = 'pending';
create index grants_amount on grants.grants (amount_points, id);
create index grants_granted_by on grants.grants (granted_by, id desc);
-- What an operator gave alone on a day; 0 is the command line.
create index grants_alone on grants.grants (coalesce(granted_by, 0), created_at)
  where state = 'completed' and decided_by is null;
grant select on grants.grants to earnest_app;

-- Counts and sums, so that no read counts rows. The lock on the row makes grants follow each other.
create table grants.totals (
  is_only_row boolean primary key default true check (is_only_row),
  pending_count bigint not null default 0 check (pending_count >= 0),
  pending_points bigint not null default 0 check (pending_points >= 0),
  completed_count bigint not null default 0,
  completed_points bigint not null default 0
);
insert into grants.totals default values;
grant select on grants.totals to earnest_app;
