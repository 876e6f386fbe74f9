-- Support: the tickets of members and the responses of operators.

create schema support;
grant usage on schema support to earnest_app;

create table support.tickets (
  id uuid primary key default gen_random_uuid(),
  -- The channel of the conversation about this ticket; 1 is the general chat. Lists are ordered by it.
  channel_id bigint generated always as identity (start with 2) unique,
  member_id integer not null references members.members (id),
  subject text not null check (length(subject) between 1 and 200),
  message text not null check (length(message) between 1 and 5000),
  status text not null default 'open' check (status in ('open', 'in_progress', 'resolved', 'closed')),
  priority text not null default 'medium' check (priority in ('urgent', 'high', 'medium', 'low')),
  created_at timestamptz not null
);
create index tickets_member on support.tickets (member_id, channel_id desc);
create index tickets_status on support.tickets (status, channel_id desc);
-- The application may change only the status, so that the member's text never changes.
grant select, insert on support.tickets to earnest_app;
grant update (status) on support.tickets to earnest_app;

-- All responses. They never change. A ticket shows the latest.
create table support.responses (
  ticket_id uuid not null references support.tickets (id),
  response_number bigint generated always as identity,
  operator_id integer not null references members.members (id),
  response text not null check (length(response) between 1 and 5000),
  created_at timestamptz not null,
  primary key (ticket_id, response_number)
);
grant select, insert on support.responses to earnest_app;
