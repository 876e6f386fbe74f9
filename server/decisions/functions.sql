-- Decisions: what the features decided, as one, the removal of appeals, and who is away.
--
-- Open to others: none.

-- Every decision: suspensions, bans, held credits, held and rejected withdrawals, refused registrations and blocks.
-- A condition on the member, or on a source and its id, is answered by the indexes of their tables. `about` is the
-- address or domain of a decision without a member. `rule` says why something waits. `appeal_until` is null where no
-- appeal is possible: a hold is decided anyway, and the points of a rejected withdrawal are back. The planner leaves
-- out the branches of other sources.
create or replace view decisions.made as
  select 'suspension' as source, s.id as source_id, s.member_id, s.suspension_type as kind, s.reason, s.created_at,
    s.expires_at, s.lifted_at, s.created_by, s.ends_with_reset as is_own_word, null::text as rule, null::text as about,
    null::bigint as points, null::text as subject, null::text as place,
    case when not s.ends_with_reset and s.lifted_at is null then coalesce(s.expires_at, 'infinity') end as appeal_until
  from members.given_suspensions s
  union all
  select 'ban', b.id, b.member_id, 'chat_ban', b.reason, b.created_at, b.expires_at, b.lifted_at, b.created_by, false,
    null, null, null, null, null, case when b.lifted_at is null then coalesce(b.expires_at, 'infinity') end
  from chat.given_bans b
  union all
  select 'earning', e.id, e.member_id, case e.state when 'rejected' then 'earning_rejected' else 'earning_held' end,
    case e.state when 'rejected' then coalesce(e.review_note, '') else '' end,
    case e.state when 'rejected' then e.decided_at else e.created_at end, null,
    case e.state when 'credited' then e.decided_at end, e.decided_by, false, e.hold_reason, null, e.points, e.subject,
    e.provider collate "default",
    case when e.state = 'rejected' and not e.is_taken_back then e.decided_at + interval '30 days' end
  from earning.given_holds e
  union all
  select 'withdrawal', w.id, w.member_id,
    case w.state when 'rejected' then 'withdrawal_rejected' else 'withdrawal_held' end, coalesce(w.reason, ''),
    coalesce(w.decided_at, w.created_at), case w.state when 'pending' then w.hold_until end, null, w.decided_by, false,
    w.hold_reason, null, w.amount_points, null, w.method, null
  from withdrawals.given_holds w
  union all
  select 'registration', r.id, null, 'registration_refused', coalesce(r.decision_reason, ''), r.decided_at, null, null,
    r.decided_by, false, r.flags->>0, r.email, null, null, null, null
  from access.given_refusals r
  union all
  select 'block', b.id, null, case b.kind when 'ip' then 'address_blocked' else 'domain_blocked' end, b.reason,
    b.created_at, b.expires_at, b.lifted_at, b.created_by, false, null, b.value, null, null, null, null
  from risk.given_blocks b;
grant select on decisions.made to earnest_app;

-- The newest decisions of each source, so that a list of all of them reads a bounded number of rows.
create or replace view decisions.newest as
  select newest.* from unnest(array['suspension', 'ban', 'earning', 'withdrawal', 'registration', 'block']) s (source)
    cross join lateral (
      select d.* from decisions.made d where d.source = s.source order by d.source_id desc limit 500) newest;
grant select on decisions.newest to earnest_app;

-- Deletes the oldest appeals, made more than three years ago. Returns how many, at most `rows_max`. It looks only at
-- the appeals with the lowest numbers, which are the oldest.
create or replace function decisions.remove_old(rows_max integer) returns bigint
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  removed bigint;
begin
  delete from decisions.appeals a where a.id in (
    select old.id from (select id, created_at from decisions.appeals order by id limit remove_old.rows_max) old
    where old.created_at < platform.business_now() - interval '3 years');
  get diagnostics removed = row_count;
  return removed;
end
$$;
grant execute on function decisions.remove_old(integer) to earnest_app;

-- Deletes the appeals and the absence of an account that is due for anonymising. The application can delete no other
-- account's.
create or replace function decisions.forget(member_id integer) returns void
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  if members.email_to_anonymise(forget.member_id) is null then
    return;
  end if;
  delete from decisions.appeals a where a.member_id = forget.member_id;
  delete from decisions.absences a where a.member_id = forget.member_id;
end
$$;
grant execute on function decisions.forget(integer) to earnest_app;

-- Whether three calendar months of a time zone have passed since a sign-in. From the 30th of November they end on the
-- last day of February.
create or replace function decisions.is_absent(seen_at timestamptz, at timestamptz, zone text) returns boolean
  language sql stable
  return (seen_at at time zone zone + interval '3 months') at time zone zone <= at;
grant execute on function decisions.is_absent(timestamptz, timestamptz, text) to earnest_app;

-- Members who are away and were not told, the longest absence first, from where the last turn ended. Months have
-- different lengths, so the range of the index is some days wider than three months.
create or replace function decisions.untold(at timestamptz, zone text, rows_max integer) returns setof integer
  language sql stable
as $$
  select m.id from members.sign_ins m
  where m.deleted_at is null and m.role <> 'banned' and m.role <> 'admin'
    and m.last_sign_in_at >= coalesce(
      (select max(a.seen_at) from decisions.absences a) - interval '4 days', '-infinity')
    and m.last_sign_in_at <= untold.at - interval '3 months' + interval '4 days'
    and decisions.is_absent(m.last_sign_in_at, untold.at, untold.zone)
    and not exists (
      select from decisions.absences a where a.member_id = m.id and a.seen_at = m.last_sign_in_at)
  order by m.last_sign_in_at limit untold.rows_max
$$;
grant execute on function decisions.untold(timestamptz, text, integer) to earnest_app;
