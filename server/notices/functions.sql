-- Notices. Adding one locks the member's counts, so `add` is the last lock of a transaction, or comes under the lock on
-- the member's wallet.
--
-- Open to others: add.

-- The kinds that are always mailed: they tell the owner of an account what another person may have done.
create or replace function notices.is_always_mailed(kind text) returns boolean
  language sql immutable parallel safe
  return kind in ('sign-in', 'security');
grant execute on function notices.is_always_mailed(text) to earnest_app;

-- Returns when the mail of a new notice is due: at once, but at most five mails of a topic in an hour. If a mail of the
-- topic still waits for its time, it counts this notice, and null is returned. Call it under the lock on the member's
-- counts.
create or replace function notices.plan_mail(member_id integer, topic text, at timestamptz) returns timestamptz
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  fifth_at timestamptz;
begin
  update notices.notices n set more_count = n.more_count + 1
  where n.member_id = plan_mail.member_id and n.mail_topic = plan_mail.topic and n.mail_planned_at > plan_mail.at;
  if found then
    return null;
  end if;
  select n.mail_planned_at into fifth_at from notices.notices n
  where n.member_id = plan_mail.member_id and n.mail_topic = plan_mail.topic and n.mail_planned_at is not null
  order by n.member_number desc offset 4 limit 1;
  return greatest(plan_mail.at, fifth_at + interval '1 hour');
end
$$;
revoke all on function notices.plan_mail(integer, text, timestamptz) from public;

-- Adds a notice in the transaction of the fact, and plans its mail if the member gets mail of this kind.
create or replace function notices.add(member_id integer, kind text, facts jsonb) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  added_number bigint;
  at timestamptz;
  planned_at timestamptz;
  deferred_until timestamptz;
begin
  insert into notices.member_counts as c (member_id, notice_count, unread_count)
  values (add.member_id, 1, 1)
  on conflict (member_id) do update
  set notice_count = c.notice_count + 1, unread_count = c.unread_count + 1
  returning notice_count, mail_deferred_until into added_number, deferred_until;
  at := platform.business_now();
  if members.wants_mail(add.member_id, add.kind, notices.is_always_mailed(add.kind)) then
    planned_at := notices.plan_mail(add.member_id, notices.topic_of(add.kind, add.facts), at);
  end if;
  insert into notices.notices (member_id, member_number, kind, facts, created_at, mail_planned_at, mail_due_at)
  values (add.member_id, added_number, add.kind, add.facts, at, planned_at,
    case when planned_at is not null then greatest(planned_at, deferred_until) end);
end
$$;
grant execute on function notices.add(integer, text, jsonb) to earnest_app;

-- Returns the notices of these members that no browser was told about, and marks them as told; null means the members
-- with the lowest ids. Two statements, because the second must see what was committed before the first had its locks.
create or replace function notices.take_unannounced(member_ids integer[], members_max integer)
  returns table (member_id integer, member_number bigint, kind text)
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
declare
  told jsonb;
begin
  with due as (
    select c.member_id, c.announced_count, c.notice_count from notices.member_counts c
    where c.announced_count < c.notice_count
      and (take_unannounced.member_ids is null or c.member_id = any (take_unannounced.member_ids))
    order by c.member_id limit take_unannounced.members_max for update
  ), done as (
    update notices.member_counts c set announced_count = d.notice_count
    from due d where c.member_id = d.member_id
    returning c.member_id, d.announced_count, d.notice_count
  )
  select coalesce(jsonb_agg(to_jsonb(d)), '[]') into told from done d;
  return query
  select n.member_id, n.member_number, n.kind
  from jsonb_to_recordset(told) as d (member_id integer, announced_count bigint, notice_count bigint)
    join notices.notices n on n.member_id = d.member_id
      and n.member_number > d.announced_count and n.member_number <= d.notice_count
  order by n.member_id, n.member_number;
end
$$;
grant execute on function notices.take_unannounced(integer[], integer) to earnest_app;

-- Marks the member's notices up to this number as read.
create or replace function notices.mark_read(member_id integer, up_to bigint) returns void
  language plpgsql set search_path = pg_catalog, pg_temp
as $$
declare
  marked bigint;
begin
  perform from notices.member_counts c where c.member_id = mark_read.member_id for update;
  update notices.notices n set read_at = platform.business_now()
  where n.member_id = mark_read.member_id and n.member_number <= mark_read.up_to and n.read_at is null;
  get diagnostics marked = row_count;
  update notices.member_counts c set unread_count = c.unread_count - marked
  where c.member_id = mark_read.member_id and marked > 0;
end
$$;
grant execute on function notices.mark_read(integer, bigint) to earnest_app;

-- Deletes the notices of an account that is due for anonymising. The application can delete no other account's.
create or replace function notices.forget(member_id integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
#variable_conflict use_column
begin
  if members.email_to_anonymise(forget.member_id) is null then
    return;
  end if;
  delete from notices.notices n where n.member_id = forget.member_id;
  delete from notices.member_counts c where c.member_id = forget.member_id;
end
$$;
grant execute on function notices.forget(integer) to earnest_app;

-- Deletes the oldest notices, older than three years. Returns how many, at most `rows_max`.
create or replace function notices.remove_old(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  removed bigint;
begin
  with old as (
    select n.member_id, n.member_number from notices.notices n
    where n.created_at < platform.business_now() - interval '3 years'
    order by n.created_at limit remove_old.rows_max
  ), counts as (
    select c.member_id from notices.member_counts c
    where c.member_id in (select o.member_id from old o) order by c.member_id for update
  ), gone as (
    delete from notices.notices n using old o, counts k
    where n.member_id = o.member_id and n.member_number = o.member_number and k.member_id = o.member_id
    returning n.member_id, n.member_number, n.read_at
  ), counted as (
    update notices.member_counts c
    set removed_count = greatest(c.removed_count, s.number_max), unread_count = c.unread_count - s.unread
    from (
      select g.member_id, max(g.member_number) as number_max, count(*) filter (where g.read_at is null) as unread
      from gone g group by g.member_id) s
    where c.member_id = s.member_id
  )
  select count(*) into removed from gone;
  return removed;
end
$$;
grant execute on function notices.remove_old(integer) to earnest_app;
