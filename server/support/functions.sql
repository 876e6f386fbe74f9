-- The channels of tickets, what happens to them, and the removal of old tickets.
--
-- Open to others: none.

-- Every ticket has a channel, whichever program opens it: during an upgrade nodes of the former release still do.
create or replace function support.open_channel() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform chat.open_channel(new.channel_id, new.member_id, new.subject);
  return null;
end
$$;
revoke all on function support.open_channel() from public;
create or replace trigger tickets_channel after insert on support.tickets
  for each row execute function support.open_channel();

-- Notes what a change means to the ticket's member, whoever made it.
create or replace function support.note_event() returns trigger
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  was_done boolean := old.status in ('resolved', 'closed');
  is_done boolean := new.status in ('resolved', 'closed');
  kind text := case
    when is_done and new.status <> old.status then new.status
    when was_done and not is_done then 'reopened'
    when old.waiting_since is null and new.waiting_since is not null then 'asked'
  end;
begin
  if kind is not null then
    insert into support.events (ticket_id, kind, created_at, waiting_since)
    values (new.id, kind, date_trunc('milliseconds', platform.business_now()), new.waiting_since);
  end if;
  return null;
end
$$;
revoke all on function support.note_event() from public;
create or replace trigger tickets_events after update of status, waiting_since on support.tickets
  for each row execute function support.note_event();

-- Deletes the oldest tickets, opened more than three years ago, with their responses, events and channels.
-- Returns how many, at most `rows_max`. It looks only at the tickets with the lowest numbers, which are the oldest.
create or replace function support.remove_old_tickets(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  old_ids uuid[];
  old_channels bigint[];
begin
  old_ids := array(
    select t.id from (
      select id, created_at from support.tickets order by channel_id limit remove_old_tickets.rows_max) t
    where t.created_at < platform.business_now() - interval '3 years');
  old_channels := array(select t.channel_id from support.tickets t where t.id = any (old_ids));
  perform chat.remove_channels(old_channels);
  delete from support.events e where e.ticket_id = any (old_ids);
  delete from support.responses r where r.ticket_id = any (old_ids);
  delete from support.tickets t where t.id = any (old_ids);
  return cardinality(old_ids);
end
$$;
grant execute on function support.remove_old_tickets(integer) to earnest_app;
