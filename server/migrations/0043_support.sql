-- The operators' desk lists the tickets that are not solved, the longest wait first.

create index tickets_unsolved on support.tickets (
  coalesce(waiting_since, timestamptz '9999-01-01 00:00:00Z'), channel_id)
  where status in ('open', 'in_progress');

-- Canned replies that operators keep. Placeholders such as {name} stand in the texts as they are.
create table support.replies (
  id bigint generated always as identity primary key,
  title text not null unique check (length(title) between 1 and 60),
  text_en text not null check (length(text_en) between 1 and 4000),
  text_ko text not null check (length(text_ko) between 1 and 4000)
);
grant select, insert, update, delete on support.replies to earnest_app;
