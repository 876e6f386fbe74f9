-- The channels of tickets, and the removal of old tickets.
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

-- Deletes the oldest tickets, opened more than three years ago, with their responses and channels. Returns
-- how many, at most `rows_max`. It looks only at the tickets with the lowest numbers, which are the oldest.
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
  delete from support.responses r where r.ticket_id = any (old_ids);
  delete from support.tickets t where t.id = any (old_ids);
  return cardinality(old_ids);
end
$$;
grant execute on function support.remove_old_tickets(integer) to earnest_app;
