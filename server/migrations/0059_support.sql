-- What happened to a ticket between its messages, each line with its time: its member asked again, it was solved or
-- closed, it was opened again. Tickets of before have no such lines.

create table support.events (
  ticket_id uuid not null references support.tickets (id),
  event_number bigint generated always as identity,
  kind text not null check (kind in ('asked', 'resolved', 'closed', 'reopened')),
  -- In whole milliseconds, as browsers compare it with the messages.
  created_at timestamptz not null,
  -- Since when its member waited; null if nobody did.
  waiting_since timestamptz,
  primary key (ticket_id, event_number)
);
grant select on support.events to earnest_app;
