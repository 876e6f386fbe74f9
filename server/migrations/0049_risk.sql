-- Risk: what the rules found, for operators to look at.

create table risk.activities (
  id bigint generated always as identity primary key,
  rule text not null,
  -- What the rule found it by: an address, a browser, a mailbox, a member. It is found once, and again when it grew.
  subject text not null,
  size integer not null,
  level text not null check (level in ('critical', 'high', 'medium', 'low')),
  -- The member whom it is about first.
  member_id integer not null references members.members (id),
  member_ids integer[] not null,
  -- By which kinds of evidence the members are linked; empty for what one member did.
  kinds text[] not null,
  -- What was counted, and of how many; null for linked members.
  count integer,
  total integer,
  address inet,
  -- In whole milliseconds, because lists are read on from it.
  created_at timestamptz not null,
  unique (rule, subject)
);
create index activities_created on risk.activities (created_at, id);
create index activities_member on risk.activities (member_id);

create table risk.detections (
  id bigint generated always as identity primary key,
  method text not null,
  shared_identifier text not null,
  size integer not null,
  primary_member_id integer not null references members.members (id),
  related_member_ids integer[] not null,
  kinds text[] not null,
  risk_score integer not null check (risk_score between 0 and 100),
  confidence text not null check (confidence in ('high', 'medium', 'low')),
  status text not null default 'open' check (status in ('open', 'confirmed', 'dismissed')),
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by integer references members.members (id),
  unique (method, shared_identifier),
  check ((status = 'open') = (decided_at is null))
);
create index detections_score on risk.detections (risk_score, id);
create index detections_status on risk.detections (status, risk_score, id);
create index detections_primary on risk.detections (primary_member_id);

grant select, insert, update on risk.activities, risk.detections to earnest_app;
