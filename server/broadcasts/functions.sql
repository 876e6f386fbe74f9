-- Broadcasts. A function locks a mail before its broadcast.
--
-- Open to others: none.

-- How many of two bounces an address has that gets no broadcasts any more.
create or replace function broadcasts.is_given_up(bounce_count integer) returns boolean
  language sql immutable parallel safe
  return bounce_count >= 2;
grant execute on function broadcasts.is_given_up(integer) to earnest_app;

-- The addresses that get no broadcasts any more. Nobody writes through it (see platform/functions.sql).
create or replace view broadcasts.given_up as
  select a.email from (
    select email from broadcasts.addresses where broadcasts.is_given_up(bounce_count)) a;
grant select on broadcasts.given_up to earnest_app;

-- Whether a member is a recipient of this kind. Terms go to everybody who has a mailbox; an address that was never
-- confirmed may be a stranger's.
create or replace function broadcasts.is_recipient(kind text, wants_news boolean, is_confirmed boolean,
    is_suspended boolean, is_leaving boolean, is_given_up boolean) returns boolean
  language sql immutable parallel safe
  return is_confirmed and not is_leaving and not is_given_up
    and (kind = 'terms' or (wants_news and not is_suspended));
grant execute on function broadcasts.is_recipient(text, boolean, boolean, boolean, boolean, boolean) to earnest_app;

-- Adds the next recipients of a broadcast behind a member, and returns how many members were looked at, the last of
-- them and how many recipients were added.
create or replace function broadcasts.add_recipients(
    broadcast_id bigint, kind text, after_id integer, members_max integer)
  returns table (looked_at integer, last_id integer, added integer)
  language sql set search_path = pg_catalog, pg_temp
as $$
  with looked as materialized (
    select r.id, broadcasts.is_recipient(add_recipients.kind, r.wants_news, r.is_confirmed, r.is_suspended,
      r.is_leaving, r.email in (select g.email from broadcasts.given_up g)) as is_one
    from members.news_readers r where r.id > add_recipients.after_id order by r.id limit add_recipients.members_max
  ), added as (
    insert into broadcasts.mails (broadcast_id, member_id, due_at)
    select add_recipients.broadcast_id, looked.id, n.now from looked, (select platform.business_now() as now) n
    where looked.is_one
    returning member_id
  )
  select count(*)::integer, coalesce(max(looked.id), add_recipients.after_id), (select count(*)::integer from added)
  from looked
$$;
grant execute on function broadcasts.add_recipients(bigint, text, integer, integer) to earnest_app;

-- Settles a claimed mail: `sent`, `perhaps`, `failed` with its reason, `skipped`, or `waiting` again until `wait_s`
-- seconds from now. A claim that was late, after which the mail counted as perhaps sent, still says what became of it.
-- Returns whether it was the mail's newest claim.
create or replace function broadcasts.settle(broadcast_id bigint, member_id integer, claim_count integer, state text,
    reason text, smtp_code integer, is_deferral boolean, wait_s integer) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  former text;
  now timestamptz;
begin
  select m.state into former from broadcasts.mails m
  where m.broadcast_id = settle.broadcast_id and m.member_id = settle.member_id
    and m.claim_count = settle.claim_count and m.state in ('sending', 'perhaps') for update;
  if not found then
    return false;
  end if;
  now := platform.business_now();
  update broadcasts.mails m
  set state = settle.state, reason = settle.reason, smtp_code = settle.smtp_code,
    deferral_count = m.deferral_count + settle.is_deferral::integer,
    due_at = case when settle.state = 'waiting' then now + make_interval(secs => settle.wait_s) else m.due_at end,
    settled_at = case when settle.state = 'waiting' then null else now end
  where m.broadcast_id = settle.broadcast_id and m.member_id = settle.member_id;
  update broadcasts.broadcasts b
  set sent_count = b.sent_count + (settle.state = 'sent')::integer,
    perhaps_count = b.perhaps_count + (settle.state = 'perhaps')::integer - (former = 'perhaps')::integer,
    skipped_count = b.skipped_count + (settle.state = 'skipped')::integer,
    no_address_count = b.no_address_count + (settle.reason is not distinct from 'no-address')::integer,
    mailbox_full_count = b.mailbox_full_count + (settle.reason is not distinct from 'mailbox-full')::integer,
    refused_count = b.refused_count + (settle.reason is not distinct from 'refused')::integer,
    deferred_count = b.deferred_count + (settle.reason is not distinct from 'deferred')::integer
  where b.id = settle.broadcast_id;
  perform broadcasts.finish(settle.broadcast_id, now);
  return true;
end
$$;
grant execute on function broadcasts.settle(bigint, integer, integer, text, text, integer, boolean, integer)
  to earnest_app;

-- Ends a running broadcast of which no mail waits, and goes on with one whose late claim made a mail wait again.
create or replace function broadcasts.finish(broadcast_id bigint, at timestamptz) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  update broadcasts.broadcasts b
  set status = case when w.waiting = 0 then 'done' else 'running' end,
    finished_at = case when w.waiting = 0 then finish.at end
  from (select o.id, o.recipient_count - o.sent_count - o.perhaps_count - o.skipped_count - o.no_address_count
      - o.mailbox_full_count - o.refused_count - o.deferred_count as waiting
    from broadcasts.broadcasts o where o.id = finish.broadcast_id) w
  where b.id = w.id and ((b.status = 'running' and w.waiting = 0) or (b.status = 'done' and w.waiting > 0))
$$;
grant execute on function broadcasts.finish(bigint, timestamptz) to earnest_app;

