-- Claims: a member says that the credit of an opened wall did not arrive.

create schema claims;
grant usage on schema claims to earnest_app;

create table claims.claims (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  -- Of earning.openings. One claim for each opening.
  opening_id bigint not null unique,
  -- The facts of the opening as they were when the claim was filed.
  provider text not null,
  opened_at timestamptz not null,
  arrives_within_hours integer,
  text text not null check (length(text) between 1 and 2000),
  -- What the member says that the task paid; null if nothing was said.
  stated_points bigint check (stated_points > 0),
  state text not null default 'filed' check (state in ('filed', 'asked', 'booked', 'refused')),
  filed_at timestamptz not null,
  -- When an operator's next step is due.
  due_at timestamptz not null,
  asked_at timestamptz,
  asked_by integer references members.members (id),
  -- Until when the provider has time to answer.
  answer_by timestamptz,
  decided_at timestamptz,
  decided_by integer references members.members (id),
  -- Why it was refused. The member reads it.
  reason text check (length(reason) between 1 and 500),
  -- The points that were booked, and their grant.
  amount_points bigint check (amount_points > 0),
  grant_id bigint unique,
  -- The first of two operators, and the points that this one would book.
  first_by integer references members.members (id),
  first_at timestamptz,
  first_points bigint,
  constraint claims_of_others check (decided_by <> member_id and asked_by <> member_id and first_by <> member_id),
  constraint claims_asked check (state <> 'asked' or (asked_at is not null and answer_by is not null)),
  constraint claims_booked check ((state = 'booked') = (grant_id is not null and amount_points is not null)),
  constraint claims_refused check ((state = 'refused') = (reason is not null))
);
create index claims_member on claims.claims (member_id, id desc);
create index claims_due on claims.claims (due_at, id);
create index claims_open_due on claims.claims (due_at, id) where state in ('filed', 'asked');
create index claims_state on claims.claims (state, due_at, id);
create index claims_provider on claims.claims (provider, id);
-- Only claims.book books a claim.
grant select, insert on claims.claims to earnest_app;
grant update (state, due_at, asked_at, asked_by, answer_by, decided_at, decided_by, reason)
  on claims.claims to earnest_app;
