-- How much one operator may credit alone. A credit of the sum for two people or more needs two operators, and so does
-- what brings an operator's credits of the day to the sum. Who changed the provider's secret or its source rule lately
-- could have made its credits, so they never credit them alone or as the second one.

-- Whether the credit of a transaction waited for an approval.
create or replace function earning.was_held(provider text, transaction_id text) returns boolean
  language sql stable
as $$
  select exists (
    select from earning.earnings e
    where (e.provider, e.transaction_id) = (was_held.provider, was_held.transaction_id) and e.held_id is not null)
$$;

-- The points that an operator credited alone today; null is the command line, whose credits are found by its acts. They
-- are held earnings, quarantined credits and replays. What the quarantine and a replay hold is counted as an earning.
-- It sums between the instants of the site day.
create or replace function earning.credited_alone_today(operator_id integer) returns bigint
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select coalesce(sum(c.points), 0)::bigint
  from platform.site_clock s
    cross join lateral platform.day_range_in(s.site_timezone, platform.business_now()) as today
    cross join lateral (
      select 'held' as kind, e.held_id as id, e.points from earning.earnings e
      where e.decided_by = credited_alone_today.operator_id and e.state = 'credited'
        and e.decided_at >= lower(today) and e.decided_at < upper(today)
      union all
      select 'quarantine', q.id, q.points from earning.quarantine q
      where q.resolved_by = credited_alone_today.operator_id and q.state = 'booked' and q.kind = 'credit'
        and q.points < earning.hold_points() and q.resolved_at >= lower(today) and q.resolved_at < upper(today)
        and not earning.was_held(q.provider, q.transaction_id)
      union all
      select 'replay', r.postback_id, r.credited_points from earning.replays r
      where r.operator_id = credited_alone_today.operator_id and r.credited_points is not null
        and r.at >= lower(today) and r.at < upper(today)
      union all
      select 'held', e.held_id, e.points
      from platform.targets_of_command_line('earning.approve', today) as approved
        join earning.earnings e on e.held_id = approved::bigint
      where credited_alone_today.operator_id is null and e.decided_by is null and e.state = 'credited'
      union all
      select 'quarantine', q.id, q.points
      from platform.targets_of_command_line('quarantine.resolve', today) as resolved
        join earning.quarantine q on q.id = resolved::bigint
      where credited_alone_today.operator_id is null and q.resolved_by is null and q.state = 'booked'
        and q.kind = 'credit' and q.points < earning.hold_points()
        and not earning.was_held(q.provider, q.transaction_id)) c
  where not exists (select from earning.first_approvals f where (f.kind, f.id) = (c.kind, c.id))
$$;
grant execute on function earning.credited_alone_today(integer) to earnest_app;

-- Whether an operator, by whichever own account, changed a provider's secret, its token or its source rule in the last
-- 7 days.
create or replace function earning.has_changed_provider(operator_id integer, provider text) returns boolean
  language sql stable
as $$
  select exists (
    select from earning.source_changes c
    where c.provider = has_changed_provider.provider and c.at > platform.business_now() - interval '7 days'
      and members.is_own(has_changed_provider.operator_id, c.operator_id))
$$;

-- Why this operator can't credit a call now: first_approval (the approval is recorded as the first of two),
-- second_operator_needed (this operator gave the first one), own_provider_change. Null if nothing stands against it. A
-- first approval asks for a second one also after the sum was lifted. The first approval of somebody who is no operator
-- any more, or for another member, does not count. The command line (no operator) can give the second one only. The
-- caller holds the lock on the totals, so that concurrent approvals of one operator count each other.
create or replace function earning.credit_obstacle(
  kind text, id bigint, member_ref text, provider text, points bigint, operator_id integer,
  second_person_points bigint
) returns text
  language sql stable
as $$
  select case
    when members.is_own(credit_obstacle.operator_id, f.operator_id) then 'second_operator_needed'
    when f.operator_id is not null and s.has_changed then 'own_provider_change'
    when f.operator_id is null and credit_obstacle.second_person_points is not null
      and (s.has_changed or earning.credited_alone_today(credit_obstacle.operator_id) + credit_obstacle.points
        >= credit_obstacle.second_person_points)
      then case when credit_obstacle.operator_id is null then 'second_operator_needed' else 'first_approval' end
    end
  from (
    select earning.has_changed_provider(credit_obstacle.operator_id, credit_obstacle.provider) as has_changed) s
    left join earning.first_approvals f
      on f.kind = credit_obstacle.kind and f.id = credit_obstacle.id and f.member_ref = credit_obstacle.member_ref
        and members.is_operator_since(f.operator_id, f.at)
