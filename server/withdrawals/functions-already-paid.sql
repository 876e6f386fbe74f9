-- What may have been paid already, as far as is known after a restore: whether a request can be decided, and whether
-- its points can be paid. Functions of other files call these, so the name of this file comes before theirs.

-- The pending requests that may be paid already: a reconciliation found payments that may have paid them.
create or replace view withdrawals.open_checks as
  select c.withdrawal_id, w.method, w.queue_number, c.possible_references, c.cleared_references, c.reason,
    c.possible_payments
  from withdrawals.request_checks c join withdrawals.withdrawals w on w.id = c.withdrawal_id
  where cardinality(c.possible_references) > 0 and w.state = 'pending';
grant select on withdrawals.open_checks to earnest_app;

-- The payments that no payout accounts for and of which no operator took note, and whether the withdrawal that one paid
-- is known and holds its points: then they are not back in a balance.
create or replace view withdrawals.unnoted_payments as
  select u.method, u.reference, u.destination, u.amount_units, u.paid_at, u.found_at, u.withdrawal_id, u.member_id,
    u.points, exists (
      select from withdrawals.withdrawals w
      where w.id = u.withdrawal_id and w.state in ('pending', 'approved')) as are_points_held, u.noted_unnamed_at
  from (
    select method, reference, destination, amount_units, paid_at, found_at, withdrawal_id, member_id, points,
      noted_unnamed_at
    from withdrawals.unaccounted_payments where seen_at is null) u
  where not exists (
      select from withdrawals.payouts p
      where p.method = u.method and p.reference = u.reference and u.destination in (p.destination, '')
        and p.state <> 'failed');
grant select on withdrawals.unnoted_payments to earnest_app;

-- Those of them that operators are told of. Not while a parked payout or a pending request names one, because that one
-- holds the points and has its own acts.
create or replace view withdrawals.open_unaccounted as
  select u.*
  from withdrawals.unnoted_payments u
  where not exists (
      select from withdrawals.payouts p
      where p.method = u.method and p.state = 'parked' and u.reference = any (p.possible_references))
    and not exists (
      select from withdrawals.open_checks c
      where c.method = u.method and u.reference = any (c.possible_references));
grant select on withdrawals.open_unaccounted to earnest_app;

-- The payouts that were approved in a copy that was restored, and that wait for an operator: they are parked, had no
-- payment and name none.
create or replace view withdrawals.approved_in_copy as
  select a.* from (
    select p.withdrawal_id
    from withdrawals.payouts p
    where p.state = 'parked' and p.artifact is null and cardinality(p.possible_references) = 0 and not exists (
      select from withdrawals.former_payments f where f.withdrawal_id = p.withdrawal_id)) a;
grant select on withdrawals.approved_in_copy to earnest_app;

-- The payments of which no operator took note and that may have paid the points of a withdrawal: the older copy that
-- was restored has them in the member's balance again, and they can be asked for by any method and to any recipient.
-- One is known to be the member's. Where nobody knows whose one is, because a comparison is not made or no node has a
-- record of the payment, it may be of each who asked since a restore, or whose request of the copy is pending, or was
-- approved in it and is not released: it may have been cancelled and asked for anew. This is a row of nulls. It is all
-- the same when the payment was found after the restore, or by whose comparison: another account may have made it, it
-- may be listed late, and another node may have asked for a comparison since. That a parked payout or another
-- request names the payment as its own says nothing of the points: it may be wrong, and it may be for fewer.
create or replace function withdrawals.points_paid_by(id uuid)
  returns table (reference text, points bigint, paid_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select u.reference, u.points, u.paid_at
  from withdrawals.withdrawals w join withdrawals.unnoted_payments u on u.member_id = w.member_id
  where w.id = points_paid_by.id and not u.are_points_held
  union all
  select null, null, null
  from (
    select w.created_at, w.state = 'pending' or exists (
      select from withdrawals.approved_in_copy a where a.withdrawal_id = w.id) as is_of_copy
    from withdrawals.withdrawals w where w.id = points_paid_by.id) w
  where exists (
      select from withdrawals.reconciliations r
      where r.done_at is null and (w.is_of_copy or w.created_at >= r.asked_at))
    or exists (
      select from withdrawals.unnoted_payments u
        join withdrawals.timelines t on t.number > 1 and t.began_at <= u.found_at
      where u.withdrawal_id is null and (w.is_of_copy or w.created_at >= t.began_at))
$$;
grant execute on function withdrawals.points_paid_by(uuid) to earnest_app;

-- Whether a withdrawal may be for points that were paid already.
create or replace function withdrawals.is_possibly_paid(id uuid) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (select from withdrawals.points_paid_by(is_possibly_paid.id))
$$;
grant execute on function withdrawals.is_possibly_paid(uuid) to earnest_app;

-- Why a pending request may be paid already: a reconciliation found payments that may have paid it, or its method waits
-- for one (`is_awaited`), with the trouble of the last try. No row if it was certainly not.
create or replace function withdrawals.checks_of(id uuid, method text)
  returns table (is_awaited boolean, reason text, trouble text)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select false, c.reason, null::text from withdrawals.open_checks c where c.withdrawal_id = checks_of.id
  union all
  select true, r.reason, r.trouble
  from withdrawals.reconciliations r where r.method = checks_of.method and r.done_at is null
$$;
grant execute on function withdrawals.checks_of(uuid, text) to earnest_app;

-- Whether a pending request may be paid already.
create or replace function withdrawals.is_in_check(id uuid, method text) returns boolean
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select exists (select from withdrawals.checks_of(is_in_check.id, is_in_check.method))
$$;
grant execute on function withdrawals.is_in_check(uuid, text) to earnest_app;

-- Why a pending withdrawal can't be rejected now by this operator. It can't be approved either then. The first of:
-- own_request (nobody decides their own request), in_check (it may be paid already). Null if nothing stands against it,
-- and for a withdrawal that is decided.
create or replace function withdrawals.reject_obstacle(id uuid, operator_id integer) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select case when w.member_id = reject_obstacle.operator_id then 'own_request'
    when withdrawals.is_in_check(w.id, w.method) then 'in_check' end
  from withdrawals.withdrawals w where w.id = reject_obstacle.id and w.state = 'pending'
$$;
grant execute on function withdrawals.reject_obstacle(uuid, integer) to earnest_app;
