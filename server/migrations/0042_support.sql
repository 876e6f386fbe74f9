-- Since when a member waits for an answer to a ticket, and when a member opened a resolved one again.

alter table support.tickets
  -- Null while nobody waits: after a response, and when the ticket is resolved or closed. In whole milliseconds.
  add column waiting_since timestamptz,
  -- The first time.
  add column reopened_at timestamptz;
-- A default, so that a ticket which a node of the former release opens waits, too.
alter table support.tickets
  alter column waiting_since set default date_trunc('milliseconds', platform.business_now());

update support.tickets t set waiting_since = date_trunc('milliseconds', t.created_at)
where t.status in ('open', 'in_progress')
  and not exists (select from support.responses r where r.ticket_id = t.id);

-- Operators' lists have the longest wait first, and behind it the tickets on which nobody waits.
create index tickets_waiting on support.tickets (
  coalesce(waiting_since, timestamptz '9999-01-01 00:00:00Z'), channel_id);
create index tickets_status_waiting on support.tickets (
  status, coalesce(waiting_since, timestamptz '9999-01-01 00:00:00Z'), channel_id);

grant update (waiting_since, reopened_at) on support.tickets to earnest_app;