$$;

-- Why an operator can't credit a call alone by a replay, as `credit_obstacle` says. Null if nothing stands against it.
-- It locks the member's wallet and the totals, in their order: the caller books the call in the same transaction.
create or replace function earning.replay_obstacle(
  member_ref text, provider text, points bigint, operator_id integer, second_person_points bigint
) returns text
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
begin
  perform ledger.lock_wallets(array[earning.member_of(replay_obstacle.member_ref)]);
  perform from earning.approval_totals for no key update;
  -- No first approval has this kind: what needs two operators waits as a held earning, and has them there.
  return earning.credit_obstacle('replay', null, replay_obstacle.member_ref, replay_obstacle.provider,
    replay_obstacle.points, replay_obstacle.operator_id, replay_obstacle.second_person_points);
end
$$;
grant execute on function earning.replay_obstacle(text, text, bigint, integer, bigint) to earnest_app;

-- Records the first of two approvals, in the place of one that does not count any more.
create or replace function earning.add_first_approval(kind text, id bigint, member_ref text, operator_id integer)
  returns void
  language sql
as $$
  insert into earning.first_approvals as f (kind, id, member_ref, operator_id, at)
  values (add_first_approval.kind, add_first_approval.id, add_first_approval.member_ref,
    add_first_approval.operator_id, platform.business_now())
  on conflict (kind, id) do update
  set member_ref = excluded.member_ref, operator_id = excluded.operator_id, at = excluded.at
$$;

-- Forgets a first approval that did not count when the credit was made. Otherwise the credit would look like one of two
-- people, and no sum would have it.
create or replace function earning.forget_lapsed_approval(kind text, id bigint, member_ref text) returns void
  language sql
as $$
  delete from earning.first_approvals f
  where (f.kind, f.id) = (forget_lapsed_approval.kind, forget_lapsed_approval.id)
    and not (f.member_ref = forget_lapsed_approval.member_ref and members.is_operator_since(f.operator_id, f.at))
$$;

-- Every earning that was ever held, as a decision about its member. Nobody writes through it (see
-- platform/functions.sql).
create or replace view earning.given_holds as
  select h.* from (
    select e.held_id as id, e.member_id, e.provider, e.subject, e.points, e.state, e.hold_reason, e.created_at,
      e.decided_at, e.decided_by, e.review_note,
      exists (
        select from earning.reversals r
        where r.provider = e.provider and r.credit_transaction_id = e.transaction_id) as is_taken_back
    from earning.earnings e where e.held_id is not null) h;
grant select on earning.given_holds to earnest_app;

-- Makes a rejected earning wait again, so that `decide` can book it after an appeal. False if it is not rejected, or if
-- its provider took it back, which nobody may undo here. It keeps who rejected it: they may not reject it again.
create or replace function earning.reopen(held_id bigint) returns boolean
  language plpgsql security definer set search_path = pg_catalog, pg_temp
as $$
declare
  asked record;
begin
  select e.member_id, e.provider, e.transaction_id, e.points into asked from earning.earnings e
  where e.held_id = reopen.held_id;
  if not found then
    return false;
  end if;
  perform ledger.lock_wallets(array[asked.member_id]);
  perform from earning.earnings e where e.held_id = reopen.held_id for no key update;
  update earning.earnings e
  set state = 'held', left_points = e.points, decided_at = null, review_note = null
  where e.held_id = reopen.held_id and e.state = 'rejected' and not exists (
    select from earning.reversals r
    where r.provider = asked.provider and r.credit_transaction_id = asked.transaction_id);
  if not found then
    return false;
  end if;
  update earning.approval_totals t set pending_count = t.pending_count + 1,
    pending_points = t.pending_points + asked.points, rejected_count = t.rejected_count - 1;
  return true;
end
$$;
grant execute on function earning.reopen(bigint) to earnest_app;
