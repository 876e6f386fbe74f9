-- The operators' desk lists the tickets that are not solved, the longest wait first.

create index tickets_unsolved on support.tickets (
  coalesce(waiting_since, timestamptz '9999-01-01 00:00:00Z'), channel_id)
  where status in ('open', 'in_progress');
