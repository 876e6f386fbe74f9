-- What may have been paid already, as far as is known after a restore: whether a request can be decided, and whether
-- its points can be paid. Functions of other files call these, so the name of this file comes before theirs.

-- The pending requests that may be paid already: a reconciliation found payments that may have paid them.
create or replace view withdrawals.open_checks as
  select c.withdrawal_id, w.method, w.queue_number, c.possible_references, c.cleared_references, c.reason,
    c.possible_payments
  from withdrawals.request_checks c join withdrawals.withdrawals w on w.id = c.withdrawal_id
  where cardinality(c.possible_references) > 0 and w.state = 'pending';
grant select on withdrawals.open_checks to earnest_app;

-- The payments of payouts: the one that each has, and those that it had before, whose amount is not kept (null). Each
-- is there also with an empty destination, because an outside party may list it without one. A payment that is ended
-- was not made as far as its payout says: that failed, or it has another payment.
create or replace view withdrawals.payout_payments as
  select p.method, p.reference, d.destination, p.amount_units, p.state = 'failed' as is_ended, p.withdrawal_id
  from withdrawals.payouts p cross join lateral (values (p.destination), ('')) d (destination)
  where p.reference is not null
  union all
  select f.method, f.reference, d.destination, null, p.state = 'failed' or p.reference is distinct from f.reference,
    f.withdrawal_id
  from withdrawals.former_payments f join withdrawals.payouts p on p.withdrawal_id = f.withdrawal_id
    cross join lateral (values (p.destination), ('')) d (destination);
grant select on withdrawals.payout_payments to earnest_app;

-- The payments that a payout accounts for. When one that is ended is found, it was made after all: its points are back
-- in a balance, or were paid twice.
create or replace view withdrawals.accounted_payments as
  select a.method, a.reference, a.destination, a.withdrawal_id
  from withdrawals.payout_payments a where not a.is_ended;
grant select on withdrawals.accounted_payments to earnest_app;

-- The payments that no payout accounts for and of which no operator took note. Their points are in one of three places:
-- held by the withdrawal (`are_points_held`: it is not paid, also if it has a payment that is not final), spent on
-- another payment (`paid_by`), or else in the member's balance. `is_printed`: `reconcile` has printed it as it is known
-- now. `listed_at`: a list has it, and not the record of a node alone. `suspected_id`: a parked payout or a pending
-- request that it may have paid.
create or replace view withdrawals.unnoted_payments as
  select u.method, u.reference, u.destination, u.amount_units, u.paid_at, u.found_at, u.withdrawal_id, u.member_id,
    u.points,
    coalesce(w.state = 'pending' or w.state = 'approved' and p.state not in ('confirmed', 'failed'), false)
      as are_points_held,
    u.noted_unnamed_at, u.printed_at is not null and u.printed_for is not distinct from u.withdrawal_id as is_printed,
    case when p.state = 'confirmed' then p.reference end as paid_by, u.listed_at, (
      select s.withdrawal_id from (
        select o.withdrawal_id from withdrawals.payouts o
        where o.method = u.method and o.state = 'parked' and u.reference = any (o.possible_references)
        union all
        select c.withdrawal_id from withdrawals.open_checks c
        where c.method = u.method and u.reference = any (c.possible_references)) s
      order by s.withdrawal_id limit 1) as suspected_id
  from withdrawals.unaccounted_payments u
    left join withdrawals.withdrawals w on w.id = u.withdrawal_id
    left join withdrawals.payouts p on p.withdrawal_id = u.withdrawal_id
  where u.seen_at is null and not exists (
      select from withdrawals.accounted_payments a
      where (a.method, a.reference, a.destination) = (u.method, u.reference, u.destination));
grant select on withdrawals.unnoted_payments to earnest_app;

-- Those of them that operators are told of. A parked payout or a pending request that waits for one has its own acts,
-- so it is not told beside that one, unless it holds others too: its member, whose points nobody holds, or everybody if
-- nobody knows its member and the site was restored.
create or replace view withdrawals.open_unaccounted as
  select u.*
  from withdrawals.unnoted_payments u
  where u.suspected_id is null or not u.are_points_held
    and (u.withdrawal_id is not null or exists (select from withdrawals.timelines t where t.number > 1));
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
-- One whose member is known may have paid each withdrawal of that member, also the one that it names; only the payments
-- that this one had before are judged by themselves, before anything is prepared. Where nobody knows
-- whose one is, because another method is not compared or no node has a record of the payment, it may have paid each
-- withdrawal of a site that was restored once: what was asked for before the backup may have been cancelled and asked
-- for anew. This is a row of nulls. No state and no time of a withdrawal or payment says anything against it, and
-- neither does a parked payout or a request that names the payment: it may be wrong, or for fewer points. A method's
-- own comparison holds its payouts and requests by itself (`store_payment`, `checks_of`).
create or replace function withdrawals.points_paid_by(id uuid)
  returns table (reference text, points bigint, paid_at timestamptz)
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select u.reference, u.points, u.paid_at
  from withdrawals.withdrawals w join withdrawals.unnoted_payments u on u.member_id = w.member_id
  where w.id = points_paid_by.id and not (u.withdrawal_id = w.id and exists (
    select from withdrawals.former_payments f where f.withdrawal_id = w.id and f.reference = u.reference))
  union all
  select null, null, null
  from withdrawals.withdrawals w
  where w.id = points_paid_by.id and (
    exists (select from withdrawals.reconciliations r where r.done_at is null and r.method <> w.method)
    or exists (select from withdrawals.unnoted_payments u where u.withdrawal_id is null)
      and exists (select from withdrawals.timelines t where t.number > 1))
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

-- Why a pending withdrawal can't be rejected now by this operator. It can't be approved either then. All of, in this
-- order: own_request (nobody decides their own request), in_check (it may be paid already). Null for a withdrawal that
-- is decided.
create or replace function withdrawals.reject_obstacles(id uuid, operator_id integer) returns text[]
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$
  select array_remove(array[
    case when members.is_own(reject_obstacles.operator_id, w.member_id) then 'own_request' end,
    case when withdrawals.is_in_check(w.id, w.method) then 'in_check' end], null)
  from withdrawals.withdrawals w where w.id = reject_obstacles.id and w.state = 'pending'
$$;
grant execute on function withdrawals.reject_obstacles(uuid, integer) to earnest_app;

-- The first of them; null if nothing stands against a rejection, and for a withdrawal that is decided.
create or replace function withdrawals.reject_obstacle(id uuid, operator_id integer) returns text
  language sql stable security definer set search_path = pg_catalog, pg_temp
as $$ select (withdrawals.reject_obstacles(reject_obstacle.id, reject_obstacle.operator_id))[1] $$;
grant execute on function withdrawals.reject_obstacle(uuid, integer) to earnest_app;