-- Counts the mails that a process claimed and left, because it ended or lost its turn, as perhaps sent. The caller
-- holds the lease and has claimed nothing yet. Returns how many.
create or replace function broadcasts.mark_left(lease_name text, lease_token bigint) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  left_count bigint;
  now timestamptz;
  touched bigint;
begin
  if not platform.holds_lease(mark_left.lease_name, mark_left.lease_token) then
    return 0;
  end if;
  now := platform.business_now();
  left_count := 0;
  for touched in select distinct m.broadcast_id from broadcasts.mails m where m.state = 'sending' loop
    with marked as (
      update broadcasts.mails m set state = 'perhaps', settled_at = now
      where m.broadcast_id = touched and m.state = 'sending' returning m.member_id
    ), counted as (
      update broadcasts.broadcasts b set perhaps_count = b.perhaps_count + (select count(*) from marked)
      where b.id = touched returning b.id
    )
    select left_count + count(*) into left_count from marked;
    perform broadcasts.finish(touched, now);
  end loop;
  return left_count;
end
$$;
grant execute on function broadcasts.mark_left(text, bigint) to earnest_app;

-- Notes what a mail server reported later about a mail that counts as sent or perhaps sent: it failed. A second report
-- about it finds it failed. Returns whether it was the first.
create or replace function broadcasts.note_report(broadcast_id bigint, member_id integer, reason text) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  former text;
begin
  select m.state into former from broadcasts.mails m
  where m.broadcast_id = note_report.broadcast_id and m.member_id = note_report.member_id
    and m.state in ('sent', 'perhaps') for update;
  if not found then
    return false;
  end if;
  update broadcasts.mails m set state = 'failed', reason = note_report.reason
  where m.broadcast_id = note_report.broadcast_id and m.member_id = note_report.member_id;
  update broadcasts.broadcasts b
  set sent_count = b.sent_count - (former = 'sent')::integer,
    perhaps_count = b.perhaps_count - (former = 'perhaps')::integer,
    no_address_count = b.no_address_count + (note_report.reason = 'no-address')::integer,
    mailbox_full_count = b.mailbox_full_count + (note_report.reason = 'mailbox-full')::integer,
    refused_count = b.refused_count + (note_report.reason = 'refused')::integer,
    deferred_count = b.deferred_count + (note_report.reason = 'deferred')::integer
  where b.id = note_report.broadcast_id;
  return true;
end
$$;
grant execute on function broadcasts.note_report(bigint, integer, text) to earnest_app;

-- Until when the mail server is given a rest, if it is now. A time further ahead than the longest rest was written
-- while a clock was wrong, and counts for nothing.
create or replace function broadcasts.rests_until(waits_until timestamptz, at timestamptz) returns timestamptz
  language sql immutable parallel safe
  return case when waits_until > at and waits_until <= at + interval '8 minutes' then waits_until end;
grant execute on function broadcasts.rests_until(timestamptz, timestamptz) to earnest_app;

-- How much slower than usual broadcasts are sent, as a power of two. It falls by one in ten minutes without a throttle.
-- A throttle of the future was written while a clock was wrong.
create or replace function broadcasts.slow_count_at(slow_count integer, throttled_at timestamptz, at timestamptz)
  returns integer
  language sql immutable parallel safe
  return case when throttled_at is null or throttled_at > at then 0
    else greatest(0, slow_count - floor(extract(epoch from at - throttled_at) / 600)::integer) end;
grant execute on function broadcasts.slow_count_at(integer, timestamptz, timestamptz) to earnest_app;

-- Waits because the mail server throttles: 1, 2, 4 and then 8 minutes, after which the pace is halved each time.
create or replace function broadcasts.slow_down(trouble text) returns void
  language sql set search_path = pg_catalog, pg_temp
as $$
  update broadcasts.pace p
  set slow_count = s.slow_count, throttled_at = n.now, trouble = slow_down.trouble,
    waits_until = n.now + make_interval(mins => (2 ^ (s.slow_count - 1))::integer)
  from (select platform.business_now() as now) n,
    lateral (select least(4, 1 + broadcasts.slow_count_at(o.slow_count, o.throttled_at, n.now)) as slow_count
      from broadcasts.pace o) s
$$;
grant execute on function broadcasts.slow_down(text) to earnest_app;

-- Removes the mails of broadcasts that began more than three years ago, oldest first, then these broadcasts and old
-- bounces. Returns how many rows, at most `rows_max` of mails and as many of the others.
create or replace function broadcasts.remove_old(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  until timestamptz := platform.business_now() - interval '1095 days';
  removed bigint;
  others bigint;
begin
  delete from broadcasts.mails m where (m.broadcast_id, m.member_id) in (
    select o.broadcast_id, o.member_id from broadcasts.mails o
    where o.broadcast_id in (
      select b.id from broadcasts.broadcasts b where b.created_at < until order by b.created_at limit 100)
    limit remove_old.rows_max);
  get diagnostics removed = row_count;
  if removed = remove_old.rows_max then
    return removed;
  end if;
  delete from broadcasts.broadcasts b where b.id in (
    select o.id from broadcasts.broadcasts o where o.created_at < until
      and not exists (select from broadcasts.mails m where m.broadcast_id = o.id)
    order by o.created_at limit remove_old.rows_max - removed);
  get diagnostics others = row_count;
  removed := removed + others;
  delete from broadcasts.addresses a where a.email in (
    select o.email from broadcasts.addresses o where o.bounced_at < until
    order by o.bounced_at limit remove_old.rows_max - removed);
  get diagnostics others = row_count;
  return removed + others;
end
$$;
grant execute on function broadcasts.remove_old(integer) to earnest_app;
