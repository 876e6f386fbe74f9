-- Decisions: the appeals of members against suspensions and bans, which stay in the tables of their features.

create schema decisions;
grant usage on schema decisions to earnest_app;

create table decisions.appeals (
  id bigint generated always as identity primary key,
  -- What the appeal is against: a suspension of members, or a ban of the chat.
  source text not null check (source in ('suspension', 'ban')),
  source_id bigint not null,
  member_id integer not null references members.members (id),
  text text not null check (length(text) between 1 and 2000),
  created_at timestamptz not null,
  -- The promised time of the answer.
  answer_by timestamptz not null,
  status text not null default 'open' check (status in ('open', 'upheld', 'overturned')),
  -- The member reads it.
  answer text check (length(answer) between 1 and 500),
  answered_at timestamptz,
  answered_by integer references members.members (id),
  constraint appeals_one_each unique (source, source_id),
  constraint appeals_answered check (
    (status = 'open') = (answered_at is null) and (answer is null) = (answered_at is null))
);
create index appeals_member on decisions.appeals (member_id, id desc);
-- Open appeals come first, the one that is due soonest on top.
create index appeals_due on decisions.appeals (
  (case when status = 'open' then answer_by else timestamptz '9999-01-01 00:00:00Z' end), id);
create index appeals_open on decisions.appeals (answer_by, id) where status = 'open';

grant select, insert on decisions.appeals to earnest_app;
grant update (status, answer, answered_at, answered_by) on decisions.appeals to earnest_app;
