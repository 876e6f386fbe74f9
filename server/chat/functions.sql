-- Writing into channels, and the removal of what is old. A channel's row is locked while a message gets its place, so
-- places have no gap and are in the order in which messages become visible.
--
-- Open to others: open_channel, remove_channels, given_bans.

-- Every ban as a decision about its member. Nobody writes through it (see platform/functions.sql).
create or replace view chat.given_bans as
  select b.* from (
    select id, member_id, reason, created_at, expires_at, lifted_at, created_by from chat.bans) b;
grant select on chat.given_bans to earnest_app;

-- The ban from the general channel that holds for a member: the one that ends last. No row without one.
create or replace function chat.ban_of(member_id integer) returns table (reason text, expires_at timestamptz)
  language sql stable
as $$
  select b.reason, b.expires_at from chat.bans b
  where b.member_id = ban_of.member_id and members.is_in_force(b.lifted_at, b.expires_at)
  order by b.expires_at desc nulls first limit 1
$$;
grant execute on function chat.ban_of(integer) to earnest_app;

-- The seconds until slow mode lets a member write into a channel again; 0 if it does now. A message from the future was
-- written while a clock was wrong, and holds nobody back.
create or replace function chat.slow_mode_wait(channel_id bigint, member_id integer, slow_mode_seconds integer)
  returns integer
  language sql stable
as $$
  select coalesce(max(least(w.seconds, slow_mode_wait.slow_mode_seconds))
    filter (where w.seconds <= 2 * slow_mode_wait.slow_mode_seconds), 0)
  from (
    select ceil(extract(epoch from n.created_at - platform.business_now()))::integer
      + slow_mode_wait.slow_mode_seconds as seconds
    from chat.messages n
    where n.member_id = slow_mode_wait.member_id and n.channel_id = slow_mode_wait.channel_id
    order by n.seq desc limit 1) w
$$;
revoke all on function chat.slow_mode_wait(bigint, integer, integer) from public;

-- Writes a message and moves its writer's reading mark to it. `outcome` is `posted`; `exists` for a repeat, with the
-- first message; `exists_different` for another text under the same name; `no_channel` also for another member's,
-- unless the writer `reads_all`; `banned`, with reason and end; `slow_mode`, with the seconds to wait. Bans and slow
-- mode are of the general channel.
create or replace function chat.post(
  channel_id bigint, member_id integer, is_operator boolean, reads_all boolean, body text, client_id text,
  slow_mode_seconds integer,
  out outcome text, out message_id bigint, out ban_reason text, out ban_expires_at timestamptz,
  out wait_seconds integer, out owner_id integer
)
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  place bigint;
  former chat.messages;
begin
  select c.member_id into owner_id from chat.channels c where c.id = post.channel_id for no key update;
  if not found or not (owner_id is null or owner_id = post.member_id or post.reads_all) then
    outcome := 'no_channel';
    return;
  end if;
  select m.* into former from chat.messages m
  where m.channel_id = post.channel_id and m.member_id = post.member_id and m.client_id = post.client_id;
  if found then
    outcome := case when former.body = post.body then 'exists' else 'exists_different' end;
    message_id := former.id;
    return;
  end if;
  if owner_id is null and not post.is_operator then
    select b.reason, b.expires_at into ban_reason, ban_expires_at from chat.ban_of(post.member_id) b;
    if found then
      outcome := 'banned';
      return;
    end if;
    wait_seconds := chat.slow_mode_wait(post.channel_id, post.member_id, post.slow_mode_seconds);
    if wait_seconds > 0 then
      outcome := 'slow_mode';
      return;
    end if;
  end if;
  update chat.channels c set seq = c.seq + 1 where c.id = post.channel_id returning c.seq into place;
  insert into chat.messages (channel_id, seq, member_id, is_from_operator, body, client_id, created_at)
  values (post.channel_id, place, post.member_id, post.is_operator, post.body, post.client_id,
    platform.business_now())
  returning id into message_id;
  insert into chat.reads (channel_id, member_id, seq) values (post.channel_id, post.member_id, place)
  on conflict (member_id, channel_id) do update set seq = excluded.seq;
  outcome := 'posted';
end
$$;
revoke all on function chat.post(bigint, integer, boolean, boolean, text, text, integer) from public;
grant execute on function chat.post(bigint, integer, boolean, boolean, text, text, integer) to earnest_app;

-- Opens the channel of a ticket, in the transaction that opens the ticket.
create or replace function chat.open_channel(channel_id bigint, member_id integer, name text) returns void
  language sql security definer set search_path = pg_catalog, pg_temp
as $$
  insert into chat.channels (id, member_id, name)
  values (open_channel.channel_id, open_channel.member_id, open_channel.name)
$$;
revoke all on function chat.open_channel(bigint, integer, text) from public;

-- Removes messages with what hangs on them.
create or replace function chat.remove_messages(message_ids bigint[]) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  delete from chat.reports r where r.message_id = any (remove_messages.message_ids);
  delete from chat.cases c where c.message_id = any (remove_messages.message_ids);
  delete from chat.messages m where m.id = any (remove_messages.message_ids);
$$;
revoke all on function chat.remove_messages(bigint[]) from public;

-- Removes the channels of tickets that are removed.
create or replace function chat.remove_channels(channel_ids bigint[]) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform chat.remove_messages(array(
    select m.id from chat.messages m where m.channel_id = any (remove_channels.channel_ids)));
  delete from chat.reads r where r.channel_id = any (remove_channels.channel_ids);
  delete from chat.channels c where c.id = any (remove_channels.channel_ids) and c.id <> 1;
end
$$;
revoke all on function chat.remove_channels(bigint[]) from public;

-- Removes the oldest messages of the general channel that are older than so many days, at most `rows_max`. Returns how
-- many. It looks only at the first places, which are the oldest.
create or replace function chat.remove_old_messages(kept_days integer, rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  old_ids bigint[];
begin
  old_ids := array(
    select m.id from (
      select id, created_at from chat.messages where channel_id = 1 order by seq limit remove_old_messages.rows_max) m
    where m.created_at < platform.business_now() - greatest(remove_old_messages.kept_days, 7) * interval '1 day');
  perform chat.remove_messages(old_ids);
  return cardinality(old_ids);
end
$$;
revoke all on function chat.remove_old_messages(integer, integer) from public;
grant execute on function chat.remove_old_messages(integer, integer) to earnest_app;

-- Removes what an account that is being anonymised wrote in the general channel, and its marks. What a ticket's channel
-- holds goes with the ticket.
create or replace function chat.forget(member_id integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if members.email_to_anonymise(forget.member_id) is null then
    return;
  end if;
  perform chat.remove_messages(array(
    select m.id from chat.messages m where m.member_id = forget.member_id and m.channel_id = 1));
  delete from chat.reads r where r.member_id = forget.member_id;
  delete from chat.mutes u where forget.member_id in (u.member_id, u.muted_id);
end
$$;
revoke all on function chat.forget(integer) from public;
grant execute on function chat.forget(integer) to earnest_app;
